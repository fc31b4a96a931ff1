// A command takes a table of arguments and options, by the names under which its function gets them.
import { Argument, type Command, Option } from 'commander'
import { readWholeNumber } from './options.ts'

export type Parameter<T> = {
  as: Argument | Option
  /** Only a type: what the text becomes. */
  value?: T
}

// biome-ignore lint/suspicious/noExplicitAny: parameters of all types stand in one table.
export type Parameters = Record<string, Parameter<any>>

/** The values that were given for a table of parameters. */
export type Given<Takes extends Parameters> = {
  [Name in keyof Takes]: Takes[Name] extends Parameter<infer T> ? T : never
}

/** A function that throws InvalidArgumentError, or all texts that are allowed. */
type Reading<T> = ((text: string, before?: T) => T) | readonly T[]

/** An argument such as `<id>`, or an option such as `--kind <kind>`. */
export function required<T = string>(
  flags: string,
  about: string,
  reading?: Reading<T>,
): Parameter<T> {
  const as = make(flags, about, reading)
  if (as instanceof Option) as.makeOptionMandatory()
  return { as }
}

/** An argument such as `[id]`, or an option such as `--kind <kind>`. */
export function optional<T = string>(
  flags: string,
  about: string,
  reading?: Reading<T>,
): Parameter<T | undefined> {
  return { as: make(flags, about, reading) }
}

export function withDefault<T>(
  { as }: Parameter<T | undefined>,
  value: T,
  shown?: string,
): Parameter<T> {
  return { as: as.default(value, shown) }
}

/** A whole number from `least` to `most`. */
export function counting(
  flags: string,
  about: string,
  [least, most]: [least: number, most: number],
  value: number,
): Parameter<number> {
  return withDefault(optional(flags, about, readWholeNumber(least, most)), value)
}

export function flag(
  flags: string,
  about: string,
  conflicts: string[] = [],
): Parameter<true | undefined> {
  return { as: new Option(flags, about).conflicts(conflicts) }
}

function make<T>(flags: string, about: string, reading: Reading<T> | undefined) {
  const as = flags.startsWith('-') ? new Option(flags, about) : new Argument(flags, about)
  if (reading === undefined) return as
  return typeof reading === 'function'
    ? as.argParser(reading)
    : as.choices(reading as readonly string[])
}

export function addParameters(command: Command, takes: Parameters): void {
  for (const { as } of Object.values(takes)) {
    if (as instanceof Option) command.addOption(as)
    else command.addArgument(as)
  }
}

/** Reads the values that a parsed command was given. */
export function readGiven<Takes extends Parameters>(command: Command, takes: Takes): Given<Takes> {
  const options = command.opts()
  const given = Object.entries(takes).map(([name, { as }]) => [
    name,
    as instanceof Option
      ? options[as.attributeName()]
      : command.processedArgs[command.registeredArguments.indexOf(as)],
  ])
  return Object.fromEntries(given)
}

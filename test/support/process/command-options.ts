import { type Command, InvalidArgumentError } from 'commander'

/** For an option's value; whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }
}

/** The options that a command reads, or what it prints instead. */
export function readWith(command: Command, argv: readonly string[]) {
  const printed: string[] = []
  command.exitOverride().configureOutput({ writeErr: (text) => printed.push(text) })
  try {
    command.parse(argv, { from: 'user' })
  } catch {
    return { refusal: printed.join('') }
  }
  return command.opts()
}

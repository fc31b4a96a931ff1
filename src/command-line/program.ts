import { Command, CommanderError } from 'commander'
import type { CommandIo } from './command-io.ts'

/** `refused`: by the service, or a check found a fault. `unreachable`: nothing answered. */
export const EXIT = { done: 0, refused: 1, misuse: 2, unreachable: 3 } as const

/** Exits with code `refused`; the command has printed the reason. */
export class FaultReported extends Error {}

export function createProgram(io: CommandIo, description: string, about: string): Command {
  return new Command(io.programName)
    .description(description)
    .addHelpText('after', about)
    .exitOverride()
    .configureOutput({
      writeOut: io.writeOut,
      writeErr: io.writeError,
      outputError: () => undefined, // `printFailure` of runProgram prints it.
    })
}

/** Runs one command and returns the exit code; `printFailure` returns that of a failure. */
export async function runProgram(
  program: Command,
  argv: readonly string[],
  printFailure: (error: unknown) => number,
): Promise<number> {
  try {
    await program.parseAsync(argv, { from: 'user' })
    return EXIT.done
  } catch (error) {
    if (error instanceof FaultReported) return EXIT.refused
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.done
      // A group without its command: the help has been printed.
      if (error.code === 'commander.help') return EXIT.misuse
    }
    return printFailure(error)
  }
}

/** Examples are given without the program's name. */
export function describeCommand(
  command: Command,
  description: string,
  examples: readonly string[],
): Command {
  let program = command
  while (program.parent) program = program.parent
  const lines = examples.map((example) => `  $ ${program.name()} ${example}`)
  return command
    .summary(firstSentence(description))
    .description(description)
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

const firstSentence = (text: string) => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text

const HINTS: Record<string, string> = {
  'commander.unknownCommand': ' --help lists the commands.',
  'commander.unknownOption': ' Options follow the command; --help lists them.',
}

/** Makes a sentence of commander's "error: unknown option '--jsn'\n(Did you mean --json?)". */
export function explainMisuse({ code, message }: CommanderError): string {
  const text = message.replace(/^error: /, '').replaceAll(/\s+/g, ' ')
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  if (sentence.endsWith(')')) return sentence
  return `${sentence}${sentence.endsWith('.') ? '' : '.'}${HINTS[code] ?? ''}`
}

import type { Command } from 'commander'

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

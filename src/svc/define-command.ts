import type { Command } from 'commander'
import { type Client, createClient } from '../client/client.ts'
import { describeCommand } from '../command-line/program.ts'
import type { Report } from '../command-line/text.ts'
import { type CredentialOptions, type Credentials, readCredentials } from './credentials.ts'
import { createOutput, type Output } from './output.ts'
import { SvcError } from './svc-error.ts'
import type { SvcIo } from './svc-io.ts'

export type CommonOptions = CredentialOptions & { json?: true; text?: true }

export type Session = { client: Client; credentials: Credentials; output: Output; io: SvcIo }

/** Adds a command with the options that all have. */
export function defineCommand(
  parent: Command,
  usage: string,
  description: string,
  examples: readonly string[],
): Command {
  return completeCommand(parent.command(usage), description, examples)
}

export function completeCommand(
  command: Command,
  description: string,
  examples: readonly string[],
): Command {
  return describeCommand(command, description, examples)
    .option('--json', 'print JSON, as it does where no terminal reads it')
    .option('--text', 'print text, also where no terminal reads it')
    .option('--credentials <file>', 'a file like .local/sandbox.json')
    .option('--base-url <url>', 'the service (SVC_BASE_URL)')
    .option('--key-id <id>', 'the API key (SVC_KEY_ID)')
    .option('--key-file <file>', 'its private key in PEM (SVC_PRIVATE_KEY_FILE)')
}

/** Throws `SvcError` where credentials are missing. */
export function openSession(
  io: SvcIo,
  options: CommonOptions,
  credentials: Credentials = readCredentials(options, io.env),
): Session {
  const output = createOutput(io, options)
  return { client: createClient(credentials), credentials, output, io }
}

export async function runCommand(
  io: SvcIo,
  options: CommonOptions,
  command: (session: Session) => Promise<Report>,
): Promise<void> {
  const session = openSession(io, options)
  try {
    session.output.report(await command(session))
  } finally {
    session.output.progress('')
  }
}

export function readWhole(name: string, least = 1) {
  return (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
    throw new SvcError('usage', `${name} is a whole number, ${least} or more: not "${text}".`)
  }
}

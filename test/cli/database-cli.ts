import { afterAll, beforeAll, expect } from 'vitest'
import type { CliIo } from '../../src/cli/command/cli-io.ts'
import { runCli } from '../../src/cli/command/run-cli.ts'
import { loadDatabaseConfig } from '../../src/config/database-config.ts'
import { loadVendorSecrets } from '../../src/config/vendor-secrets.ts'
import { choosePrices } from '../../src/process/choose-prices.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { testKey } from '../support/stores/sealer.ts'

const TEST_KEYS = `test:${testKey('test').bytes.toString('base64')}`

type Run = { exitCode: number; out: string; error: string }

type RunOptions = {
  env?: Record<string, string | undefined>
  constants?: { maxActiveKeys: number }
  /** What the standard input holds. */
  input?: string
  now?: Date
  showsProgress?: boolean
  /** Of a person at the terminal. */
  ask?: CliIo['ask']
}

/** Runs one command in this process, as a shell with this environment would. */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<Run> {
  let out = ''
  let error = ''
  const io: CliIo = {
    programName: 'cli',
    writeOut: (text) => {
      out += text
    },
    writeError: (text) => {
      error += text
    },
    showsProgress: options.showsProgress ?? false,
    readInput: async () => options.input ?? '',
    loadConfig: () => ({ ...loadDatabaseConfig(options.env ?? {}), ...options.constants }),
    loadVendorSecrets: (vendor) => loadVendorSecrets(options.env ?? {}, vendor),
    choosePrices,
    systemUser: () => 'tester',
    ask: options.ask,
    clock: () => options.now ?? new Date(),
  }
  const exitCode = await runCli(argv, io)
  return { exitCode, out, error }
}

/** Runs commands on one database, with arguments separated by spaces or given as a list. */
export function createDatabaseCli(databaseUrl: string) {
  const withDatabase = (options: RunOptions) => ({
    ...options,
    env: { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: TEST_KEYS, ...options.env },
  })
  const split = (command: string | readonly string[]) =>
    typeof command === 'string' ? command.split(' ') : command
  return {
    /** Any command, however it ends. */
    run: (command: string | readonly string[], options: RunOptions = {}) =>
      run(split(command), withDatabase(options)),
    /** What a person sees of a command that succeeds. */
    async show(command: string | readonly string[], options: RunOptions = {}): Promise<string> {
      const result = await run(split(command), withDatabase(options))
      expect(result).toMatchObject({ exitCode: 0, error: '' })
      return result.out
    },
    /** The JSON of a command that succeeds. */
    async read<T>(command: string | readonly string[], options: RunOptions = {}): Promise<T> {
      const result = await run([...split(command), '--json'], withDatabase(options))
      expect(result).toMatchObject({ exitCode: 0, error: '' })
      return JSON.parse(result.out)
    },
    /** The JSON error of a command that fails, by the exit code for it, and prints nothing else. */
    async fail(
      command: string | readonly string[],
      options: RunOptions = {},
    ): Promise<{ code: string; message: string }> {
      const result = await run([...split(command), '--json'], withDatabase(options))
      expect(result.out).toBe('')
      expect(result.error).not.toMatch(/^\s+at /m)
      const { error } = JSON.parse(result.error)
      expect(result.exitCode).toBe(error.code === 'usage' ? 2 : 1)
      return error
    },
    async createTenant(): Promise<string> {
      return (await this.read<{ id: string }>(['tenants', 'create', 'Acme Exchange'])).id
    },
  }
}

/** A database that all tests of a file share, and the commands on it. */
export function databaseCliForFile() {
  const database = {} as TestDatabase
  const cli = {} as ReturnType<typeof createDatabaseCli>
  beforeAll(async () => {
    Object.assign(database, await createTestDatabase())
    Object.assign(cli, createDatabaseCli(database.url))
  })
  afterAll(() => database[Symbol.asyncDispose]())
  return { database, cli }
}

import { type Command, InvalidArgumentError } from 'commander'
import type { DatabaseConfig } from '../config/database-config.ts'
import { Refusal } from '../core/errors.ts'
import { createSealer, type Sealer } from '../core/sealing.ts'
import { readStack } from '../db/connections/stack-identity.ts'
import { createDatabase, inTransaction } from '../db/database.ts'
import { migrateToLatest } from '../db/migrate/migrate.ts'
import { makeReceiptKey } from '../domain/margin/receipts/receipt-key.ts'
import { withChanges } from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, printReport } from './command/define-command.ts'
import { locateDatabase, locateKeys, unusable } from './command/session.ts'

type MigrateOptions = CommonOptions & { appRole?: string }

const ABOUT =
  'Apply the migrations that the database lacks. A database that a newer build has migrated is accepted where this build works on it. With --app-role also give that role what the API and the worker need and nothing more: no DDL, no change of journal and logs. Repeat the option at every migration, because new tables need it too. With APP_ROLE_PASSWORD the role is created, or its password is set.'

export function addMigrateCommand(program: Command, io: CliIo): void {
  defineCommand(program, 'migrate', ABOUT, ['migrate', 'migrate --app-role lending_app'])
    .option('--app-role <name>', 'the role that the API and the worker log in as', readRole)
    .action(async (options: MigrateOptions) => {
      const config = io.loadConfig()
      const databaseUrl = locateDatabase(config)
      const role = options.appRole && { name: options.appRole, password: config.appRolePassword }
      const onWait = (name: string, attempt: number) =>
        io.writeError(
          `Migration ${name} waits for a table lock that another session holds (attempt ${attempt}).\n`,
        )
      await assertStackChosen(config)
      const names = { stack: config.stack, appRole: role || undefined }
      const keys = locateKeys(config)
      const sealer = keys && createSealer(keys)
      const migrating = migrateToLatest(databaseUrl, { ...names, onWait, sealer })
      const migrated = await migrating.catch((error: unknown) => {
        throw error instanceof Refusal ? error : unusable(databaseUrl, error)
      })
      const { applied, newer, distributed } = migrated
      await ensureReceiptKey(io, databaseUrl, sealer)
      if (applied.length > 0 || role) {
        const after = { applied, ...(role && { app_role: role.name }) }
        await withChanges(io, {}, ({ change }) =>
          change(async () => ({ result: undefined, act: { action: 'migrate', after } })),
        )
      }
      const done = applied.length === 0 ? 'Nothing to apply.' : `Applied ${applied.join(', ')}.`
      const ahead = newer.length === 0 ? '' : ` ${describeAhead(newer)}`
      const granted = role ? ` ${role.name} may do what the API and the worker do.` : ''
      const spread =
        distributed.length === 0 ? '' : ` Distributed ${distributed.join(', ')} over the nodes.`
      const data = {
        applied,
        newer,
        ...(distributed.length > 0 ? { distributed } : {}),
        ...(role ? { app_role: role.name } : {}),
      }
      printReport(io, options, { data, text: `${done}${ahead}${spread}${granted}` })
    })
}

/** Without encryption keys the worker that makes the first receipt makes it. */
async function ensureReceiptKey(
  io: CliIo,
  databaseUrl: string,
  sealer: Sealer | undefined,
): Promise<void> {
  if (!sealer) return
  await using db = createDatabase({ connectionString: databaseUrl, maxConnections: 1 })
  await inTransaction(db, (tx) => makeReceiptKey(tx, sealer, io.clock()))
}

/** What the first migration writes must not be a default. */
async function assertStackChosen({ isStackSet, databaseUrl }: DatabaseConfig): Promise<void> {
  if (isStackSet || databaseUrl === undefined) return
  await using db = createDatabase({ connectionString: databaseUrl, maxConnections: 1 })
  const found = await readStack(db).catch((error: unknown) => {
    throw unusable(databaseUrl, error)
  })
  if (found) return
  throw new Refusal(
    'unavailable',
    'STACK is not set, and the first migration writes it into the database: set it to live or sandbox.',
  )
}

function describeAhead(newer: readonly string[]): string {
  return `The database is ahead of this build by ${newer.join(', ')}, with which this build works.`
}

function readRole(text: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(text)) return text
  throw new InvalidArgumentError('Expected the name of a role: small letters, digits and _.')
}

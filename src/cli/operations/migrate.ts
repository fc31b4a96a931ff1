import { InvalidArgumentError } from 'commander'
import type { DatabaseConfig } from '../../config/database-config.ts'
import { Refusal } from '../../core/errors.ts'
import { createSealer, type Sealer } from '../../core/sealing.ts'
import { readStack } from '../../db/connections/stack-identity.ts'
import { createDatabase, inTransaction } from '../../db/database.ts'
import { migrateToLatest } from '../../db/migrate/migrate.ts'
import { makeReceiptKey } from '../../domain/margin/receipts/receipt-key.ts'
import { withChanges } from '../command/change.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CliCommand, command } from '../command/commands.ts'
import type { Answer } from '../command/output.ts'
import { optional } from '../command/parameters.ts'
import { locateDatabase, locateKeys, unusable } from '../command/session.ts'

export const MIGRATE_COMMANDS: CliCommand[] = [
  command({
    name: 'migrate',
    about:
      'Apply the migrations that the database lacks. A database that a newer build has migrated is accepted where this build works on it. With --app-role also give that role what the API and the worker need and nothing more: no DDL, no change of journal and logs. Repeat the option at every migration, because new tables need it too. With APP_ROLE_PASSWORD the role is created, or its password is set.',
    examples: ['migrate', 'migrate --app-role lending_app'],
    takes: {
      appRole: optional(
        '--app-role <name>',
        'the role that the API and the worker log in as',
        readRole,
      ),
    },
    run: async (io, { appRole }) => await migrate(io, appRole),
  }),
]

async function migrate(io: CliIo, appRole: string | undefined): Promise<Answer> {
  const config = io.loadConfig()
  const databaseUrl = locateDatabase(config)
  const role =
    appRole === undefined ? undefined : { name: appRole, password: config.appRolePassword }
  const onWait = (name: string, attempt: number) =>
    io.writeError(
      `Migration ${name} waits for a table lock that another session holds (attempt ${attempt}).\n`,
    )
  await assertStackChosen(config)
  const keys = locateKeys(config)
  const sealer = keys && createSealer(keys)
  const asked = { stack: config.stack, appRole: role, onWait, sealer }
  const migrating = migrateToLatest(databaseUrl, asked)
  const { applied, newer, distributed } = await migrating.catch((error: unknown) => {
    throw error instanceof Refusal ? error : unusable(databaseUrl, error)
  })
  await ensureReceiptKey(io, databaseUrl, sealer)
  const granted = role && { app_role: role.name }
  if (applied.length > 0 || role) {
    const after = { applied, ...granted }
    await withChanges(io, {}, ({ makeChange }) =>
      makeChange(async () => ({ result: undefined, act: { action: 'migrate', after } })),
    )
  }
  const done = [
    applied.length === 0 ? 'Nothing to apply.' : `Applied ${applied.join(', ')}.`,
    newer.length > 0 &&
      `The database is ahead of this build by ${newer.join(', ')}, with which this build works.`,
    distributed.length > 0 && `Distributed ${distributed.join(', ')} over the nodes.`,
    role && `${role.name} may do what the API and the worker do.`,
  ]
  return {
    data: { applied, newer, ...(distributed.length > 0 && { distributed }), ...granted },
    shown: done.filter(Boolean).join(' '),
  }
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

/** The first migration writes it: it must not be a default. */
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

function readRole(text: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(text)) return text
  throw new InvalidArgumentError('Expected the name of a role: small letters, digits and _.')
}

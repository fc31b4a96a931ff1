import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { SpanOptions, Tracing } from '../core/tracing.ts'
import { cancelQuery } from './cancel-query.ts'
import type { ConnectionSlots } from './connection-slots.ts'
import { sqlState } from './errors.ts'
import { createPreparingClient } from './preparing-client.ts'
import type { Tables } from './schema/tables.ts'

/** The database outside a transaction. A `Db` is no `Tx`: passing one for the other won't compile. */
export type Db = Kysely<Tables>

/** An open transaction. Domain functions take one and never open their own. */
export type Tx = Transaction<Tables>

/** Work that a transaction has left for a job; sent on as a hint once the transaction committed. */
export type Wake =
  | { kind: 'work'; topic: string }
  | { kind: 'deliveries'; tenantId: string; webhookId: string }

export type DatabaseOptions = {
  connectionString: string
  maxConnections: number
  /** Told of each committed transaction's wakes. Must not throw; losing a wake loses no work. */
  onCommit?: (wakes: readonly Wake[]) => void
  /** Told of errors on idle connections, which the pool replaces by itself. */
  onIdleError?: (error: Error) => void
  /** Told of transactions, and of what is done within `withSpan`. */
  tracing?: Tracing | undefined
  /** Shares the connections between tenants in the API, between classes of work in a worker. */
  slots?: ConnectionSlots
}

const listeners = new WeakMap<Db, (wakes: readonly Wake[]) => void>()
const tracings = new WeakMap<Db, Tracing>()
const pools = new WeakMap<Db, pg.Pool>()
const wakesOf = new WeakMap<Tx, Wake[]>()

const parseBigInt = (text: string) => BigInt(text)

/** What a session waits for a lock, runs a statement, and keeps a transaction open doing nothing. */
export const SESSION_LIMITS_MS = {
  lock_timeout: 2_000,
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 10_000,
} as const

/** Opens a pool. `numeric` and `int8` come out as bigint: money never passes through a number. */
export function createDatabase(options: DatabaseOptions): Db {
  const types = {
    getTypeParser(oid: number, format?: 'text' | 'binary') {
      const isInteger = oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      return isInteger ? parseBigInt : pg.types.getTypeParser(oid, format)
    },
  }
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...SESSION_LIMITS_MS,
    types: types as pg.CustomTypesConfig,
    Client: createPreparingClient(),
  })
  const onError = options.onIdleError ?? (() => undefined)
  pool.on('error', onError)
  // A connection that dies while checked out emits on the client; unheard it would end the process.
  pool.on('connect', (client) => client.on('error', onError))

  const dialect = new PostgresDialect({ pool: options.slots?.guard(pool) ?? pool })
  const db = new Kysely<Tables>({ dialect })
  pools.set(db, pool)
  if (options.tracing) tracings.set(db, options.tracing)
  if (options.onCommit) listeners.set(db, options.onCommit)
  return db
}

/** How the connections of a database are used: how many there are, idle, and waited for. */
export function readPool(db: Db): { total: number; idle: number; waiting: number } {
  const pool = pools.get(db)
  return {
    total: pool?.totalCount ?? 0,
    idle: pool?.idleCount ?? 0,
    waiting: pool?.waitingCount ?? 0,
  }
}

/**
 * Whether the timeouts bound this database's sessions. Behind a pooler they do when the role has them;
 * without them one lock that is never given up would hold up everything.
 */
export async function hasTimeouts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM pg_settings
    WHERE name IN (${sql.join(Object.keys(SESSION_LIMITS_MS))}) AND setting = '0'`.execute(db)
  return rows.length === 0
}

const RETRIES = 3
// Serialisation failure, deadlock, and a prepared statement made stale by a migration.
const RETRYABLE = new Set(['40001', '40P01', '0A000'])

/**
 * Runs one operation in one READ COMMITTED transaction: all of it happens or none. The whole of
 * `run` is repeated, at most three times, when Postgres gives it up for a deadlock, a serialisation
 * failure or a plan made stale by a migration, so `run` must have no effect outside the transaction.
 */
export async function inTransaction<T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  const tracing = tracings.get(db)
  const whole = () =>
    repeated(async () => {
      const wakes: Wake[] = []
      const result = await db.transaction().execute((tx) => {
        wakesOf.set(tx, wakes)
        if (tracing) tracings.set(tx, tracing)
        return run(tx)
      })
      if (wakes.length > 0) listeners.get(db)?.(wakes)
      return result
    })
  // One that belongs to nothing, as sweeps have them every second, tells nobody anything.
  if (tracing?.current() === undefined) return await whole()
  return await tracing.span('transaction', {}, whole)
}

/** Runs within a span of the database's tracing, where it has one. */
export async function withSpan<T>(
  db: Db,
  name: string,
  options: SpanOptions,
  run: () => Promise<T>,
): Promise<T> {
  const tracing = tracings.get(db)
  return tracing ? await tracing.span(name, options, run) : await run()
}

/** The span that runs around the caller, to be stored with what follows from it; null outside of any. */
export function currentTrace(db: Db): string | null {
  return tracings.get(db)?.current() ?? null
}

/**
 * Runs a single statement, which is a transaction by itself and one round trip; repeated as
 * `inTransaction` is.
 */
export async function inStatement<T>(db: Db, run: (db: Db) => Promise<T>): Promise<T> {
  return await repeated(() => run(db))
}

async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= RETRIES || !RETRYABLE.has(sqlState(error) ?? '')) throw error
    }
  }
}

/**
 * Reads one unchanging snapshot of the database, for at most `seconds` a statement. Changes nothing
 * and locks nothing that a writer waits for. Once `signal` is aborted the server gives up the
 * statement that runs, and the signal's reason is thrown.
 */
export async function inSnapshot<T>(
  db: Db,
  { seconds, signal }: { seconds: number; signal?: AbortSignal | undefined },
  read: (tx: Tx) => Promise<T>,
): Promise<T> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return await snapshot.execute(async (tx) => {
    await sql`SELECT set_config('statement_timeout', ${`${seconds}s`}, true)`.execute(tx)
    return signal ? await readUntil(signal, db, tx, read) : await read(tx)
  })
}

// Not by Kysely's own cancelling: in a transaction it sends the rollback first, which waits for the
// statement's end; and it asks for the session that a pooler has made up.
async function readUntil<T>(
  signal: AbortSignal,
  db: Db,
  tx: Tx,
  read: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
  let cancelled: Promise<void> | undefined
  const cancel = () => {
    // Where that fails the statement ends at its time limit.
    cancelled = cancelSession(db, rows[0]?.pid).catch(() => undefined)
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await read(tx)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    // The session is somebody else's after this, who must not be cancelled in its stead.
    await cancelled
  }
}

async function cancelSession(db: Db, pid: number | undefined): Promise<void> {
  const connectionString = pools.get(db)?.options.connectionString
  if (connectionString !== undefined && pid !== undefined) await cancelQuery(connectionString, pid)
}

/**
 * Runs a part of a transaction that is undone, and the locks it took let go, where it gives false.
 * Gives what it gave.
 */
export async function runInSavepoint(tx: Tx, run: () => Promise<boolean>): Promise<boolean> {
  await sql`SAVEPOINT part`.execute(tx)
  const isKept = await run()
  if (isKept) await sql`RELEASE SAVEPOINT part`.execute(tx)
  else await sql`ROLLBACK TO SAVEPOINT part`.execute(tx)
  return isKept
}

/** Notes a hint to send when this transaction commits; dropped when it rolls back. */
export function wakeAfterCommit(tx: Tx, wake: Wake): void {
  wakesOf.get(tx)?.push(wake)
}

/** Sends a hint of what a statement has done: at once where it was a transaction by itself. */
export function wakeAfterStatement(db: Db, wake: Wake): void {
  const wakes = wakesOf.get(db as Tx)
  if (wakes) wakes.push(wake)
  else listeners.get(db)?.([wake])
}

import { type CompiledQuery, type Dialect, Kysely, type QueryResult, sql } from 'kysely'
import { gather } from '../core/gather.ts'
import type { Sealer } from '../core/sealing.ts'
import type { SpanOptions, Tracing } from '../core/tracing.ts'
import { AnswerWatch } from './connections/answer-watch.ts'
import {
  type ConnectionPool,
  type Connections,
  createPool,
  type PoolOptions,
  SESSION_LIMITS_MS,
} from './connections/connection-pool.ts'
import type { ConnectionSlots } from './connections/connection-slots.ts'
import { createDialect, PooledConnection } from './connections/pooled-driver.ts'
import { Session, toDeadline } from './connections/session.ts'
import { StatementNames } from './connections/statement-names.ts'
import { isPartitionMissing } from './errors.ts'
import type { Tables } from './schema/tables.ts'
import { hasCallers, showCallers } from './transactions/callers.ts'
import { repeated } from './transactions/repeated.ts'
import { Tx, transact } from './transactions/transaction.ts'
import type { Wake } from './wakes.ts'

export type { Tx } from './transactions/transaction.ts'
export type { Wake } from './wakes.ts'

/** A `Db` is not a `Tx`: passing one for the other does not compile. */
export type Db = Kysely<Tables>

declare const access: unique symbol

/** For reading: `inTransaction` does not take it. */
export type ReadDb = Db & { readonly [access]: 'read' }

type ChangeableDb = Db & { readonly [access]?: never }

export function openForReads(db: Db): ReadDb {
  return db as ReadDb
}

export function openForChanges(db: ReadDb): Db {
  return db
}

type OwnOptions = {
  /** Must not throw. A lost wake loses no work. */
  onCommit?: (wakes: readonly Wake[]) => void
  tracing?: Tracing | undefined
  /** Opens the keys of borrowers. Without it personal data is neither read nor written. */
  sealer?: Sealer | undefined
  /** For each statement that does not set its own limit. 0: none, for statements that may take an hour. */
  limitMs?: number
  /** Makes the partitions of now, where a row has none: a clock has jumped, or the machine slept. */
  makePartitions?: (db: Db) => Promise<void>
}

export type DatabaseOptions = PoolOptions & OwnOptions & { slots?: ConnectionSlots }

type Source = {
  connections: Connections
  pool: Omit<ConnectionPool, 'on'>
  /** For a connection beside those that the pool has. */
  address?: string | undefined
}

/** A statement of one tenant that waits for no lock. */
type SharedRead = { tenantId: string; statement: CompiledQuery }

/** More in one packet would keep the other processors of the database from a part of them. */
const SHARED = { most: 8, waitMs: 0, sideBySide: 1 }

/** Each is a transaction of its own and fails alone. */
async function runTogether(
  open: () => Promise<Session>,
  deadlineMs: number,
  reads: readonly SharedRead[],
): Promise<Promise<QueryResult<unknown>>[]> {
  const connection = new PooledConnection(await open(), deadlineMs)
  const results = reads.map(({ statement }) => connection.executeQuery<unknown>(statement))
  void Promise.allSettled(results).then(() => connection.release())
  return results
}

/** Made by `createDatabase`. */
export class Database extends Kysely<Tables> {
  readonly source: Source
  readonly dialect: Dialect
  readonly watch: AnswerWatch
  readonly tracing: Tracing | undefined
  readonly sealer: Sealer | undefined
  readonly onCommit: (wakes: readonly Wake[]) => void
  /** The limit of each statement that does not set its own. */
  readonly deadlineMs: number
  readonly openSession: (connections: Connections) => Promise<Session>
  readonly runShared: (read: SharedRead) => Promise<QueryResult<unknown>>
  readonly #makePartitions: OwnOptions['makePartitions']
  #making: Promise<void> | undefined

  constructor(source: Source, options: OwnOptions = {}) {
    const { limitMs = SESSION_LIMITS_MS.statement_timeout, onCommit, tracing, sealer } = options
    const shared = { names: new StatementNames(), watch: new AnswerWatch() }
    const openSession = async (connections: Connections) => {
      for (;;) {
        const client = await connections.connect()
        if (!shared.watch.isSuspect(client)) return new Session(client, shared)
        client.destroy()
        client.release(true)
      }
    }
    const deadlineMs = toDeadline(limitMs)
    const dialect = createDialect(() => openSession(source.connections), deadlineMs)
    super({ dialect })
    this.source = source
    this.dialect = dialect
    this.watch = shared.watch
    this.tracing = tracing
    this.sealer = sealer
    this.#makePartitions = options.makePartitions
    this.onCommit = onCommit ?? (() => undefined)
    this.deadlineMs = deadlineMs
    this.openSession = openSession
    this.runShared = gather({
      key: ({ tenantId }) => tenantId,
      ...SHARED,
      run: (reads) => runTogether(() => openSession(source.connections), deadlineMs, reads),
    })
  }

  /** Callers at the same time share one run. False where this database was not given how. */
  async makePartitions(): Promise<boolean> {
    if (!this.#makePartitions) return false
    this.#making ??= this.#makePartitions(this).finally(() => {
      this.#making = undefined
    })
    await this.#making
    return true
  }

  override async destroy(): Promise<void> {
    await super.destroy()
    const { pool } = this.source
    if (!pool.ending) await pool.end()
  }
}

export function createDatabase({ slots, ...options }: DatabaseOptions): Database {
  const pool = createPool(options)
  const connections = slots?.guard(pool) ?? pool
  const address = options.connectionString
  const db = new Database({ connections, pool, address }, options)
  pool.on('connect', (client) => db.watch.noteOpened(client))
  pool.on('remove', (client) => db.watch.noteClosed(client))
  return db
}

/** Throws where `db` is something else, such as a transaction. */
export function toDatabase(db: Db): Database {
  if (db instanceof Database) return db
  throw new Error('only what createDatabase has made has connections')
}

export function readPool(db: Db): { total: number; idle: number; waiting: number } {
  const { totalCount, idleCount, waitingCount } = toDatabase(db).source.pool
  return { total: totalCount, idle: idleCount, waiting: waitingCount }
}

/** A pooler has them only when the role does. Without them one lock could hold up everything. */
export async function hasTimeouts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM pg_settings
    WHERE name IN (${sql.join(Object.keys(SESSION_LIMITS_MS))}) AND setting = '0'`.execute(db)
  return rows.length === 0
}

/** The time of the database's machine: for comparing clocks, never for a decision. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database gave no time')
  return row.now
}

/** Writes nothing. Closes connections that lead to a server which no longer takes writes. */
export async function takesWrites(db: Db): Promise<boolean> {
  const { source, openSession } = toDatabase(db)
  // Each connection that is open may be an old one; one more is new.
  for (let left = source.pool.totalCount + 1; left > 0; left -= 1) {
    const session = await openSession(source.pool)
    try {
      if (await session.takesWrites()) return true
    } finally {
      await session.release()
    }
  }
  return false
}

/** How long PostgreSQL has answered nothing of what it was sent; 0 once it has answered. */
export function readSilence(db: Db): number {
  return toDatabase(db).watch.silentMs
}

/** READ COMMITTED. Repeats `run`, so it must have no effect outside the transaction. */
export async function inTransaction<T>(
  db: ChangeableDb,
  run: (tx: Tx) => T | Promise<T>,
): Promise<T> {
  const root = toDatabase(db)
  const whole = () => repeatedWithPartitions(root, () => attemptOnce(root, run))
  try {
    if (root.tracing?.current() === undefined) return await whole()
    return await root.tracing.span('transaction', {}, whole)
  } catch (error) {
    throw hasCallers(error) ? error : showCallers(error, inTransaction)
  }
}

async function attemptOnce<T>(root: Database, run: (tx: Tx) => T | Promise<T>): Promise<T> {
  const session = await root.openSession(root.source.connections)
  const { result, wakes } = await transact(root, session, {}, async (tx) => ({
    result: await run(tx),
    // Filled while it commits: a copy made here would lose most of them.
    wakes: tx.wakes,
  }))
  if (wakes.length > 0) root.onCommit(wakes)
  return result
}

/** Of a transaction the database that it is on. */
export function findRoot(db: Db): Db {
  return db instanceof Tx ? db.root : db
}

/** Undefined where the database was not given one. */
export function findSealer(db: Db | ReadDb): Sealer | undefined {
  const root = findRoot(db)
  return root instanceof Database ? root.sealer : undefined
}

function findTracing(db: Db): Tracing | undefined {
  const root = findRoot(db)
  return root instanceof Database ? root.tracing : undefined
}

export async function withSpan<T>(
  db: Db,
  name: string,
  options: SpanOptions,
  run: () => Promise<T>,
): Promise<T> {
  const tracing = findTracing(db)
  return tracing ? await tracing.span(name, options, run) : await run()
}

/** For storing with what follows; null outside a span. */
export function currentTrace(db: Db): string | null {
  return findTracing(db)?.current() ?? null
}

/** One statement is a transaction and one round trip; repeated as `inTransaction` is. */
export async function inStatement<T>(db: Db, run: (db: Db) => Promise<T>): Promise<T> {
  return await repeatedWithPartitions(toDatabase(db), () => run(db))
}

/** A row without a partition makes it and is written again, once. */
async function repeatedWithPartitions<T>(root: Database, run: () => Promise<T>): Promise<T> {
  try {
    return await repeated(run)
  } catch (error) {
    if (!isPartitionMissing(error) || !(await root.makePartitions())) throw error
    return await repeated(run)
  }
}

/** False undoes the part and releases the locks it took. Returns what `run` returned. Fails with what it has
 * sent, also where it is undone. */
export async function runInSavepoint(tx: Tx, run: () => Promise<boolean>): Promise<boolean> {
  await sql`SAVEPOINT part`.execute(tx)
  const collected = tx.collected.length
  const isKept = await run()
  await tx.settle()
  if (!isKept) tx.collected.length = collected
  if (isKept) await sql`RELEASE SAVEPOINT part`.execute(tx)
  else await sql`ROLLBACK TO SAVEPOINT part`.execute(tx)
  return isKept
}

export function wakeAfterCommit(tx: Tx, wake: Wake): void {
  tx.wakes.push(wake)
}

/** At once when the statement was its own transaction. */
export function wakeAfterStatement(db: Db, wake: Wake): void {
  if (db instanceof Tx) wakeAfterCommit(db, wake)
  else toDatabase(db).onCommit([wake])
}

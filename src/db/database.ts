import {
  Kysely,
  type KyselyConfig,
  PostgresDialect,
  type PostgresPool,
  sql,
  type Transaction,
} from 'kysely'
import type pg from 'pg'
import type { SpanOptions, Tracing } from '../core/tracing.ts'
import { followUp } from './after-commit.ts'
import { endPreparations, prepareCommit, skipPreparations } from './before-commit.ts'
import { aheadIn, createPool, type PoolOptions, SESSION_LIMITS_MS } from './connection-pool.ts'
import type { ConnectionSlots } from './connection-slots.ts'
import { type Source, transact } from './own-transaction.ts'
import { repeated } from './repeated.ts'
import type { Tables } from './schema/tables.ts'
import { TransactionNotes } from './transaction-notes.ts'
import { EARLY_COMMIT_MS, type LateWake, type Wake, wakesNeeded } from './wakes.ts'

export type { Wake } from './wakes.ts'

/** A `Db` is not a `Tx`: passing one for the other does not compile. */
export type Db = Kysely<Tables>

export type Tx = Transaction<Tables>

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

export type DatabaseOptions = PoolOptions & {
  /** Must not throw. A lost wake loses no work. */
  onCommit?: (wakes: readonly Wake[]) => void
  tracing?: Tracing | undefined
  slots?: ConnectionSlots
}

const listeners = new WeakMap<Db, (wakes: readonly Wake[]) => void>()
const tracings = new WeakMap<Db, Tracing>()
const pools = new WeakMap<Db, pg.Pool>()
const sources = new WeakMap<Db, Source>()
const begunOf = new TransactionNotes<{ root: Db; late: LateWake[] }>()

/** Kysely ends the pool only where it has used it itself. */
class PooledDatabase extends Kysely<Tables> {
  readonly #pool: pg.Pool

  constructor(config: KyselyConfig, pool: pg.Pool) {
    super(config)
    this.#pool = pool
  }

  override async destroy(): Promise<void> {
    await super.destroy()
    if (!this.#pool.ending) await this.#pool.end()
  }
}

export function createDatabase(options: DatabaseOptions): Db {
  const pool = createPool(options)
  const shared = options.slots?.guard(pool) ?? pool
  const dialect = new PostgresDialect({ pool: shared })
  const db = new PooledDatabase({ dialect }, pool)
  pools.set(db, pool)
  sources.set(db, { db, dialect, pool: shared, ahead: aheadIn(pool) })
  if (options.tracing) tracings.set(db, options.tracing)
  if (options.onCommit) listeners.set(db, options.onCommit)
  return db
}

export function readPool(db: Db): { total: number; idle: number; waiting: number } {
  const pool = pools.get(db)
  return {
    total: pool?.totalCount ?? 0,
    idle: pool?.idleCount ?? 0,
    waiting: pool?.waitingCount ?? 0,
  }
}

/** A pooler has them only when the role does. Without them one lock could hold up everything. */
export async function hasTimeouts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM pg_settings
    WHERE name IN (${sql.join(Object.keys(SESSION_LIMITS_MS))}) AND setting = '0'`.execute(db)
  return rows.length === 0
}

/** Writes nothing. Closes connections that lead to a server which no longer takes writes. */
export async function takesWrites(db: Db): Promise<boolean> {
  const pool = pools.get(db)
  if (!pool) return false
  // Each connection that is open may be an old one; one more is new.
  for (let left = pool.totalCount + 1; left > 0; left -= 1) {
    const client = await pool.connect()
    let isWritable = false
    try {
      const { rows } = await client.query('SHOW transaction_read_only')
      isWritable = rows[0]?.transaction_read_only === 'off'
    } finally {
      client.release(!isWritable)
    }
    if (isWritable) return true
  }
  return false
}

/** READ COMMITTED. Repeats `run`, so it must have no effect outside the transaction. */
export async function inTransaction<T>(db: ChangeableDb, run: (tx: Tx) => Promise<T>): Promise<T> {
  return await runTransaction(db, 'pool', run)
}

/** The same, on the next connection that is free, whoever waits for one. For what must end before others can:
 * few at once, and none that waits for a lock. */
export async function inTransactionAhead<T>(
  db: ChangeableDb,
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await runTransaction(db, 'ahead', run)
}

async function runTransaction<T>(
  db: Db,
  from: 'pool' | 'ahead',
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  const tracing = tracings.get(db)
  const whole = () => repeated(() => attemptOnce(db, from, run))
  if (tracing?.current() === undefined) return await whole()
  return await tracing.span('transaction', {}, whole)
}

async function attemptOnce<T>(
  db: Db,
  from: 'pool' | 'ahead',
  run: (tx: Tx) => Promise<T>,
  isAgain = false,
): Promise<T> {
  const source = sources.get(db)
  if (!source) throw new Error('a transaction begins on what createDatabase has made')
  const late: LateWake[] = []
  let begun: Tx | undefined
  let result: T
  try {
    result = await transact(source, from, async (tx) => {
      begun = tx
      begunOf.set(tx, { root: db, late })
      if (isAgain) skipPreparations(tx)
      const made = await run(tx)
      await prepareCommit(tx)
      return made
    })
  } catch (error) {
    if (begun && endPreparations(begun, error)) return await attemptOnce(db, from, run, true)
    throw error
  }
  if (begun) endPreparations(begun)
  const wakes = wakesNeeded(late, performance.now())
  if (wakes.length > 0) listeners.get(db)?.(wakes)
  if (begun) await followUp(db, begun)
  return result
}

/** Where a statement that is its own transaction gets its connection; undefined within one. */
export function findConnections(db: Db): PostgresPool | undefined {
  return sources.get(db)?.pool
}

/** For a connection beside those that the pool has. */
export function findAddress(db: Db): string | undefined {
  return pools.get(db)?.options.connectionString
}

/** Of a transaction the database that it is on. */
export function findRoot(db: Db): Db {
  return begunOf.get(db)?.root ?? db
}

export async function withSpan<T>(
  db: Db,
  name: string,
  options: SpanOptions,
  run: () => Promise<T>,
): Promise<T> {
  const tracing = tracings.get(findRoot(db))
  return tracing ? await tracing.span(name, options, run) : await run()
}

/** For storing with what follows; null outside a span. */
export function currentTrace(db: Db): string | null {
  return tracings.get(findRoot(db))?.current() ?? null
}

/** One statement is a transaction and one round trip; repeated as `inTransaction` is. */
export async function inStatement<T>(db: Db, run: (db: Db) => Promise<T>): Promise<T> {
  return await repeated(() => run(db))
}

/** False undoes the part and releases the locks it took. Returns what `run` returned. */
export async function runInSavepoint(tx: Tx, run: () => Promise<boolean>): Promise<boolean> {
  await sql`SAVEPOINT part`.execute(tx)
  const isKept = await run()
  if (isKept) await sql`RELEASE SAVEPOINT part`.execute(tx)
  else await sql`ROLLBACK TO SAVEPOINT part`.execute(tx)
  return isKept
}

export function wakeAfterCommit(tx: Tx, wake: Wake): void {
  begunOf.get(tx)?.late.push({ wake })
}

/** To be called just before COMMIT: sends early wakes at once, and others only after a commit that took
 * long. See EARLY_WAKE_HOLDS_MS. */
export function wakeBeforeCommit(
  tx: Tx,
  { tenantId, eventId }: { tenantId: string; eventId: string },
  webhookIds: readonly string[],
): void {
  const toWakes = (isEarly: boolean): Wake[] =>
    webhookIds.map((webhookId) => ({
      ...{ kind: 'deliveries', tenantId, webhookId },
      event: { eventId, isEarly },
    }))
  if (webhookIds.length === 0) return
  const neededFrom = performance.now() + EARLY_COMMIT_MS
  begunOf.get(tx)?.late.push(...toWakes(false).map((wake) => ({ wake, neededFrom })))
  listeners.get(findRoot(tx))?.(toWakes(true))
}

/** At once when the statement was its own transaction. */
export function wakeAfterStatement(db: Db, wake: Wake): void {
  const begun = begunOf.get(db)
  if (begun) begun.late.push({ wake })
  else listeners.get(db)?.([wake])
}

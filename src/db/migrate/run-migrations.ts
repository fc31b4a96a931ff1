import { setTimeout } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../database.ts'
import { isLockTimeout, sqlState } from '../errors.ts'

export type Migration = {
  up(db: Kysely<unknown>): Promise<void>
  /** Outside a transaction. It may end half done, and is run again from the start. */
  isConcurrent?: true
  /** The oldest build that works after this migration, named by the newest migration it has. Without
   * it, only builds that have this one. */
  oldestBuild?: string
}

export type MigrationState = {
  kind: 'behind' | 'at_head' | 'ahead' | 'too_new'
  /** Migrations of the database that this build does not have; of `too_new` those that rule it out. */
  newer: readonly string[]
}

export type MigrationOptions = {
  /** Other statements on the table queue behind this wait. */
  lockMs?: number
  /** Doubles at each attempt, up to 10 s. */
  pauseMs?: number
  attempts?: number
  onWait?: (name: string, attempt: number) => void
}

const LONGEST_PAUSE_MS = 10_000

const DEADLOCK = '40P01'

const RUN_LOCK = sql`hashtextextended('run_migrations', 0)`

/** Returns their names. A migration that waits for a lock is rolled back and retried. Throws where this
 * build cannot work on what a newer one has migrated. */
export async function runMigrations(
  db: Db,
  migrations: Readonly<Record<string, Migration>>,
  options: MigrationOptions = {},
): Promise<string[]> {
  await retryForLocks('the list of migrations', () => ensureList(db), options)
  const state = await readMigrationState(db, migrations)
  if (state.kind === 'too_new') throw new Error(describeTooNew(state))
  const known = await selectApplied(db)
  const applied: string[] = []
  for (const [name, migration] of Object.entries(migrations)) {
    if (known.has(name)) continue
    const apply = migration.isConcurrent ? applyConcurrently : applyInTransaction
    const run = () => apply(db, { name, migration, lockMs: options.lockMs ?? 1_000 })
    const wasApplied = await retryForLocks(name, run, options).catch((error: unknown) => {
      throw new Error(`migration ${name} failed: ${messageOf(error)}`, { cause: error })
    })
    if (wasApplied) applied.push(name)
  }
  await updateOldestBuilds(db, migrations)
  return applied
}

/** Reads only. A list without marks, of a release that made none, is read too. */
export async function readMigrationState(
  db: Db,
  migrations: Readonly<Record<string, Migration>>,
): Promise<MigrationState> {
  if (!(await hasList(db))) return { kind: 'behind', newer: [] }
  const { rows } = await sql<{ name: string; oldest_build: string | null }>`
    SELECT name, to_jsonb(m) ->> 'oldest_build' AS oldest_build
    FROM kysely_migration m ORDER BY name`.execute(db)
  const isOurs = (name: string | null) => name !== null && Object.hasOwn(migrations, name)
  const newer = rows.filter(({ name }) => !isOurs(name))
  const applied = new Set(rows.map(({ name }) => name))
  const isBehind = Object.keys(migrations).some((name) => !applied.has(name))
  // Migrations of another branch, on which ours were never tried.
  const ruling = isBehind ? newer : newer.filter((row) => !isOurs(row.oldest_build))
  if (ruling.length > 0) return { kind: 'too_new', newer: ruling.map(({ name }) => name) }
  if (isBehind) return { kind: 'behind', newer: [] }
  return { kind: newer.length > 0 ? 'ahead' : 'at_head', newer: newer.map(({ name }) => name) }
}

export function describeTooNew({ newer: [first, ...others] }: MigrationState): string {
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return `the database has migration ${first}${more}, which this build does not know and cannot work with: start a newer build`
}

export async function retryForLocks<T>(
  name: string,
  run: () => Promise<T>,
  options: MigrationOptions = {},
): Promise<T> {
  const { attempts = 60, pauseMs = 500 } = options
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      const isPassing = isLockTimeout(error) || sqlState(error) === DEADLOCK
      if (attempt >= attempts || !isPassing) throw error
      options.onWait?.(name, attempt)
      await setTimeout(Math.min(pauseMs * 2 ** (attempt - 1), LONGEST_PAUSE_MS))
    }
  }
}

type Step = { name: string; migration: Migration; lockMs: number }

async function applyInTransaction(db: Db, { name, migration, lockMs }: Step): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    tx.limitStatements(0)
    await sql`SELECT set_config('lock_timeout', ${String(lockMs)}, true),
      set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx)
    await takeRunLock(tx, sql`pg_try_advisory_xact_lock`)
    if ((await selectApplied(tx)).has(name)) return false
    await migration.up(asUntyped(tx))
    await insertApplied(tx, name, migration)
    return true
  })
}

async function applyConcurrently(db: Db, { name, migration }: Step): Promise<boolean> {
  return await db.connection().execute(async (session) => {
    // No limits: a build that is cut off leaves an invalid index, and makes no statement queue.
    const before = await setLimits(session, { lock: '0', statement: '0' })
    try {
      await takeRunLock(session, sql`pg_try_advisory_lock`)
      if ((await selectApplied(session)).has(name)) return false
      await migration.up(asUntyped(session))
      await insertApplied(session, name, migration)
      return true
    } finally {
      await sql`SELECT pg_advisory_unlock_all()`.execute(session)
      await setLimits(session, before)
    }
  })
}

type Limits = { lock: string; statement: string }

async function setLimits(session: Db, { lock, statement }: Limits): Promise<Limits> {
  const { rows } = await sql<Limits>`SELECT current_setting('lock_timeout') AS lock,
    current_setting('statement_timeout') AS statement`.execute(session)
  await sql`SELECT set_config('lock_timeout', ${lock}, false),
    set_config('statement_timeout', ${statement}, false)`.execute(session)
  return rows[0] ?? { lock, statement }
}

/** Tried, not awaited: a waiting session holds a snapshot, for which an index build waits. */
async function takeRunLock(db: Db, tryLock: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ is_taken: boolean }>`
    SELECT ${tryLock}(${RUN_LOCK}) AS is_taken`.execute(db)
  if (rows[0]?.is_taken !== true) throw new RunLockTaken()
}

class RunLockTaken extends Error {
  override readonly name = 'RunLockTaken'
  readonly code = '55P03'

  constructor() {
    super('another run of the migrations is at work')
  }
}

/** Kysely's names, which earlier releases used; `oldest_build` is ours. */
async function ensureList(db: Db): Promise<void> {
  const { rows } = await sql`
    SELECT FROM pg_attribute WHERE attrelid = to_regclass('kysely_migration')
      AND attname = 'oldest_build'`.execute(db)
  if (rows.length > 0) return
  await inTransaction(db, async (tx) => {
    await takeRunLock(tx, sql`pg_try_advisory_xact_lock`)
    await sql`CREATE TABLE IF NOT EXISTS kysely_migration (
      name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL)`.execute(tx)
    await sql`ALTER TABLE kysely_migration
      ADD COLUMN IF NOT EXISTS oldest_build varchar(255)`.execute(tx)
  })
}

async function hasList(db: Db): Promise<boolean> {
  const { rows } = await sql<{ list: string | null }>`
    SELECT to_regclass('kysely_migration')::text AS list`.execute(db)
  return rows[0]?.list !== null
}

async function selectApplied(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  return new Set(rows.map((row) => row.name))
}

async function insertApplied(db: Db, name: string, { oldestBuild }: Migration): Promise<void> {
  await sql`INSERT INTO kysely_migration (name, timestamp, oldest_build)
    VALUES (${name}, ${new Date().toISOString()}, ${oldestBuild ?? null})`.execute(db)
}

/** A later build may correct the mark of a migration that has run. */
async function updateOldestBuilds(
  db: Db,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const marks = Object.entries(migrations).flatMap(([name, { oldestBuild }]) =>
    oldestBuild === undefined ? [] : [{ name, oldest_build: oldestBuild }],
  )
  await sql`UPDATE kysely_migration m SET oldest_build = mark.oldest_build
    FROM jsonb_to_recordset(${JSON.stringify(marks)}) AS mark (name text, oldest_build text)
    WHERE m.name = mark.name AND m.oldest_build IS DISTINCT FROM mark.oldest_build`.execute(db)
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const asUntyped = (db: Db) => db as unknown as Kysely<unknown>

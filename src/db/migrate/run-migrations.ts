import { setTimeout } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Sealer } from '../../core/sealing.ts'
import { type Db, inTransaction } from '../database.ts'
import { isLockTimeout, sqlState } from '../errors.ts'

export type Migration = {
  /** `sealer`: of ENCRYPTION_KEYS; undefined where the run has none. */
  up(db: Kysely<unknown>, given: { sealer: Sealer | undefined }): Promise<void>
  /** Outside a transaction. It may end half done, and is run again from the start. */
  isConcurrent?: true
  /** The oldest build that works after this migration, named by the newest migration it has. Without
   * it, only builds that have this one. */
  oldestBuild?: string
  /** The newest migration of the first release: a database with others up to it is older, and is refused. */
  isFirstRelease?: true
}

type Migrations = Readonly<Record<string, Migration>>

export type MigrationState = {
  kind: 'behind' | 'at_head' | 'ahead' | 'too_new' | 'too_old'
  /** Migrations of the database that this build does not have; of `too_new` and `too_old` those that rule it
   * out. */
  unknown: readonly string[]
}

export type MigrationOptions = {
  /** Other statements on the table queue behind this wait. */
  lockMs?: number
  /** Doubles at each attempt, up to 10 s. */
  pauseMs?: number
  attempts?: number
  onWait?: (name: string, attempt: number) => void
}

/** `sealer` is for what migrations seal. */
export type RunOptions = MigrationOptions & { sealer?: Sealer | undefined }

const LONGEST_PAUSE_MS = 10_000

const DEADLOCK = '40P01'

const RUN_LOCK = sql`hashtextextended('run_migrations', 0)`

/** Returns their names. A migration that waits for a lock is rolled back and retried. Throws where this
 * build cannot work on what a newer one has migrated. */
export async function runMigrations(
  db: Db,
  migrations: Migrations,
  options: RunOptions = {},
): Promise<string[]> {
  assertWorksOn(await readMigrationState(db, migrations), migrations)
  await retryForLocks('the list of migrations', () => ensureList(db), options)
  const known = await selectApplied(db)
  const applied: string[] = []
  for (const [name, migration] of Object.entries(migrations)) {
    if (known.has(name)) continue
    const apply = migration.isConcurrent ? applyConcurrently : applyInTransaction
    const { lockMs = 1_000, sealer } = options
    const run = () => apply(db, { name, migration, lockMs, sealer })
    const wasApplied = await retryForLocks(name, run, options).catch((error: unknown) => {
      throw new Error(`migration ${name} failed: ${messageOf(error)}`, { cause: error })
    })
    if (wasApplied) applied.push(name)
  }
  await updateOldestBuilds(db, migrations)
  return applied
}

/** Reads only. A list without marks, of a release that made none, is read too. */
export async function readMigrationState(db: Db, migrations: Migrations): Promise<MigrationState> {
  if (!(await hasList(db))) return { kind: 'behind', unknown: [] }
  const { rows } = await sql<{ name: string; oldest_build: string | null }>`
    SELECT name, to_jsonb(m) ->> 'oldest_build' AS oldest_build
    FROM kysely_migration m ORDER BY name`.execute(db)
  const isOurs = (name: string | null) => name !== null && Object.hasOwn(migrations, name)
  const unknown = rows.filter(({ name }) => !isOurs(name))
  const older = unknown.filter(({ name }) => name <= firstRelease(migrations))
  if (older.length > 0) return { kind: 'too_old', unknown: older.map(({ name }) => name) }
  const applied = new Set(rows.map(({ name }) => name))
  const isBehind = Object.keys(migrations).some((name) => !applied.has(name))
  // Migrations of another branch, on which ours were never tried.
  const ruling = isBehind ? unknown : unknown.filter((row) => !isOurs(row.oldest_build))
  if (ruling.length > 0) return { kind: 'too_new', unknown: ruling.map(({ name }) => name) }
  if (isBehind) return { kind: 'behind', unknown: [] }
  return {
    kind: unknown.length > 0 ? 'ahead' : 'at_head',
    unknown: unknown.map(({ name }) => name),
  }
}

/** Throws for a database that this build can neither use nor migrate. */
export function assertWorksOn({ kind, unknown }: MigrationState, migrations: Migrations): void {
  if (kind !== 'too_new' && kind !== 'too_old') return
  const [first, ...others] = unknown
  const found = `${first}${others.length > 0 ? ` (and ${others.length} more)` : ''}`
  throw new Error(
    kind === 'too_new'
      ? `the database has migration ${found}, which this build does not know and cannot work with: start a newer build`
      : `the database has migration ${found}: it was made by a release before ${firstRelease(migrations)}, which this build cannot upgrade`,
  )
}

/** Sorts before every name where there is none. */
const firstRelease = (migrations: Migrations): string =>
  Object.keys(migrations).find((name) => migrations[name]?.isFirstRelease) ?? ''

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

type Step = { name: string; migration: Migration; lockMs: number; sealer: Sealer | undefined }

async function applyInTransaction(
  db: Db,
  { name, migration, lockMs, sealer }: Step,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    tx.limitStatements(0)
    await sql`SELECT set_config('lock_timeout', ${String(lockMs)}, true),
      set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx)
    await takeRunLock(tx, sql`pg_try_advisory_xact_lock`)
    if ((await selectApplied(tx)).has(name)) return false
    await migration.up(asUntyped(tx), { sealer })
    await insertApplied(tx, name, migration)
    return true
  })
}

async function applyConcurrently(db: Db, { name, migration, sealer }: Step): Promise<boolean> {
  return await db.connection().execute(async (session) => {
    // No limits: a build that is cut off leaves an invalid index, and makes no statement queue.
    const before = await setLimits(session, { lock: '0', statement: '0' })
    try {
      await takeRunLock(session, sql`pg_try_advisory_lock`)
      if ((await selectApplied(session)).has(name)) return false
      await migration.up(asUntyped(session), { sealer })
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
async function updateOldestBuilds(db: Db, migrations: Migrations): Promise<void> {
  const marks = Object.entries(migrations).flatMap(([name, { oldestBuild }]) =>
    oldestBuild === undefined ? [] : [{ name, oldest_build: oldestBuild }],
  )
  await sql`UPDATE kysely_migration m SET oldest_build = mark.oldest_build
    FROM jsonb_to_recordset(${JSON.stringify(marks)}) AS mark (name text, oldest_build text)
    WHERE m.name = mark.name AND m.oldest_build IS DISTINCT FROM mark.oldest_build`.execute(db)
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const asUntyped = (db: Db) => db as unknown as Kysely<unknown>

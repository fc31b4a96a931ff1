import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../src/db/database.ts'
import { choosePortfolioSource } from '../../../src/domain/facilities/custody/change-source.ts'
import { nextReadingAt } from '../../../src/domain/facilities/custody/reading-period.ts'
import { READ_POSITIONS } from '../../../src/domain/facilities/topics.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'
import { rankOf } from '../../../src/domain/work/topics.ts'
import { LIVE } from '../../support/process/config.ts'
import { removeTenants } from '../../support/stores/remove-tenants.ts'
import { all, p99AtMost, perSecondAtLeast } from '../aims.ts'
import type { CustodianAnswer, CustodianQuestion } from '../companions/custodian.ts'
import { readCpuSeconds } from '../companions/process-cost.ts'
import {
  type Companion,
  type Service,
  startCompanion,
  startService,
} from '../companions/processes.ts'
import { addFacilities } from '../data/facilities-data.ts'
import { openCleanup } from '../open-cleanup.ts'
import { percentile, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'

const PRICES = { BTC: '100000', ETH: '4000', USDC: '1' }
/** A little less than what was pushed; counted at 140,110 USD of the prices above. */
const QUANTITIES = { BTC: '1', ETH: '9', USDC: '9000' }
const VALUE_CENTS = 14_011_000n

const SAMPLE_MS = 2_000
const LATEST_MS = 10_000
const NEAR_SECONDS = 60
const PERIODS = { custodianReadSeconds: NEAR_SECONDS, custodianCalmReadSeconds: 600 }

export type ReadingsSizes = { facilities: number; tenants: number; seconds: number }

/** The LTV of each of a hundred facilities, and whether their readings have just been asked for. */
type Spread = { name: string; isNew: boolean; ltvsPpm(of: number): bigint }

/** All near their floors: each is read every 60 s. */
const WORST: Spread = {
  name: 'all at LTV 0.62',
  isNew: true,
  ltvsPpm: () => 620_000n,
}

/**
 * Of a hundred 10 undrawn, 50 from 0.10 to 0.40, 30 to 0.50, where draws end, and what has since
 * fallen: 8 to 0.60 and 2 above it.
 */
const USUAL: Spread = {
  name: 'LTVs as usual',
  isNew: false,
  ltvsPpm(of) {
    const at = of % 100
    if (at < 10) return 0n
    if (at < 60) return 100_000n + 6_000n * BigInt(at - 10)
    if (at < 90) return 400_000n + 3_333n * BigInt(at - 60)
    if (at < 98) return 500_000n + 12_500n * BigInt(at - 90)
    return 620_000n
  },
}

/**
 * One worker that reads all facilities of many tenants from a custodian that answers in 50 ms, over
 * HTTP and with prices that come in rounds: all near their floors, their works as a change of source
 * has just stored them; then LTVs as usual, due as they are during that.
 */
export async function measureReadings(
  db: Db,
  stores: Stores,
  sizes: ReadingsSizes,
): Promise<Row[]> {
  await using cleanup = openCleanup()
  await removeTenants(db, 'price_rounds')
  const custodian = startCompanion<CustodianQuestion, CustodianAnswer>(
    new URL('../companions/custodian.ts', import.meta.url),
    cleanup,
  )
  const { port } = await custodian.ask({ ask: 'listen', prices: PRICES, quantities: QUANTITIES })
  await seed(db, sizes)
  await sql`UPDATE stack SET name = 'live'`.execute(db)
  cleanup.defer(async () => {
    await sql`UPDATE stack SET name = 'sandbox'`.execute(db)
  })
  const bench = { db, stores, custodian, environment: liveEnvironment(port), sizes }
  return [...(await measureSpread(bench, WORST)), ...(await measureSpread(bench, USUAL))]
}

type Bench = {
  db: Db
  stores: Stores
  custodian: Companion<CustodianQuestion, CustodianAnswer>
  environment: Record<string, string>
  sizes: ReadingsSizes
}

function liveEnvironment(port: number): Record<string, string> {
  const url = `http://127.0.0.1:${port}`
  const secret = (kind: string) => `${kind}-of-the-bench`.padEnd(40, '.')
  return {
    ...LIVE,
    // A live stack refuses the key of the bench, and has nothing sealed by it to open.
    ENCRYPTION_KEYS: `readings:${randomBytes(32).toString('base64')}`,
    CUSTODIAN_PROVIDER: 'http',
    CUSTODIAN_URL: `${url}/custodian`,
    CUSTODIAN_TOKEN: secret('token'),
    CUSTODIAN_SIGNING_SECRET: secret('signing'),
    CUSTODIAN_CALLBACK_SECRETS: secret('callback'),
    EXCHANGE_COINBASE_URL: `${url}/coinbase`,
    EXCHANGE_KRAKEN_URL: `${url}/kraken`,
    EXCHANGE_BITSTAMP_URL: `${url}/bitstamp`,
    PROVIDER_HTTP_HOSTS: '127.0.0.1',
    AUDIT_MINUTES: '0',
  }
}

/** Facilities of all tenants, with the custodian as source, read once with what it will answer. */
async function seed(db: Db, { facilities, tenants }: ReadingsSizes): Promise<void> {
  const now = new Date()
  for (let made = 0; made < tenants; made += 1) {
    const tenantId = await inTransaction(db, async (tx) => {
      const { id } = await createTenant(tx, 'Bench', now)
      await choosePortfolioSource(tx, id, 'custodian', { now, realNow: now })
      return id
    })
    await addFacilities(db, tenantId, Math.floor(facilities / tenants))
  }
  await inTransaction(db, async (tx) => {
    await sql`SET LOCAL statement_timeout = 0`.execute(tx)
    await sql`UPDATE facilities SET custody_account = 'account-' || facility_id`.execute(tx)
    await sql`
      INSERT INTO custodian_positions (tenant_id, borrower_id, positions, read_at)
      SELECT tenant_id, borrower_id,
             '{"BTC": "100000000", "ETH": "9000000000000000000", "USDC": "9000000000"}', ${now}
      FROM facilities`.execute(tx)
  })
}

async function measureSpread(bench: Bench, spread: Spread): Promise<Row[]> {
  const { db, stores, custodian, environment, sizes } = bench
  const perSecond = await inTransaction(db, async (tx) => {
    await sql`SET LOCAL statement_timeout = 0`.execute(tx)
    await setDebts(tx, spread)
    return await storeWorks(tx, spread)
  })
  await sql`VACUUM (ANALYZE) facilities, borrowers, portfolios, custodian_positions, work`.execute(
    db,
  )
  await using cleanup = openCleanup()
  const worker = await startService('worker', stores, cleanup, environment)
  await untilAllRead(db)
  await pause(NEAR_SECONDS * 1_000)

  const before = await readCosts(bench, worker)
  const startedAt = performance.now()
  const waits: number[] = []
  while (performance.now() - startedAt < sizes.seconds * 1_000) {
    waits.push(await measureOldest(db))
    await pause(SAMPLE_MS)
  }
  const after = await readCosts(bench, worker)
  const minutes = (performance.now() - startedAt) / 60_000
  const { calls, accounts, others } = await custodian.ask({ ask: 'counts' })
  const read = accounts - before.accounts
  const lateMs = Math.round(Math.max(...waits))
  console.log(
    `${spread.name}: ${Math.round(read / minutes / 60)}/s, ${lateMs} ms late at most, worker ` +
      `${((after.worker - before.worker) / minutes).toFixed(1)} s/min, PostgreSQL ` +
      `${((after.postgres - before.postgres) / minutes).toFixed(1)} s/min, ${Math.round(read / (calls - before.calls))} accounts a call, ` +
      `${others - before.others} other calls, worker ${Math.round(after.residentMiB)} MiB, ` +
      `readings stored in place ${(await readHotShare(db)).toFixed(2)}`,
  )
  const name = `(n) ${sizes.facilities.toLocaleString('en')} facilities of ${sizes.tenants} tenants, ${spread.name}`
  const cost = (of: string, seconds: number): Row => {
    return { name: `${name}: CPU of ${of}`, unit: 's/min', ours: seconds / minutes }
  }
  return [
    {
      name: `${name}: readings, and how late the latest is`,
      unit: 'readings/s',
      ours: read / minutes / 60,
      bare: perSecond,
      ratio: read / minutes / 60 / perSecond,
      p50Ms: { ours: percentile(waits, 0.5) },
      p99Ms: { ours: percentile(waits, 0.99) },
      aim: all(perSecondAtLeast(Math.floor(perSecond * 0.9)), p99AtMost(LATEST_MS)),
    },
    cost('the worker', after.worker - before.worker),
    cost('PostgreSQL', after.postgres - before.postgres),
  ]
}

async function setDebts(tx: Tx, { ltvsPpm }: Spread): Promise<void> {
  const debts = Array.from({ length: 100 }, (_, at) => (VALUE_CENTS * ltvsPpm(at)) / 1_000_000n)
  await sql`
    UPDATE facilities f SET principal_cents = d.cents, interest_numerator = 0, accrued_at = now()
    FROM (SELECT facility_id, row_number() OVER (ORDER BY facility_id) % 100 AS share
          FROM facilities) n
    JOIN unnest(${debts}::bigint[]) WITH ORDINALITY AS d (cents, share) ON d.share - 1 = n.share
    WHERE f.facility_id = n.facility_id`.execute(tx)
}

/**
 * A work a facility: at once, or in a minute of its period, at its tenant's instant. Gives how many
 * readings a second the periods ask for.
 */
async function storeWorks(tx: Tx, spread: Spread): Promise<number> {
  await sql`TRUNCATE work`.execute(tx)
  const periodMinutes = (of: number) => {
    const ltvPpm = Number(spread.ltvsPpm(of))
    return Math.floor(Math.min(10, Math.max(1, 1 + (9 * (600_000 - ltvPpm)) / 200_000)))
  }
  const minutes = Array.from({ length: 100 }, (_, at) => periodMinutes(at))
  const now = new Date()
  const tenants = await tx.selectFrom('tenants').select('tenant_id').execute()
  const ids = tenants.map((row) => row.tenant_id)
  const nextOf = (id: string) => nextReadingAt(id, now, NEAR_SECONDS * 1_000, PERIODS)
  const first = ids.map((id) => (spread.isNew ? now : nextOf(id)))
  const { rows } = await sql<{ perSecond: number }>`
    WITH stored AS (
      INSERT INTO work (tenant_id, clock, topic, priority, subject_id, due_at)
      SELECT f.tenant_id, 'real', ${READ_POSITIONS}, ${rankOf(READ_POSITIONS)}, f.facility_id,
             t.first + floor(random() * p.minutes) * interval '1 minute'
      FROM (SELECT *, row_number() OVER (ORDER BY facility_id) % 100 AS share FROM facilities) f
      JOIN unnest(${minutes}::int[]) WITH ORDINALITY AS p (minutes, share) ON p.share - 1 = f.share
      JOIN unnest(${ids}::text[], ${first}::timestamptz[]) AS t (tenant_id, first) USING (tenant_id)
      RETURNING 1
    )
    SELECT ((SELECT count(*) FROM stored) / 100.0 * sum(1 / (60.0 * minutes)))::float8
      AS "perSecond" FROM unnest(${minutes}::int[]) AS minutes`.execute(tx)
  return rows[0]?.perSecond ?? Number.NaN
}

/** Until what was due at the start has been read. */
async function untilAllRead(db: Db): Promise<void> {
  const startedAt = new Date()
  for (;;) {
    const { rows } = await sql<{ waits: boolean }>`
      SELECT EXISTS (SELECT FROM work WHERE topic = ${READ_POSITIONS}
                     AND due_at <= ${startedAt}) AS waits`.execute(db)
    if (!rows[0]?.waits) return
    await pause(SAMPLE_MS)
  }
}

/** For how long the reading that is due longest, under way or not, has been so. */
async function measureOldest(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    SELECT greatest(0, extract(epoch FROM clock_timestamp() - min(due_at)) * 1000)::float8 AS ms
    FROM work WHERE topic = ${READ_POSITIONS}`.execute(db)
  return rows[0]?.ms ?? Number.NaN
}

async function readCosts({ stores, custodian }: Bench, { metricsPort }: Service) {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const metric = (name: string) => {
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  }
  const pidFile = join(stores.folder, 'postgres', 'postmaster.pid')
  const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  return {
    ...(await custodian.ask({ ask: 'counts' })),
    worker: metric('process_cpu_seconds_total'),
    residentMiB: metric('process_resident_memory_bytes') / 1_048_576,
    postgres: readCpuSeconds(postmaster),
  }
}

/** The share of updates of readings that touched no index. */
async function readHotShare(db: Db): Promise<number> {
  const { rows } = await sql<{ share: number }>`
    SELECT (n_tup_hot_upd::float8 / greatest(n_tup_upd, 1)) AS share
    FROM pg_stat_user_tables WHERE relname = 'custodian_positions'`.execute(db)
  return rows[0]?.share ?? Number.NaN
}

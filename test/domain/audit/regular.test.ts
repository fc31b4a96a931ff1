import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMs, HOUR_MS } from '../../../src/core/time.ts'
import { inTransaction, type Tx } from '../../../src/db/database.ts'
import { inSnapshot } from '../../../src/db/transactions/snapshot.ts'
import { type AuditOptions, audit, termsOf } from '../../../src/domain/audit/audit.ts'
import type { Read, Scan } from '../../../src/domain/audit/check.ts'
import type { Pace, ScanContext, ScanResult } from '../../../src/domain/audit/pages.ts'
import { runScans } from '../../../src/domain/audit/run-scans.ts'
import { readProgress, recordAudit } from '../../../src/domain/audit/runs.ts'
import { type Keys, selectAll, selectTouched } from '../../../src/domain/audit/subject-queries.ts'
import { EVENTS } from '../../../src/domain/audit/subjects/event-subjects.ts'
import { FACILITIES } from '../../../src/domain/audit/subjects/facility-subjects.ts'
import { addEvents } from '../../support/deliveries/deliveries.ts'
import { openBusyHouse } from '../../support/lending/busy-house.ts'
import type { Lending } from '../../support/lending/lending.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { LONG_SCENARIO_MS } from '../../support/process/patience.ts'
import { createTestDatabase } from '../../support/stores/database.ts'
import { tamper } from './tamper.ts'

let lending: Lending
beforeAll(async () => {
  lending = await openBusyHouse()
})
afterAll(() => lending[Symbol.asyncDispose]())
beforeEach(pass)

/** Lets an hour pass: all that was written, and how far audits came, is marked an hour earlier. */
async function pass(): Promise<void> {
  const { rows } = await sql<{ table: string; mark: string }>`
    SELECT table_name AS table, column_name AS mark FROM information_schema.columns
    JOIN pg_class c ON c.oid = table_name::regclass AND NOT c.relispartition AND c.relkind <> 'v'
    WHERE table_schema = current_schema() AND column_name IN ('changed_at', 'written_at')`.execute(
    lending.db,
  )
  await unmarked([
    ...rows.map(({ table, mark }) => `UPDATE ${table} SET ${mark} = ${mark} - interval '1 hour'`),
    `UPDATE audits SET marked_from = marked_from - interval '1 hour', progress = (
       SELECT coalesce(jsonb_object_agg(key, value::timestamptz - interval '1 hour'), '{}')
       FROM jsonb_each_text(progress))`,
  ])
}

/** Writes without the marks, and the rules, that protect what is written. */
async function unmarked(statements: readonly string[]): Promise<void> {
  await inTransaction(lending.db, (tx) => tamper(lending.db, tx, statements))
}

/** To that of one facility. */
function adding(cents: number): string {
  const ofTenant = `tenant_id = '${lending.tenantId}'`
  return `UPDATE facilities SET principal_cents = principal_cents + ${cents}
    WHERE ${ofTenant} AND facility_id = (
      SELECT facility_id FROM facilities WHERE ${ofTenant} AND state = 'APPROVED'
      ORDER BY facility_id LIMIT 1)`
}

const addToPrincipal = async (cents: number) => {
  await sql.raw(adding(cents)).execute(lending.db)
}

/** One run as a worker makes it. */
async function runRegularly(options: Partial<AuditOptions> = {}) {
  const since = await readProgress(lending.db)
  const findings = await audit(lending.db, { hasSimulation: false, since, ...options })
  await recordAudit(lending.db, findings, new Date())
  return findings
}

const found = (findings: Awaited<ReturnType<typeof audit>>) =>
  findings.flatMap(({ name, violations }) => violations.map(({ subject }) => `${name} ${subject}`))

const counted = (findings: Awaited<ReturnType<typeof audit>>) =>
  Object.fromEntries(
    findings.filter(({ subjects }) => subjects > 0).map(({ name, subjects }) => [name, subjects]),
  )

const runInFull = async () => await audit(lending.db, { hasSimulation: false })

test('a regular run after nothing has happened checks only what is in progress or failing', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  expect(found(await runRegularly())).toEqual([])
  const second = await runRegularly()
  expect(found(second)).toEqual([])
  const names = [
    'nothing-forgotten',
    'escalations-have-their-call',
    'no-signers-in-events-and-errors',
    // One row: the last number and hash.
    'chained-operator-actions',
  ]
  expect(Object.keys(counted(second)).filter((name) => !names.includes(name))).toEqual([])
  expect(counted(second)['nothing-forgotten']).toBeLessThan(5)
  expect(counted(second)['chained-operator-actions']).toBe(1)
})

test('the first regular run makes every check that a full run makes', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  await sql`UPDATE audits SET progress = '{}'`.execute(lending.db)
  const [regular, full] = [await runRegularly(), await runInFull()]
  expect(found(full)).toEqual([])
  expect(Object.keys(counted(regular))).toEqual(Object.keys(counted(full)))
})

test('a violation is reported by each regular run until it is repaired, and is never skipped', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  await runRegularly()
  await addToPrincipal(1)
  await pass()
  for (let run = 0; run < 3; run += 1) {
    expect(found(await runRegularly()).join()).toMatch(/^balances-as-booked fac_/)
    await pass()
  }
  await addToPrincipal(-1)
  expect(found(await runRegularly())).toEqual([])
})

test('a regular run finds a change to a row of any age', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  await runRegularly()
  await addToPrincipal(1)
  const findings = await runRegularly()
  expect(found(findings).join()).toMatch(/^balances-as-booked fac_/)
  // Of the one facility, and of nothing else that lies as far back.
  expect(counted(findings)['balances-as-booked']).toBe(1)
  await addToPrincipal(-1)
})

test('a violation in rows older than the last run is found by a full run', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  await runRegularly()
  await unmarked([adding(1)])
  expect(found(await runRegularly())).toEqual([])
  expect(found(await runInFull()).join()).toMatch(/^balances-as-booked fac_/)
  await unmarked([adding(-1)])
})

/** Of all facilities, of which the house has more than two. */
function scanOf(name: string, find: (keys: Keys, tx: Tx) => Promise<unknown>): Scan {
  return {
    name,
    subjects: FACILITIES,
    async find(tx, keys) {
      await find(keys, tx)
      return []
    },
  }
}

async function runOnce(
  scans: readonly Scan[],
  pace: Pace,
  more: Partial<ScanContext> = {},
): Promise<ScanResult[]> {
  const read: Read = (run) => inSnapshot(lending.db, { seconds: 1 }, run)
  const context = { read, terms: termsOf({ hasSimulation: false }), limit: 10 }
  return [...(await runScans(scans, { ...context, pace, ...more })).values()]
}

async function countFacilities(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM facilities`.execute(lending.db)
  return rows[0]?.count ?? 0
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('a page that takes too long is checked in halves, down to what can be read in time', async () => {
  const sizes: number[] = []
  const scan = scanOf('slow', async (keys, tx) => {
    if (keys.length > 2) await sql`SELECT pg_sleep(20)`.execute(tx)
    sizes.push(keys.length)
  })
  const [result] = await runOnce([scan], { firstPage: 50, pageMs: 1_000 })
  const facilities = await countFacilities()
  expect(facilities).toBeGreaterThan(2)
  expect(result).toMatchObject({ timedOut: false, subjects: facilities })
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(facilities)
})

test('pages become as large as can be checked in the time that one is to take', async () => {
  const sizesOf = async (pauseMs: number, pace: Pace) => {
    const sizes: number[] = []
    const scan = scanOf('timed', async (keys) => {
      sizes.push(keys.length)
      await pause(pauseMs)
    })
    await runOnce([scan], pace)
    return sizes.slice(0, 2)
  }
  expect(await sizesOf(0, { firstPage: 1, pageMs: 10_000 })).toEqual([1, 2])
  expect(await sizesOf(150, { firstPage: 1, pageMs: 200 })).toEqual([1, 1])
  expect(await sizesOf(150, { firstPage: 2, pageMs: 10 })).toEqual([2, 1])
})

test('the next page is read only after the rest of the one before has ended', async () => {
  const course: string[] = []
  const rest = async (readMs: number) => {
    await new Promise((resolve) => setImmediate(resolve))
    course.push(readMs > 0 ? 'rest' : 'no time')
  }
  const scan = scanOf('paced', async () => course.push('page'))
  const [result] = await runOnce([scan], { firstPage: 1, pageMs: 1_000, rest })
  expect(result?.subjects).toBeGreaterThan(2)
  const pages = course.length / 2
  expect(pages).toBeGreaterThan(1)
  expect(course).toEqual(Array.from({ length: pages }, () => ['page', 'rest']).flat())
})

test('scans of the same subjects read their list once, and each checks all of it', async () => {
  const checked: string[] = []
  const scans = ['one', 'other'].map((name) =>
    scanOf(name, async (keys) => checked.push(...keys.map((key) => `${name} ${key.join()}`))),
  )
  const lists: string[] = []
  const read: Read = (run) =>
    inSnapshot(lending.db, { seconds: 1 }, async (tx) => {
      const before = checked.length
      const result = await run(tx)
      if (checked.length === before) lists.push('list')
      return result
    })
  const results = await runOnce(scans, { firstPage: 50, pageMs: 1_000 }, { read })
  const facilities = await countFacilities()
  expect(results.map(({ subjects }) => subjects)).toEqual([facilities, facilities])
  expect(new Set(checked).size).toBe(2 * facilities)
  expect(lists).toEqual(['list'])
})

test('a scan whose time is up is unfinished, and those beside it are checked to the end', async () => {
  const [slow, quick] = [scanOf('slow', () => pause(20)), scanOf('quick', async () => undefined)]
  const pace = { firstPage: 1, pageMs: 10 }
  const results = await runOnce([slow, quick], pace, { budgets: new Map([[slow, { leftMs: 10 }]]) })
  expect(results).toMatchObject([
    { timedOut: true, subjects: 1 },
    { timedOut: false, subjects: await countFacilities() },
  ])
})

test('a long list is received in parts, with a rest between them', async () => {
  await using database = await createTestDatabase()
  const tenantId = await openTenant(database.db)
  await addEvents(database.db, tenantId, 500)
  const rests: number[] = []
  const rest = async (readMs: number) => void rests.push(readMs)
  const list = (source: (tx: Tx) => Promise<readonly unknown[]>) =>
    inTransaction(database.db, source)
  const [source] = EVENTS.sources
  if (!source) throw new Error('events are a source')
  const period = { from: new Date(0), to: addMs(new Date(), HOUR_MS) }
  const touched = await list((tx) => selectTouched(tx, EVENTS, period, { limit: 1_000, rest }))
  expect(touched).toHaveLength(500)
  expect(rests).toHaveLength(2)
  const all = await list((tx) => selectAll(tx, source, { limit: 450, rest }))
  expect(all).toHaveLength(450)
  expect(rests).toHaveLength(4)
})

import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts'
import { type Db, inTransaction } from '../../src/db/database.ts'
import { DEFAULT_POLICY } from '../../src/domain/facilities/policy.ts'
import { evaluateAll } from '../../src/domain/margin/evaluation/evaluate-all.ts'
import { alwaysBy, DEFAULT_MARGIN_POLICY } from '../../src/domain/margin/policy.ts'
import { EVALUATE_BORROWER } from '../../src/domain/onboarding/borrowers.ts'
import { setDeadline } from '../../src/domain/work/deadlines.ts'
import { requestWork } from '../../src/domain/work/work.ts'
import type { JobContext } from '../../src/jobs/job-context.ts'
import { measure, measureBook, measureBreaches, runMeasures } from '../../src/jobs/measure.ts'
import { createExchangePrices } from '../../src/providers/prices-exchanges.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { addEvents, addWebhook } from '../support/deliveries/deliveries.ts'
import { insertFacilities, setRounds } from '../support/lending/facility-rows.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { removeTenants } from '../support/stores/remove-tenants.ts'
import { looksSealed } from '../support/stores/sealer.ts'

let database: TestDatabase
let db: Db
let now: Date
beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  await removeTenants(db)
  await db.deleteFrom('price_rounds').execute()
  now = new Date()
})

/** A worker of the live stack, as far as measuring needs one, at `now`. */
function worker(rest: Partial<JobContext> = {}): JobContext {
  return {
    db,
    clock: () => now,
    quoteSources: [{ name: 'a', read: async () => new Map() }],
    prices: createExchangePrices(),
    termsAt: async () => alwaysBy({ policy: DEFAULT_POLICY, marginPolicy: DEFAULT_MARGIN_POLICY }),
    hasRounds: true,
    config: { stack: 'live' },
    deadlineHandlers: new Map([['evaluate-facility', async () => undefined]]),
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    ...rest,
  } as unknown as JobContext
}

async function read(context: JobContext, name: string): Promise<Record<string, number>> {
  const metric = await context.metrics.registry.getSingleMetric(name)?.get()
  const values = metric?.values ?? []
  return Object.fromEntries(
    values.map(({ labels, value }) => [Object.values(labels).join(), Math.round(value)]),
  )
}

/** How long the oldest of each kind has waited, in seconds. */
async function readOldest() {
  const context = worker()
  await measure(context)
  return await read(context, 'svc_oldest_due_seconds')
}

test('the age of the oldest due work is 0 s old where nothing is', async () => {
  await openTenant(db, now)
  expect(await readOldest()).toEqual({
    ...{ delivery: 0, work: 0, deadline: 0, refund: 0, receipt: 0, doubt: 0, payment: 0 },
    break: 0,
  })
})

test('an open break has an age, and a day that is not compared waits', async () => {
  const tenantId = await openTenant(db, now)
  const at = addMs(now, -90 * SECOND_MS)
  await sql`INSERT INTO reconciliations (tenant_id, first_day, next_day, time_zone, due_at)
    VALUES (${tenantId}, '2026-11-20', '2026-11-20', 'UTC', ${addMs(now, -HOUR_MS)})`.execute(db)
  for (const resolved of [null, now]) {
    const id = `brk_${resolved === null}`
    await sql`INSERT INTO reconciliation_breaks (tenant_id, break_id, kind, area, item_id, day,
        found_at, written_at, resolved_at, resolved_by, resolution)
      VALUES (${tenantId}, ${id}, 'other_day', 'bank', ${id}, '2026-11-20', ${at}, ${at},
        ${resolved}, ${resolved && 'ada'}, ${resolved && 'asked'})`.execute(db)
  }
  const context = worker()
  await measure(context)
  expect(await read(context, 'svc_oldest_due_seconds')).toMatchObject({ break: 90 })
  expect(await read(context, 'svc_breaks_open')).toEqual({
    ...{ missing_here: 0, missing_there: 0, other_amount: 0, other_day: 1 },
  })
  expect(await read(context, 'svc_reconciliation_behind_seconds')).toEqual({ '': 3_600 })
})

test('the age of the oldest due work is that of the delivery which any webhook of any tenant waits for longest', async () => {
  for (let tenant = 0; tenant < 2; tenant += 1) {
    const tenantId = await openTenant(db, now)
    for (let webhook = 0; webhook < 2; webhook += 1) await addWebhook(db, tenantId)
    await addEvents(db, tenantId, 2)
  }
  const oldest = sql`(SELECT webhook_id, event_id FROM deliveries ORDER BY 1 DESC, 2 LIMIT 1)`
  const at = addMs(now, MINUTE_MS)
  await sql`UPDATE deliveries SET listed_as = 'pending', next_attempt_at = ${at},
            due_at = ${at}`.execute(db)
  expect(await readOldest()).toMatchObject({ delivery: 0 })
  await sql`UPDATE deliveries SET due_at = ${addMs(now, -90 * SECOND_MS)}
            WHERE (webhook_id, event_id) = ${oldest}`.execute(db)
  await sql`UPDATE lanes SET retry_at = ${addMs(now, -100 * SECOND_MS)}
            WHERE webhook_id = (SELECT max(webhook_id) FROM lanes)`.execute(db)
  expect(await readOldest()).toMatchObject({ delivery: 90 })
})

test('the age of the oldest due work is that of the work of any topic this release knows', async () => {
  const tenantId = await openTenant(db, now)
  await inTransaction(db, async (tx) => {
    const work = { tenantId, topic: EVALUATE_BORROWER, subjectId: 'bor_1' }
    await requestWork(tx, work, addMs(now, -MINUTE_MS))
    await requestWork(tx, { ...work, subjectId: 'bor_2' }, addMs(now, MINUTE_MS))
    await requestWork(tx, { ...work, subjectId: 'bor_3' }, addMs(now, -HOUR_MS))
    await sql`UPDATE work SET topic = 'of-another-release' WHERE subject_id = 'bor_3'`.execute(tx)
  })
  expect(await readOldest()).toMatchObject({ work: 60 })
})

test("the age of the oldest due work is that of the deadline that has passed longest by its own tenant's clock", async () => {
  const [ahead, punctual] = [await openTenant(db, now), await openTenant(db, now)]
  await sql`UPDATE tenants SET clock_offset_ms = ${HOUR_MS} WHERE tenant_id = ${ahead}`.execute(db)
  await inTransaction(db, async (tx) => {
    const at = (subjectId: string, ms: number) => ({ subjectId, dueAt: addMs(now, ms) })
    await setDeadline(tx, ahead, 'evaluate-facility', at('a', HOUR_MS - 5 * MINUTE_MS))
    await setDeadline(tx, punctual, 'evaluate-facility', at('b', -MINUTE_MS))
  })
  expect(await readOldest()).toMatchObject({ deadline: 300 })
})

test('the age of the oldest due work is that of the refund owed longest, of those with a refused payment', async () => {
  const tenantId = await openTenant(db, now)
  const loan = { positions: {}, principalCents: 1_000_00n, accruedAt: now }
  const [facility_id = ''] = await insertFacilities(db, tenantId, [loan])
  const owe = (id: string, minutes: number, refusals: number, paid_at: Date | null = null) => ({
    ...{ tenant_id: tenantId, facility_id, refund_id: `rfd_${id}`, source_id: `rep_${id}` },
    ...{
      asset: 'USD',
      amount_units: 5n,
      cents: 5n,
      destination: looksSealed('account-4711'),
      refusals,
    },
    ...{ status: paid_at ? ('PAID' as const) : ('PENDING' as const), paid_at },
    created_at: addMs(now, -minutes * MINUTE_MS),
  })
  const refunds = [owe('a', 3, 0), owe('b', 9, 4, now), owe('c', 1, 1), owe('d', 2, 7)]
  await db.insertInto('refunds').values(refunds).execute()
  expect(await readOldest()).toMatchObject({ refund: 120 })
})

test('the time at which each asset got its price is reported, where prices come in rounds', async () => {
  await setRounds(db, now, [{ agoMs: 20_000, prices: { BTC: 7n, ETH: 3n } }])
  const live = worker()
  await measure(live)
  const at = Math.round(addMs(now, -20_000).getTime() / 1_000)
  expect(await read(live, 'svc_price_accepted_timestamp_seconds')).toEqual({ BTC: at, ETH: at })
  const sandbox = worker({ quoteSources: [] })
  await measure(sandbox)
  expect(await read(sandbox, 'svc_price_accepted_timestamp_seconds')).toEqual({})
})

const BTC = 10n ** 8n
const at = (dollars: bigint) => ({ BTC: dollars * 10n ** 8n })
const rounds = (before: bigint, latest: bigint) =>
  setRounds(db, now, [
    { agoMs: 70_000, prices: at(before) },
    { agoMs: 0, prices: at(latest) },
  ])
const borrow = () => ({ positions: { BTC }, principalCents: 48_000_00n, accruedAt: now })
const count = async () => {
  const context = worker()
  await measureBreaches(context)
  return (await read(context, 'svc_margin_unwarned_breaches'))['']
}

test('facilities in breach without a warning are counted until they are evaluated', async () => {
  const tenantId = await openTenant(db, now)
  const fresh = borrow()
  await insertFacilities(db, tenantId, [fresh, fresh, { ...fresh, principalCents: 20_000_00n }])
  await rounds(100_000n, 100_000n)
  expect(await count()).toBe(0)
  await rounds(68_000n, 68_000n)
  expect(await count()).toBe(2)
  await evaluateAll(worker(), new AbortController().signal)
  expect(await count()).toBe(0)
})

test('facilities in breach without a warning are not those that the ladder leaves alone', async () => {
  const tenantId = await openTenant(db, now)
  const fresh = borrow()
  await insertFacilities(db, tenantId, [
    { ...fresh, positions: {} },
    { ...fresh, positions: { BTC: 1n }, principalCents: 9_00n },
    { ...fresh, warnedUntil: addMs(now, HOUR_MS) },
  ])
  await rounds(68_000n, 68_000n)
  expect(await count()).toBe(0)
  // A price that has not held yet breaches nothing.
  await insertFacilities(db, tenantId, [fresh])
  await rounds(100_000n, 68_000n)
  expect(await count()).toBe(0)
})

test('facilities in breach without a warning are none where nothing can be evaluated', async () => {
  const tenantId = await openTenant(db, now)
  await insertFacilities(db, tenantId, [borrow()])
  expect(await count()).toBe(0)
})

const loan = (dollars: bigint) => ({
  ...{ positions: { BTC }, principalCents: dollars * 100n, accruedAt: now },
})

test('the book is measured in whole dollars, rounded down', async () => {
  const tenantId = await openTenant(db, now)
  await setRounds(db, now, [{ agoMs: 0, prices: { BTC: 50_000n * BTC } }])
  await insertFacilities(db, tenantId, [
    { ...loan(20_000n), principalCents: 20_000_99n },
    loan(49_000n),
    loan(0n),
  ])
  await sql`UPDATE facilities SET limit_cents = principal_cents + 7099`.execute(db)
  const context = worker()
  await measureBook(context)
  const names = ['exposure_usd', 'undrawn_usd', 'collateral_usd', 'deficit_usd']
  const all = [...names, 'deficit_facilities']
  const values = await Promise.all(all.map((name) => read(context, `svc_book_${name}`)))
  // Two bitcoins at 50,000 less 3 % are 97,000; the second owes 500 more than its one.
  expect(values.map((one) => one[''])).toEqual([69_000, 212, 97_000, 500, 1])
})

test('open warnings are counted by tier, and none is a count too', async () => {
  const tenantId = await openTenant(db, now)
  const warned = { ...loan(20_000n), warnedUntil: addMs(now, HOUR_MS) }
  const [first] = await insertFacilities(db, tenantId, [warned, warned, warned, loan(1n)])
  await sql`UPDATE margin_warnings SET tier = 3 WHERE facility_id = ${first}`.execute(db)
  const context = worker()
  await measure(context)
  expect(await read(context, 'svc_margin_warnings_open')).toEqual({ 1: 2, 2: 0, 3: 1 })
})

test("running margin calls are counted, and the oldest is as old as its tenant's clock says", async () => {
  const [ahead, punctual] = [await openTenant(db, now), await openTenant(db, now)]
  await sql`UPDATE tenants SET clock_offset_ms = ${HOUR_MS} WHERE tenant_id = ${ahead}`.execute(db)
  const idle = worker()
  await measure(idle)
  const running = (context: JobContext) => read(context, 'svc_margin_calls_running')
  expect(await running(idle)).toEqual({ '': 0 })
  await addCall(ahead, addMs(now, HOUR_MS - 10 * MINUTE_MS), 'SELLING')
  await addCall(punctual, addMs(now, -MINUTE_MS), 'PENDING')
  await addCall(punctual, addMs(now, -9 * HOUR_MS), 'COMPLETED')
  const context = worker()
  await measure(context)
  expect(await running(context)).toEqual({ '': 2 })
  expect(await read(context, 'svc_margin_call_oldest_seconds')).toEqual({ '': 600 })
})

test('webhooks that were disabled are counted until they are deleted', async () => {
  const tenantId = await openTenant(db, now)
  for (const state of ['active', 'disabled', 'disabled', 'deleted']) {
    const id = await addWebhook(db, tenantId)
    await sql`UPDATE webhooks SET state = ${state} WHERE webhook_id = ${id}`.execute(db)
  }
  const context = worker()
  await measure(context)
  expect(await read(context, 'svc_webhooks_disabled')).toEqual({ '': 2 })
})

async function addCall(tenantId: string, at: Date, status: string): Promise<void> {
  const warned = { ...loan(20_000n), warnedUntil: at }
  const [facilityId] = await insertFacilities(db, tenantId, [warned])
  const isDone = status === 'COMPLETED'
  await sql`
    INSERT INTO margin_calls (tenant_id, facility_id, number, margin_warning_number, status,
      created_at, started_at, completed_at, outcome)
    VALUES (${tenantId}, ${facilityId}, 1, 1, ${status}, ${at}, ${at}, ${isDone ? at : null},
      ${isDone ? 'partial' : null})`.execute(db)
}

test('what could not be measured is logged, and does not count as measured', async () => {
  const gone = await createTestDatabase()
  await gone[Symbol.asyncDispose]()
  const failed = vi.fn()
  const stop = new AbortController()
  const logger = { error: failed } as unknown as JobContext['logger']
  const measured = vi.fn()
  const measuring = runMeasures(stop.signal, worker({ db: gone.db, logger }), measured)
  await waitFor(() => expect(failed).toHaveBeenCalled())
  stop.abort()
  await measuring
  expect(measured).not.toHaveBeenCalled()
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMs, HOUR_MS } from '../../../src/core/time.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { audit } from '../../../src/domain/audit/audit.ts'
import { appendEvents } from '../../../src/domain/events/append/append.ts'
import { thresholdsReached } from '../../../src/domain/webhooks/failure-notices.ts'
import {
  addEvents,
  addWebhook,
  answered,
  claimAt,
  readDeliveries,
  readWebhook,
  recordAt,
} from '../../support/deliveries/deliveries.ts'
import { type Lending, openHousesInOneDatabase } from '../../support/lending/lending.ts'

const openHouse = openHousesInOneDatabase()

let now = new Date()

/** Claims so many that are due and records them, each with the next of these statuses. */
async function attempt(db: Db, tenantId: string, webhookId: string, statuses: number[]) {
  const webhook = { tenantId, webhookId }
  const claim = { limit: statuses.length, deadlineMs: 15_000, now }
  const claimed = await claimAt(db, webhook, claim)
  const attempts = claimed.map((delivery, at) => ({
    delivery,
    startedAt: now,
    endedAt: now,
    outcome: answered(statuses[at] ?? 500),
  }))
  return await recordAt(db, webhook, attempts, now)
}

const failures = (count: number) => Array<number>(count).fill(500)

async function noticesOf({ db, tenantId }: Lending) {
  const rows = await db
    .selectFrom('events')
    .select(['type', 'body'])
    .where('tenant_id', '=', tenantId)
    .where('type', 'in', ['webhook.failing', 'webhook.disabled'])
    .orderBy('sequence')
    .execute()
  return rows.map(({ type, body }) => ({ type, ...JSON.parse(body).data }))
}

const typesAt = async (db: Db, webhookId: string) =>
  (await readDeliveries(db, webhookId)).map(({ event_type: type }) => type)

async function appendMarginEvent({ db, tenantId }: Lending): Promise<void> {
  const data = {
    facility_id: 'fac_1',
    number: 1,
    margin_call_number: 1,
    reason: 'deadline',
  } as const
  const resource = { type: 'margin_warning', id: 'fac_1/1' } as const
  const event = { type: 'margin_warning.escalated', resource, occurredAt: now, data } as const
  await inTransaction(db, (tx) => appendEvents(tx, tenantId, [event]))
}

test('25, 50, 75 and 100 failures in a row are reported once each, to every other webhook that wants them', async () => {
  await using lending = await openHouse()
  const { db, tenantId } = lending
  const named = ['webhook.failing', 'webhook.disabled'] as const
  const failing = await addWebhook(db, tenantId, {
    eventTypes: ['borrower.eligible', ...named],
  })
  const naming = await addWebhook(db, tenantId, { eventTypes: [...named] })
  const all = await addWebhook(db, tenantId)
  await addEvents(db, tenantId, 100)
  now = addMs(new Date(), 1_000)
  for (let batch = 0; batch < 10; batch += 1) await attempt(db, tenantId, failing, failures(10))

  const { url } = await readWebhook(db, failing)
  const notice = { type: 'webhook.failing', webhook_id: failing, url, reason: 'failures' }
  expect(await noticesOf(lending)).toEqual([
    { ...notice, consecutive_failed_attempts: 25 },
    { ...notice, consecutive_failed_attempts: 50 },
    { ...notice, consecutive_failed_attempts: 75 },
    { type: 'webhook.disabled', webhook_id: failing, url, disabled_at: now.toISOString() },
  ])
  expect(await typesAt(db, naming)).toEqual([...Array(3).fill(named[0]), named[1]])
  expect(new Set(await typesAt(db, failing))).toEqual(new Set(['borrower.eligible']))
  expect(new Set(await typesAt(db, all))).toEqual(new Set(['borrower.eligible', ...named]))
  expect((await readWebhook(db, failing)).failures).toBe(100)
  const findings = await audit(db, { hasSimulation: false, invariants: ['I2', 'I3', 'I5'] })
  const violations = findings.flatMap((finding) => finding.violations)
  // The borrowers of `addEvents` do not exist.
  expect(violations.filter(({ subject }) => !subject.startsWith('borrower '))).toEqual([])
})

test('a success begins the count again, also within one record', async () => {
  await using lending = await openHouse()
  const { db, tenantId } = lending
  const failing = await addWebhook(db, tenantId)
  await addEvents(db, tenantId, 60)
  now = addMs(new Date(), 1_000)
  await attempt(db, tenantId, failing, failures(24))
  await attempt(db, tenantId, failing, [204, ...failures(24)])
  expect(await noticesOf(lending)).toEqual([])
  await attempt(db, tenantId, failing, failures(1))
  expect(await noticesOf(lending)).toMatchObject([{ consecutive_failed_attempts: 25 }])
})

test('a dead letter of an event about margin is reported, and that of another is not', async () => {
  await using lending = await openHouse()
  const { db, tenantId } = lending
  const failing = await addWebhook(db, tenantId)
  await appendMarginEvent(lending)
  await addEvents(db, tenantId, 1)
  now = addMs(new Date(), 1_000)
  for (let round = 1; round <= 6; round += 1) {
    await attempt(db, tenantId, failing, failures(2))
    now = addMs(now, 7 * HOUR_MS)
  }
  const [delivery] = await readDeliveries(db, failing)
  expect(await noticesOf(lending)).toMatchObject([
    {
      type: 'webhook.failing',
      reason: 'dead_letter',
      consecutive_failed_attempts: 12,
      dead_letter: { event_id: delivery?.event_id, event_type: 'margin_warning.escalated' },
    },
  ])
})

test('the thresholds reached do not depend on how ended attempts were grouped into records', () => {
  const outcomes = fc.array(fc.record({ succeeded: fc.boolean() }), { maxLength: 200 })
  const failed = { succeeded: false }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99 }), outcomes, outcomes, (before, first, second) => {
      const lastSuccess = first.findLastIndex(({ succeeded }) => succeeded)
      const since = first.length - 1 - lastSuccess
      const between = Math.min(lastSuccess === -1 ? before + since : since, 100)
      const inTwo = [...thresholdsReached(before, first), ...thresholdsReached(between, second)]
      expect(inTwo).toEqual(thresholdsReached(before, [...first, ...second]))
    }),
  )
  expect(thresholdsReached(0, Array(100).fill(failed))).toEqual([25, 50, 75])
})

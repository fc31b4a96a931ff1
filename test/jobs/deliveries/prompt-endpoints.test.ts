import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../src/core/time.ts'
import type {
  ClaimedDelivery,
  FinishedAttempt,
  LockedWebhook,
} from '../../../src/domain/webhooks/deliveries/deliver.ts'
import { createDeliveryLane } from '../../../src/jobs/deliveries/delivery-lane.ts'
import { createStep, takeUnleased } from '../../../src/jobs/deliveries/delivery-step.ts'
import { createPromptEndpoints } from '../../../src/jobs/deliveries/prompt-endpoints.ts'
import {
  addEvents,
  addWebhook,
  answered,
  createHeldSender,
  readDeliveries,
} from '../../support/deliveries/deliveries.ts'
import { startHeldLanes } from '../../support/deliveries/held-lanes.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  // Notes each lease, and refuses records as often as `refusals` says.
  await sql`
    CREATE TABLE leases (webhook_id text);
    CREATE TABLE refusals (code text, times bigint);
    CREATE SEQUENCE records_refused;
    CREATE FUNCTION note_lease() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.lease IS NOT NULL THEN INSERT INTO leases VALUES (NEW.webhook_id); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_lease AFTER UPDATE ON deliveries FOR EACH ROW EXECUTE FUNCTION note_lease();
    CREATE FUNCTION refuse_record() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE refusal refusals;
    BEGIN
      SELECT * INTO refusal FROM refusals;
      IF refusal.times >= nextval('records_refused') THEN
        RAISE 'refused' USING ERRCODE = refusal.code;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER refuse_record BEFORE INSERT ON delivery_attempts
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_record()
  `.execute(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

const WEBHOOKS = 6

/** Webhooks whose endpoints have answered at once, one delivery each. From then on those of `slow` wait
 * until the test answers them. */
async function startPrompt() {
  const { db } = database
  const tenantId = await openTenant(db)
  const webhookIds: string[] = []
  for (let index = 0; index < WEBHOOKS; index += 1) webhookIds.push(await addWebhook(db, tenantId))
  const slow = new Set<string>()
  const { sender: holding, held } = createHeldSender()
  let sent = 0
  const { lanes } = startHeldLanes(db, {
    sender: {
      async send(request, now) {
        sent += 1
        const { webhookId } = request as unknown as ClaimedDelivery
        return slow.has(webhookId) ? await holding.send(request, now) : answered(200)
      },
      close: async () => undefined,
    },
  })
  const deliverOne = async () => {
    sent = 0
    await sql`DELETE FROM leases`.execute(db)
    await addEvents(db, tenantId, 1)
    for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)
  }
  const readStates = async () => {
    const rows = await Promise.all(webhookIds.map((webhookId) => readDeliveries(db, webhookId)))
    return rows.map((deliveries) => deliveries.at(-1)?.state)
  }
  const untilDelivered = () =>
    waitFor(async () => expect(new Set(await readStates())).toEqual(new Set(['delivered'])))
  const readLeases = async () => {
    const { rows } = await sql<{ webhook_id: string }>`SELECT webhook_id FROM leases`.execute(db)
    return rows.map((row) => row.webhook_id)
  }
  await deliverOne()
  await untilDelivered()
  return {
    ...{ tenantId, webhookIds, lanes, slow, held, deliverOne, untilDelivered, readLeases },
    countSent: () => sent,
  }
}

test('deliveries to endpoints that answer at once are recorded in the transaction of their claim, without a lease', async () => {
  const { lanes, deliverOne, untilDelivered, readLeases, countSent } = await startPrompt()
  await deliverOne()
  await untilDelivered()
  expect(await readLeases()).toEqual([])
  expect(countSent()).toBe(WEBHOOKS)
  await lanes.drain()
})

test('a late answer does not hold up the pass: its delivery alone gets a lease, and is recorded later', async () => {
  const { webhookIds, lanes, slow, held, deliverOne, untilDelivered, readLeases } =
    await startPrompt()
  const [late = ''] = webhookIds
  slow.add(late)
  await deliverOne()
  await waitFor(async () => expect(await readLeases()).toEqual([late]))
  expect((await readDeliveries(database.db, late)).at(-1)).toMatchObject({ state: 'pending' })
  for (const webhookId of webhookIds.slice(1)) {
    const delivered = (await readDeliveries(database.db, webhookId)).at(-1)
    expect(delivered).toMatchObject({ state: 'delivered', lease: null })
  }
  held[0]?.answer(200)
  await untilDelivered()
  await lanes.drain()
})

test.each([
  { code: 'P0001', times: 1, failure: 'a refusal' },
  { code: 'P0001', times: 2, failure: 'two refusals, one of the next record' },
  { code: '40P01', times: 1, failure: 'a deadlock, after which other transactions are repeated' },
])(
  'what a pass has sent without a lease before $failure at its commit is sent once more, under a lease, and recorded once',
  async ({ code, times }) => {
    const { tenantId, lanes, deliverOne, untilDelivered, readLeases, countSent } =
      await startPrompt()
    await sql`ALTER SEQUENCE records_refused RESTART`.execute(database.db)
    await sql`INSERT INTO refusals VALUES (${code}, ${times})`.execute(database.db)
    await deliverOne()
    await untilDelivered()
    await lanes.drain()
    await sql`DELETE FROM refusals`.execute(database.db)
    expect(countSent()).toBe(2 * WEBHOOKS)
    expect(await readLeases()).toHaveLength(WEBHOOKS)
    const { rows } = await sql<{ attempts: bigint; deliveries: bigint }>`
      SELECT count(*) AS attempts, count(DISTINCT (webhook_id, event_id)) AS deliveries
      FROM delivery_attempts WHERE tenant_id = ${tenantId}`.execute(database.db)
    expect(rows).toEqual([{ attempts: BigInt(2 * WEBHOOKS), deliveries: BigInt(2 * WEBHOOKS) }])
  },
)

/** A pass that has begun one attempt for each answer, which have ended in this order. */
function stepOf(webhookId: string, statuses: readonly number[]) {
  const lane = createDeliveryLane('tnt_1', webhookId)
  const webhook: LockedWebhook = {
    ...{ tenantId: 'tnt_1', webhookId, url: 'https://example.com/', isActive: true },
    failedAttempts: 0,
  }
  const step = Object.assign(createStep(lane, 0), { webhook })
  const ended = statuses.map((status) => endOf(webhookId, status))
  for (const { delivery } of ended) step.begun.set(delivery, Promise.resolve())
  lane.finished.push(...ended)
  return step
}

function endOf(webhookId: string, status: number, durationMs = 1): FinishedAttempt {
  const now = systemClock()
  const delivery = { webhookId, requested: false, leasedUntil: now } as ClaimedDelivery
  return { delivery, startedAt: now, endedAt: now, outcome: { ...answered(status), durationMs } }
}

test('a failure, and what an earlier pass began, is left with all that ended after it', () => {
  const failing = stepOf('whk_1', [200, 200, 500, 200])
  takeUnleased(failing)
  expect(failing.unleased).toHaveLength(2)
  expect(failing.lane.finished.map(({ outcome }) => outcome.status)).toEqual([500, 200])
  expect(failing.begun.size).toBe(2)

  const behind = stepOf('whk_1', [200])
  behind.lane.finished.unshift(endOf('whk_1', 200))
  takeUnleased(behind)
  expect(behind.unleased).toEqual([])
  expect(behind.lane.finished).toHaveLength(2)
})

test('a pass waits for four answers or more, of endpoints whose last answer was a prompt success', async () => {
  const waits = async (count: number, before: readonly FinishedAttempt[]) => {
    const endpoints = createPromptEndpoints()
    for (const attempt of before) endpoints.note(attempt)
    let hasWaited = false
    const step = stepOf('whk_1', Array<number>(count).fill(200))
    await endpoints.waitAndTake([step], () => {
      hasWaited = true
    })
    expect(step.unleased).toHaveLength(hasWaited ? count : 0)
    return hasWaited
  }
  const prompt = endOf('whk_1', 200, 10)
  expect(await waits(4, [prompt])).toBe(true)
  expect(await waits(3, [prompt])).toBe(false)
  expect(await waits(4, [])).toBe(false)
  expect(await waits(4, [endOf('whk_2', 200, 10)])).toBe(false)
  expect(await waits(4, [prompt, endOf('whk_1', 200, 11)])).toBe(false)
  expect(await waits(4, [prompt, endOf('whk_1', 500, 1)])).toBe(false)
  expect(await waits(4, [endOf('whk_1', 500, 1), prompt])).toBe(true)
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { HOUR_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { audit } from '../../src/domain/audit/audit.ts'
import { continueRecovery, RECOVER_WEBHOOK } from '../../src/domain/deliveries/recover.ts'
import { apiForFile } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { deliverDue } from '../support/deliveries/deliver-due.ts'
import { addEvents, readDeliveries } from '../support/deliveries/deliveries.ts'
import { runDueWork } from '../support/deliveries/due-work.ts'
import { startEndpoint } from '../support/servers/endpoint.ts'

const LONG_AGO = '2026-01-01T00:00:00Z'

let aheadMs = 0
const clock = () => new Date(Date.now() + aheadMs)
const api = apiForFile({ clock })

async function openSubscriber() {
  const answer = { status: 204 }
  const endpoint = await startEndpoint(() => ({ status: answer.status }))
  const tenant = await api.addTenant()
  const register = async (body: object = {}): Promise<string> =>
    (await tenant.send('POST', '/v1/webhooks', { body: { url: endpoint.url, ...body } })).json().id
  const id = await register()
  // Of hosts that have answered none: test/attacks/recoveries.test.ts.
  const forgetAt = new Date(clock().getTime() + 400 * 24 * HOUR_MS)
  await api.db
    .insertInto('recovery_paces')
    .values({
      ...{ tenant_id: tenant.id, host: new URL(endpoint.url).hostname },
      ...{ answered_at: clock(), next_at: clock(), forget_at: forgetAt },
    })
    .execute()
  return {
    answer,
    endpoint,
    tenant,
    id,
    register,
    deliver: (webhookId = id) => deliverDue(api.resources, tenant.id, webhookId),
    recover: (body: object, webhookId = id) =>
      tenant.send('POST', `/v1/webhooks/${webhookId}/recover`, { body }),
    statesOf: async (webhookId = id) =>
      (await readDeliveries(api.db, webhookId)).map(({ state }) => state),
    [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose](),
  }
}

type Subscriber = Awaited<ReturnType<typeof openSubscriber>>

/** Every step that is due, with a round of deliveries after each. */
async function runRecovery({ tenant, deliver }: Subscriber, webhookId: string): Promise<number> {
  const context = { db: api.db, clock }
  const step = async () => {
    const result = await continueRecovery(context, tenant.id, webhookId)
    await deliver(webhookId)
    return result
  }
  return await runDueWork(api.db, new Map([[RECOVER_WEBHOOK, step]]), clock)
}

async function findViolations() {
  const findings = await audit(api.db, { hasSimulation: false, invariants: ['I3', 'I5'] })
  return findings.flatMap(({ violations }) => violations)
}

async function deadLetter({ answer, deliver }: Subscriber): Promise<void> {
  answer.status = 500
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    await deliver()
    aheadMs += 7 * HOUR_MS
  }
  answer.status = 204
}

test('a recovery makes once more what was dead-lettered and what waits for a retry, and nothing else', async () => {
  await using subscriber = await openSubscriber()
  const { answer, deliver, endpoint, id, recover, statesOf, tenant } = subscriber
  await addEvents(api.db, tenant.id, 1)
  await deliver()
  await addEvents(api.db, tenant.id, 2)
  await deadLetter(subscriber)
  await addEvents(api.db, tenant.id, 1)
  answer.status = 500
  await deliver()
  answer.status = 204
  expect(await statesOf()).toEqual(['delivered', 'dead_lettered', 'dead_lettered', 'pending'])
  const seenBefore = endpoint.seen.length

  const response = await recover({ since: LONG_AGO })
  expect(response.status).toBe(202)
  expect(response.json()).toEqual({
    webhook_id: id,
    recovering_since: '2026-01-01T00:00:00.000Z',
    deliveries: 3,
  })
  await runRecovery(subscriber, id)
  expect(await statesOf()).toEqual(Array(4).fill('delivered'))
  expect(
    endpoint.seen
      .slice(seenBefore)
      .map(({ attempt }) => attempt)
      .sort((a, b) => a - b),
  ).toEqual([2, 7, 7])
  expect(await findViolations()).toEqual([])
})

test('a recovered attempt that fails leaves its delivery and its schedule as they were', async () => {
  await using subscriber = await openSubscriber()
  const { answer, deliver, id, recover, statesOf, tenant } = subscriber
  const consecutive = async () =>
    (await tenant.send('GET', `/v1/webhooks/${id}`)).json().consecutive_failed_attempts
  answer.status = 500
  await addEvents(api.db, tenant.id, 1)
  await deliver()
  const [before] = await readDeliveries(api.db, id)
  await recover({ since: LONG_AGO })
  await runRecovery(subscriber, id)
  const [after] = await readDeliveries(api.db, id)
  expect(after).toMatchObject({
    ...{ state: 'pending', attempts: 2, failures: 1 },
    next_attempt_at: before?.next_attempt_at,
    due_at: before?.next_attempt_at,
  })
  expect(await consecutive()).toBe(2)
  await deadLetter(subscriber)
  answer.status = 500
  await runRecovery(subscriber, id)
  await recover({ since: LONG_AGO })
  aheadMs += HOUR_MS
  await runRecovery(subscriber, id)
  expect(await statesOf()).toEqual(['dead_lettered'])
  expect(await consecutive()).toBe(8)
})

test('a recovery leaves out events from before its instant', async () => {
  await using subscriber = await openSubscriber()
  const { id, recover, statesOf, tenant } = subscriber
  await addEvents(api.db, tenant.id, 1)
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.now())
  const since = new Date().toISOString()
  await addEvents(api.db, tenant.id, 1)
  await deadLetter(subscriber)
  expect((await recover({ since })).json().deliveries).toBe(1)
  await runRecovery(subscriber, id)
  expect(await statesOf()).toEqual(['dead_lettered', 'delivered'])
})

test('what a disabled webhook missed, also after it was disabled, is delivered to the one in its place, once', async () => {
  await using subscriber = await openSubscriber()
  const { answer, deliver, id, recover, register, statesOf, tenant } = subscriber
  await addEvents(api.db, tenant.id, 1)
  await deliver()
  answer.status = 500
  await addEvents(api.db, tenant.id, 102)
  await deliver()
  answer.status = 204
  await addEvents(api.db, tenant.id, 3)
  expect(new Set(await statesOf())).toEqual(new Set(['delivered', 'cancelled']))
  const heir = await register()
  await addEvents(api.db, tenant.id, 1)

  const body = { since: LONG_AGO, from_webhook_id: id }
  expect((await recover(body, heir)).json()).toMatchObject({
    from_webhook_id: id,
    // With the four notices about the disabled one.
    deliveries: 109,
  })
  await runRecovery(subscriber, heir)
  const made = await readDeliveries(api.db, heir)
  const wanted = await api.db
    .selectFrom('events')
    .select('event_id')
    .where('tenant_id', '=', tenant.id)
    .where('sequence', '>', 1n)
    .orderBy('sequence')
    .execute()
  expect(made.map(({ event_id }) => event_id)).toEqual(wanted.map(({ event_id }) => event_id))
  expect(new Set(made.map(({ state }) => state))).toEqual(new Set(['delivered']))
  expect((await recover(body, heir)).json().deliveries).toBe(0)
  await runRecovery(subscriber, heir)
  expect(await readDeliveries(api.db, heir)).toHaveLength(110)
  expect(await findViolations()).toEqual([])
})

test('a webhook in the place of another gets only types that both of them want', async () => {
  await using subscriber = await openSubscriber()
  const { id, recover, register, tenant } = subscriber
  await addEvents(api.db, tenant.id, 2)
  await deadLetter(subscriber)
  const other = await register({ event_types: ['draw.completed'] })
  const answer = await recover({ since: LONG_AGO, from_webhook_id: id }, other)
  expect(answer.json().deliveries).toBe(0)
  await runRecovery(subscriber, other)
  expect(await readDeliveries(api.db, other)).toEqual([])
})

test('a long recovery goes in steps beside which a new event waits behind few', async () => {
  await using subscriber = await openSubscriber()
  const { deliver, id, recover, register, tenant } = subscriber
  await addEvents(api.db, tenant.id, 1_100)
  subscriber.answer.status = 500
  await deliver()
  subscriber.answer.status = 204
  const heir = await register()
  const body = { since: LONG_AGO, from_webhook_id: id }
  expect((await recover(body, heir)).json().deliveries).toBe(1_104)
  const context = { db: api.db, clock }
  const dueOf = async () =>
    (await readDeliveries(api.db, heir)).filter(({ state }) => state === 'pending').length
  // One shows that the endpoint answers.
  await continueRecovery(context, tenant.id, heir)
  expect(await readDeliveries(api.db, heir)).toHaveLength(1)
  await deliver(heir)
  await continueRecovery(context, tenant.id, heir)
  expect(await dueOf()).toBe(50)
  // Nothing is added until they are delivered.
  await continueRecovery(context, tenant.id, heir)
  expect(await dueOf()).toBe(50)
  await deliver(heir)
  expect(await runRecovery(subscriber, heir)).toBeLessThan(30)
  expect(await readDeliveries(api.db, heir)).toHaveLength(1_104)
})

test('a step whose connection dies before its commit is repeated as a whole', async () => {
  await using subscriber = await openSubscriber()
  const { id, endpoint, recover, tenant } = subscriber
  await addEvents(api.db, tenant.id, 2)
  await deadLetter(subscriber)
  const seenBefore = endpoint.seen.length
  await recover({ since: LONG_AGO })
  await inTransaction(api.db, async (tx) => {
    await sql`
      SELECT FROM deliveries WHERE tenant_id = ${tenant.id} AND webhook_id = ${id} FOR UPDATE`.execute(
      tx,
    )
    const dying = continueRecovery({ db: api.db, clock }, tenant.id, id).catch((error) => error)
    await expect
      .poll(async () => {
        const { rows } = await sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND query LIKE '%recovered AS%'`.execute(api.db)
        return rows.length
      })
      .toBe(1)
    expect(await dying).toBeInstanceOf(Error)
  })
  await runRecovery(subscriber, id)
  expect(endpoint.seen.length - seenBefore).toBe(2)
})

test('of recoveries at once one is made, and the others are refused until it has ended', async () => {
  await using subscriber = await openSubscriber()
  const { endpoint, id, recover, tenant } = subscriber
  await addEvents(api.db, tenant.id, 3)
  await deadLetter(subscriber)
  const seenBefore = endpoint.seen.length
  const answers = await Promise.all([1, 2, 3].map(() => recover({ since: LONG_AGO })))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.json().code).toBe('recovery_in_progress')
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  await runRecovery(subscriber, id)
  expect(endpoint.seen.length - seenBefore).toBe(3)
  expect((await recover({ since: LONG_AGO })).json().deliveries).toBe(0)
})

test('a recovery with the same Idempotency-Key is answered from the record', async () => {
  await using subscriber = await openSubscriber()
  const { id, tenant } = subscriber
  const request = { body: { since: LONG_AGO }, idempotencyKey: crypto.randomUUID() }
  const path = `/v1/webhooks/${id}/recover`
  const first = await tenant.send('POST', path, request)
  const again = await tenant.send('POST', path, request)
  expect([again.status, again.json()]).toEqual([202, first.json()])
  expect(again.headers['idempotent-replayed']).toBe('true')
})

test('a recovery ends with its webhook, and a disabled or deleted one is refused', async () => {
  await using subscriber = await openSubscriber()
  const { answer, deliver, id, recover, register, tenant } = subscriber
  await addEvents(api.db, tenant.id, 100)
  await recover({ since: LONG_AGO })
  answer.status = 500
  await deliver()
  await runRecovery(subscriber, id)
  const rows = await api.db.selectFrom('webhook_recoveries').selectAll().execute()
  expect(rows.filter(({ webhook_id }) => webhook_id === id)).toEqual([])
  expectProblem(await recover({ since: LONG_AGO }), 409, 'webhook_disabled')
  await tenant.send('DELETE', `/v1/webhooks/${id}`)
  expectProblem(await recover({ since: LONG_AGO }), 404, 'not_found')
  const heir = await register()
  const from = await recover({ since: LONG_AGO, from_webhook_id: id }, heir)
  expectProblem(from, 404, 'not_found')
})

test('a recovery of an unknown webhook, from the future or from itself is refused', async () => {
  await using subscriber = await openSubscriber()
  const { id, recover } = subscriber
  expectProblem(await recover({ since: LONG_AGO }, newId('whk')), 404, 'not_found')
  const since = new Date(clock().getTime() + HOUR_MS).toISOString()
  expectProblem(await recover({ since }), 422, 'validation_failed')
  expectProblem(await recover({ since: 'yesterday' }), 422, 'validation_failed')
  expectProblem(await recover({}), 422, 'validation_failed')
  const self = await recover({ since: LONG_AGO, from_webhook_id: id })
  expectProblem(self, 422, 'validation_failed')
  expect(self.json().errors[0].pointer).toBe('/from_webhook_id')
})

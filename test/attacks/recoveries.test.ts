import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HOUR_MS, SECOND_MS } from '../../src/core/time.ts'
import { audit } from '../../src/domain/audit/audit.ts'
import { continueRecovery, RECOVER_WEBHOOK } from '../../src/domain/deliveries/recover.ts'
import { purgePaces } from '../../src/domain/deliveries/recovery-pace.ts'
import { apiForFile } from '../support/api/api.ts'
import { deliverDue } from '../support/deliveries/deliver-due.ts'
import { addEvents, readDeliveries } from '../support/deliveries/deliveries.ts'
import { runDueWork } from '../support/deliveries/due-work.ts'
import { startEndpoint } from '../support/servers/endpoint.ts'

const LONG_AGO = '2026-01-01T00:00:00Z'
const STEP_MS = 20 * SECOND_MS

let aheadMs = 0
const clock = () => new Date(Date.now() + aheadMs)
const api = apiForFile({ clock })

/** An address that is not the tenant's, and a disabled webhook to it that has missed `missed` events. */
async function nameForeignAddress(missed: number) {
  const answer = { status: 500 }
  const traffic = { inFlight: 0, most: 0 }
  const endpoint = await startEndpoint(async () => {
    traffic.inFlight += 1
    traffic.most = Math.max(traffic.most, traffic.inFlight)
    await pause(5)
    traffic.inFlight -= 1
    return { status: answer.status }
  })
  const tenant = await api.addTenant()
  const send = async (method: 'POST' | 'DELETE', path: string, body?: object) =>
    await tenant.send(method, `/v1/webhooks${path}`, body && { body })
  const register = async () => (await send('POST', '', { url: endpoint.url })).json().id as string
  const first = await register()
  await addEvents(api.db, tenant.id, missed)
  await deliverDue(api.resources, tenant.id, first)
  const before = endpoint.seen.length
  traffic.most = 0
  const active = new Set<string>()
  return {
    ...{ answer, first, active, tenant, traffic },
    seen: () => endpoint.seen.length - before,
    async registerAndRecover() {
      const webhookId = await register()
      active.add(webhookId)
      const body = { since: LONG_AGO, from_webhook_id: first }
      expect((await send('POST', `/${webhookId}/recover`, body)).status).toBe(202)
      return webhookId
    },
    async delete(webhookId: string) {
      active.delete(webhookId)
      expect((await send('DELETE', `/${webhookId}`)).status).toBe(204)
    },
    /** What a worker does until then: due steps of recoveries, and due deliveries of each webhook. */
    async work() {
      const context = { db: api.db, clock }
      const step = ({ subjectId }: { subjectId: string }) =>
        continueRecovery(context, tenant.id, subjectId)
      await runDueWork(api.db, new Map([[RECOVER_WEBHOOK, step]]), clock)
      await Promise.all([...active].map((id) => deliverDue(api.resources, tenant.id, id)))
    },
    [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose](),
  }
}

async function findViolations() {
  const findings = await audit(api.db, { hasSimulation: false, invariants: ['I3', 'I5'] })
  return findings.flatMap(({ violations }) => violations)
}

test('recoveries of webhooks that come and go send an address that answers none of them one delivery at a time, and 60 an hour', {
  timeout: 120_000,
}, async () => {
  await using foreign = await nameForeignAddress(120)
  await foreign.registerAndRecover()
  await foreign.registerAndRecover()
  for (let ms = 0; ms < HOUR_MS; ms += STEP_MS) {
    if (ms % (5 * 60 * SECOND_MS) === 0) {
      const [oldest] = foreign.active
      if (oldest !== undefined) await foreign.delete(oldest)
      await foreign.registerAndRecover()
    }
    await foreign.work()
    aheadMs += STEP_MS
  }
  expect(foreign.seen()).toBeLessThanOrEqual(60)
  // Paced, not refused.
  expect(foreign.seen()).toBeGreaterThan(20)
  expect(foreign.traffic.most).toBe(1)
  expect(await findViolations()).toEqual([])
})

test('once the address has answered a recovered delivery with 2xx, recoveries to it go as they always do', async () => {
  await using foreign = await nameForeignAddress(120)
  const heir = await foreign.registerAndRecover()
  await foreign.work()
  await foreign.work()
  expect(foreign.seen()).toBe(1)
  foreign.answer.status = 204
  aheadMs += 61 * SECOND_MS
  await foreign.work() // notes the failure, from which on the minute counts
  aheadMs += 61 * SECOND_MS
  await foreign.work()
  expect(foreign.seen()).toBe(2)
  for (let round = 0; round < 8; round += 1) {
    aheadMs += SECOND_MS
    await foreign.work()
  }
  // With the four notices about the webhook that was disabled.
  expect(foreign.seen()).toBe(124)
  const states = (await readDeliveries(api.db, heir)).map(({ state }) => state)
  expect(states.filter((state) => state !== 'delivered')).toEqual(['cancelled'])

  // The one that failed was attempted once, and can be recovered again.
  const { tenant } = foreign
  await tenant.send('POST', `/v1/webhooks/${heir}/recover`, { body: { since: LONG_AGO } })
  await foreign.work()
  expect(foreign.seen()).toBe(125)
  const after = (await readDeliveries(api.db, heir)).map(({ state }) => state)
  expect(new Set(after)).toEqual(new Set(['delivered']))
  expect(await findViolations()).toEqual([])
})

test('an address that answered once and now refuses gets one delivery a minute, until the webhook is disabled', async () => {
  await using foreign = await nameForeignAddress(120)
  const { tenant } = foreign
  const now = clock()
  const host = { tenant_id: tenant.id, host: '127.0.0.1' }
  await api.db
    .insertInto('recovery_paces')
    .values({ ...host, answered_at: now, next_at: now, forget_at: new Date(now.getTime() + 9e8) })
    .execute()
  const heir = await foreign.registerAndRecover()
  for (let round = 0; round < 5; round += 1) await foreign.work()
  expect(foreign.seen()).toBe(1)
  for (let minute = 0; minute < 4; minute += 1) {
    aheadMs += 61 * SECOND_MS
    await foreign.work()
  }
  expect(foreign.seen()).toBe(3)
  await api.db.updateTable('lanes').set({ failures: 99 }).where('webhook_id', '=', heir).execute()
  for (let minute = 0; minute < 6; minute += 1) {
    aheadMs += 61 * SECOND_MS
    await foreign.work()
  }
  expect(foreign.seen()).toBe(4)
  const webhook = (await tenant.send('GET', `/v1/webhooks/${heir}`)).json()
  expect(webhook.state).toBe('disabled')
  const recoveries = api.db.selectFrom('webhook_recoveries').selectAll()
  expect(await recoveries.where('webhook_id', '=', heir).execute()).toEqual([])
})

test('what an address has answered is forgotten after a month, and what it has not after a day', async () => {
  const { tenant } = api
  const rowsOf = async () => {
    const rows = api.db.selectFrom('recovery_paces').select('host')
    return (await rows.where('tenant_id', '=', tenant.id).execute()).map(({ host }) => host)
  }
  const at = (days: number) => new Date(clock().getTime() + days * 24 * HOUR_MS)
  const row = { tenant_id: tenant.id, next_at: clock() }
  await api.db
    .insertInto('recovery_paces')
    .values([
      { ...row, host: 'silent.example', forget_at: at(1) },
      { ...row, host: 'known.example', forget_at: at(30), answered_at: clock() },
    ])
    .execute()
  await purgePaces(api.db, at(2))
  expect(await rowsOf()).toEqual(['known.example'])
  await purgePaces(api.db, at(31))
  expect(await rowsOf()).toEqual([])
})

import { beforeAll, expect, test } from 'vitest'
import { countUnnoticed } from '../../src/domain/margin/notices/notice-queries.ts'
import { NOTICE_WITHIN_MS } from '../../src/domain/margin/notices/raises.ts'
import type { TestTenant } from '../support/api/api.ts'
import { operatorApiForFile } from '../support/api/operators.ts'
import {
  addDraw,
  addEligible,
  push,
  startLendingApi,
  waitUntil,
} from '../support/lending/lending-api.ts'
import { waitFor } from '../support/process/patience.ts'
import { startEndpoint } from '../support/servers/endpoint.ts'

let token = ''
const { api, operators } = operatorApiForFile({}, startLendingApi)
beforeAll(async () => {
  token = (await operators.addOperator('viewer')).token
})

type Warned = { tenant: TestTenant; id: string; eventId: string; raisedAt: string }

/** A tenant with a loan that was warned once. */
async function warn(webhookUrl?: string): Promise<Warned> {
  const tenant = await api.addTenant()
  const { client } = tenant
  if (webhookUrl !== undefined) await client.registerWebhook({ url: webhookUrl })
  const borrowerId = await addEligible(tenant)
  await push(tenant, borrowerId)
  const limit = { amount: '48000.00', asset: 'USD' }
  const { id } = await client.createFacility({ borrower_id: borrowerId, limit })
  await waitUntil(tenant, `/v1/facilities/${id}`, { state: 'APPROVED' })
  await addDraw(tenant, id, '48000.00')
  await client.setSandboxPrice('BTC', '68000')
  await client.advanceSandboxClock(61)
  const { raises = [] } = await client.getMarginWarning(id, 1)
  const [raise] = raises
  if (!raise) throw new Error('the warning has no raise')
  return { tenant, id, eventId: raise.event_id, raisedAt: raise.raised_at }
}

const noticesOf = async ({ tenant, id }: Warned) =>
  (await tenant.client.getMarginWarning(id, 1)).raises?.map(({ notices }) => notices)

test('the first 2xx of a webhook for a raise is its notice, and a later one changes nothing', async () => {
  await using endpoint = await startEndpoint(({ rawBody, attempt }) => ({
    status: rawBody.includes('margin_warning.raised') && attempt === 1 ? 500 : 204,
  }))
  const warned = await warn(endpoint.url)
  const { tenant, eventId } = warned
  const [webhook] = await tenant.client.listWebhooks()
  const id = webhook?.id ?? ''
  await waitFor(async () => {
    const { deliveries } = await tenant.client.getEvent(eventId)
    expect(deliveries[0]?.attempts).toMatchObject([{ status: 500 }])
  })
  expect(await noticesOf(warned)).toEqual([[]])
  await tenant.client.retryDelivery(id, eventId)
  const noticed = await waitFor(async () => {
    const found = await noticesOf(warned)
    expect(found).toMatchObject([[{ channel: 'webhook' }]])
    return found
  })
  const [first] = noticed?.[0] ?? []
  expect((first?.at ?? '') >= warned.raisedAt).toBe(true)
  await tenant.client.retryDelivery(id, eventId)
  await waitFor(async () => {
    const { deliveries } = await tenant.client.getEvent(eventId)
    expect(deliveries[0]?.attempts).toHaveLength(3)
  })
  expect(await noticesOf(warned)).toEqual(noticed)
})

test('a notice names its raise, lies between the raise and now, and at most 99 are kept', async () => {
  const [warned, other] = [await warn(), await warn()]
  const { tenant, id, eventId, raisedAt } = warned
  const path = `/v1/facilities/${id}/margin-warnings/1/notices`
  const notice = { event_id: eventId, channel: 'email', sent_at: raisedAt, reference: 'mail-1' }
  const send = (change: object, target = path) =>
    tenant.send('POST', target, { body: { ...notice, ...change } })
  const before = new Date(Date.parse(raisedAt) - 1).toISOString()
  const ahead = new Date(Date.parse(raisedAt) + 3_600_000).toISOString()
  const faults = [
    [{ sent_at: before }, '/sent_at', 'out_of_range'],
    [{ sent_at: ahead }, '/sent_at', 'in_future'],
    [{ event_id: other.eventId }, '/event_id', 'mismatch'],
    [{ channel: 'webhook' }, '/channel', 'unknown_value'],
    [{ reference: 'a\u200bb' }, '/reference', 'forbidden_character'],
  ] as const
  for (const [change, pointer, code] of faults) {
    const answer = await send(change)
    expect({ change, status: answer.status }).toEqual({ change, status: 422 })
    expect(answer.json().errors).toMatchObject([{ pointer, code }])
  }
  for (const target of [path.replace('/1/', '/2/'), path.replace(id, other.id)]) {
    expect((await send({}, target)).status).toBe(404)
  }
  expect(await noticesOf(warned)).toEqual([[]])

  const first = await send({})
  expect({ status: first.status, body: first.json() }).toEqual({
    status: 201,
    body: {
      ...{ channel: 'email', at: raisedAt, reference: 'mail-1' },
      recorded_at: expect.any(String),
    },
  })
  const { db } = api.resources
  const rest = Array.from({ length: 97 }, (_, at) => ({
    ...{ tenant_id: tenant.id, event_id: eventId, number: at + 2, channel: 'sms' as const },
    ...{ at: new Date(raisedAt), recorded_at: new Date(raisedAt), reference: null },
  }))
  await db.insertInto('margin_notices').values(rest).execute()
  expect((await send({ channel: 'letter' })).status).toBe(201)
  const refused = await send({ channel: 'call' })
  expect({ status: refused.status, code: refused.json().code }).toEqual({
    ...{ status: 409, code: 'limit_reached' },
  })
  expect((await noticesOf(warned))?.[0]).toHaveLength(99)
})

test('a raise without a notice is counted and listed after 15 minutes, not before, on hold or once noticed', async () => {
  const warned = await warn()
  const { tenant, id, eventId, raisedAt } = warned
  const listed = async () => {
    const answer = await operators.send(`/margin/warnings?tenant_id=${tenant.id}&unnoticed=true`, {
      token,
    })
    return answer.json().items.map(({ facility_id }: { facility_id: string }) => facility_id)
  }
  const { db, clock } = api.resources
  const { clock_offset_ms: offset } = await db
    .selectFrom('tenants')
    .select('clock_offset_ms')
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirstOrThrow()
  // The other tests' warnings are older than this one by real time.
  const atMost = Date.parse(raisedAt) - Number(offset) + NOTICE_WITHIN_MS
  const count = (ms: number) => countUnnoticed(db, new Date(atMost + ms), NOTICE_WITHIN_MS)
  const others = await count(0)
  expect(await count(1)).toBe(others + 1)
  expect(await listed()).toEqual([])
  await tenant.client.advanceSandboxClock(NOTICE_WITHIN_MS / 1_000 + 1)
  expect(await listed()).toEqual([id])
  expect(await countUnnoticed(db, clock(), NOTICE_WITHIN_MS)).toBeGreaterThan(0)

  await tenant.client.setSandboxHold(id, true)
  expect(await listed()).toEqual([])
  await tenant.client.setSandboxHold(id, false)
  expect(await listed()).toEqual([id])
  const notice = { event_id: eventId, channel: 'push', sent_at: raisedAt } as const
  await tenant.client.reportNotice(id, 1, notice)
  expect(await listed()).toEqual([])
})

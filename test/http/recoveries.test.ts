import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { TestKey } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import {
  addApproved,
  addDraw,
  lendingApiForFile,
  waitUntil,
} from '../support/lending/lending-api.ts'

const api = lendingApiForFile()
let facility: string
beforeAll(async () => {
  const { id } = await addApproved(api.tenant)
  facility = `/v1/facilities/${id}`
  await addDraw(api.tenant, id, '40000.00')
  await api.tenant.client.setSandboxPrice('BTC', '30000')
  await api.tenant.client.advanceSandboxClock(61)
  await waitUntil(api.tenant, facility, { state: 'CLOSED' })
})

const announce = (key: TestKey, amount: string, idempotencyKey: string = randomUUID()) =>
  key.send('POST', `${facility}/repayments`, { body: { amount, asset: 'USD' }, idempotencyKey })

async function pay(amount: string) {
  const { id } = (await announce(api.tenant, amount)).json()
  const target = `${facility}/repayments/${id}`
  const delivered = { amount, asset: 'USD' }
  const body = { status: 'completed', delivered, reference: randomUUID() }
  expect((await api.tenant.send('POST', `${target}/execution`, { body })).status).toBe(200)
  return await waitUntil(api.tenant, target, { status: 'APPLIED' })
}

const chargedOff = async () => (await api.tenant.send('GET', facility)).json().charged_off

test('a charged-off facility takes repayments, shows what is recovered, then refuses more', async () => {
  // 40,000.00 and cents of interest are owed; the sale brought 30,000.00 less one per cent.
  const { principal: deficit, ...rest } = await chargedOff()
  expect(deficit).toMatch(/^10300\.\d\d$/)
  expect(rest).toEqual({ interest: '0.00', recovered: '0.00' })
  const part = deficit.replace('10300', '300')
  const key = randomUUID()
  const announced = await announce(api.tenant, part, key)
  expect(announced.status).toBe(201)
  expect(announced.json().instructions).toHaveLength(1)
  const again = await announce(api.tenant, part, key)
  expect([again.status, again.text]).toEqual([201, announced.text])

  expect(await pay(part)).toMatchObject({
    recovery: true,
    allocation: { principal: { amount: part }, refund_due: { amount: '0.00' } },
  })
  expect(await chargedOff()).toMatchObject({ recovered: part })
  expect(await pay('10000.50')).toMatchObject({
    recovery: true,
    allocation: { principal: { amount: '10000.00' }, refund_due: { amount: '0.50' } },
  })
  expect(await chargedOff()).toMatchObject({ recovered: deficit })
  const { outstanding, state } = (await api.tenant.send('GET', facility)).json()
  expect([outstanding.total, state]).toEqual(['0.00', 'CLOSED'])
  expectProblem(await announce(api.tenant, '1.00'), 409, 'facility_not_approved')
})

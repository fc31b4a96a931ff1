import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { applySuspense, returnSuspense } from '../../src/domain/repayments/suspense.ts'
import type { TenantContext } from '../../src/domain/tenants/tenant-context.ts'
import type { TestTenant } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import {
  addApproved,
  addDraw,
  lendingApiForFile,
  waitUntil,
} from '../support/lending/lending-api.ts'

const api = lendingApiForFile()

type Loan = { tenant: TestTenant; id: string; borrowerId: string; target: string }

async function addLoan(drawn: string): Promise<Loan> {
  const tenant = await api.addTenant()
  const { id, borrowerId } = await addApproved(tenant)
  await addDraw(tenant, id, drawn)
  return { tenant, id, borrowerId, target: `/v1/facilities/${id}` }
}

/** Reports what was announced under the reference, and waits until it is applied; its body. */
async function pay({ tenant, id, target }: Loan, paid: string, reference: string, asset = 'USD') {
  const delivered = { amount: paid, asset }
  const announced = await tenant.client.createRepayment(id, delivered)
  await tenant.client.reportExecution(id, announced.id, {
    status: 'completed',
    ...{ delivered, reference },
  })
  return await waitUntil(tenant, `${target}/repayments/${announced.id}`, { status: 'APPLIED' })
}

const eventsAbout = async ({ tenant }: Loan, repaymentId: string) => {
  const { items } = (await tenant.send('GET', '/v1/events?limit=500')).json()
  return items.filter(({ resource }: { resource: { id: string } }) => resource.id === repaymentId)
}

const linesOf = async ({ tenant, target }: Loan) =>
  (await tenant.send('GET', `${target}/statement`)).json().lines

/** What two operators have confirmed. */
const decide = <Result>(
  { tenant }: Loan,
  act: (context: TenantContext) => Promise<Result>,
): Promise<Result> => {
  const now = new Date()
  return inTransaction(api.db, (tx) => act({ tx, tenantId: tenant.id, now, realNow: now }))
}

test('more than was reported is received, and what is far beyond is in suspense', async () => {
  const loan = await addLoan('20000.00')
  const paid = await pay(loan, '500.00', 'wire-1+over')
  expect(paid).toMatchObject({
    confirmed: { amount: '500.00', asset: 'USD' },
    in_suspense: { amount: '1000.00', asset: 'USD' },
  })
  expect(await eventsAbout(loan, paid.id)).toMatchObject([
    { type: 'repayment.applied', data: { in_suspense: { amount: '1000.00', asset: 'USD' } } },
  ])
  const much = await pay(loan, '500.00', 'wire-2+OVER2500', 'USDC')
  expect(much.in_suspense).toEqual({ amount: '2500', asset: 'USDC' })
  const little = await pay(loan, '500.00', 'wire-3+over100')
  expect(little).toMatchObject({ confirmed: { amount: '600.00', asset: 'USD' } })
  expect(little.in_suspense).toBeUndefined()
  const other = await pay(loan, '500.00', 'wire-4+overdue')
  expect(other).toMatchObject({ confirmed: { amount: '500.00', asset: 'USD' } })
})

test('what operators apply is reported by the event of its own repayment', async () => {
  const loan = await addLoan('20000.00')
  const { id } = await pay(loan, '500.00', 'wire-1+over')
  await decide(loan, (context) => applySuspense(context, id))
  const { items } = (await loan.tenant.send('GET', `${loan.target}/repayments`)).json()
  const part = items.find(({ split_from: from }: { split_from?: string }) => from === id)
  await waitUntil(loan.tenant, `${loan.target}/repayments/${part?.id}`, { status: 'APPLIED' })
  expect(await eventsAbout(loan, part?.id)).toMatchObject([
    { type: 'repayment.applied', data: { split_from: id, confirmed: { amount: '1000.00' } } },
  ])
  const whole = (await loan.tenant.send('GET', `${loan.target}/repayments/${id}`)).json()
  expect(whole.in_suspense).toBeUndefined()
})

test('what operators return is shown by the repayment and the statement, and by no event', async () => {
  const loan = await addLoan('20000.00')
  const { id } = await pay(loan, '500.00', 'wire-1+over')
  await decide(loan, (context) => returnSuspense(context, id, 'account-of-the-payer'))
  const repayment = (await loan.tenant.send('GET', `${loan.target}/repayments/${id}`)).json()
  expect(repayment).toMatchObject({ status: 'APPLIED' })
  expect(repayment.in_suspense).toBeUndefined()
  await expect
    .poll(() => linesOf(loan))
    .toContainEqual(
      expect.objectContaining({ type: 'refund', paid: { amount: '1000.00', asset: 'USD' } }),
    )
  expect(await linesOf(loan)).toContainEqual(
    expect.objectContaining({ type: 'suspense_return', repayment_id: id }),
  )
  expect(await eventsAbout(loan, id)).toHaveLength(1)
})

test('the money pays, and frees nothing until the clock has passed final_at', async () => {
  const loan = await addLoan('40000.00')
  const { tenant, id, borrowerId, target } = loan
  const began = Date.now()
  const paid = await pay(loan, '30000.00', 'card-1+revocable30')
  expect(Date.parse(paid.final_at) - began - 30 * DAY_MS).toBeLessThan(60_000)
  expect(Date.parse(paid.final_at)).toBeGreaterThanOrEqual(began + 30 * DAY_MS)
  const { outstanding } = await tenant.client.getFacility(id)
  expect(Number(outstanding.principal)).toBeLessThan(10_001)
  const body = { amount: '1000.00', asset: 'USD', destination: 'account-4711' }
  const refused = await tenant.send('POST', `${target}/draws`, { body })
  expectProblem(refused, 422, 'credit_limit_exceeded')
  const { now } = await tenant.client.advanceSandboxClock(30 * 86_400)
  await tenant.client.putPortfolio(borrowerId, {
    as_of: now,
    positions: [{ asset: 'BTC', quantity: '1' }],
  })
  expect((await tenant.send('POST', `${target}/draws`, { body })).status).toBe(201)
})

test('money is final 60 days after it was received, or at most 120, and may be more than was reported', async () => {
  const loan = await addLoan('20000.00')
  const began = Date.now()
  const usual = await pay(loan, '10.00', 'card-1+over+revocable')
  expect(usual.in_suspense).toEqual({ amount: '1000.00', asset: 'USD' })
  const longest = await pay(loan, '10.00', 'card-2+revocable999')
  const daysOf = ({ final_at: at }: { final_at: string }) =>
    Math.round((Date.parse(at) - began) / DAY_MS)
  expect([usual, longest].map(daysOf)).toEqual([60, 120])
})

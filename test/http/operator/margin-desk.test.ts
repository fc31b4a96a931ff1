import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TestTenant } from '../../support/api/api.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'
import {
  addDraw,
  addEligible,
  push,
  startLendingApi,
  waitUntil,
} from '../../support/lending/lending-api.ts'
import { waitFor } from '../../support/process/patience.ts'

let token = ''
const { api, operators } = operatorApiForFile({}, startLendingApi)
beforeAll(async () => {
  token = (await operators.addOperator('viewer')).token
})

const HOUR_SECONDS = 3_600
const dollars = expect.stringMatching(/^\d+\.\d{2}$/)

type Loan = { tenant: TestTenant; id: string; borrowerId: string; path: string }

/** A tenant of its own, with its own clock and prices, and 48,000.00 owed over 1 BTC. */
async function lend(): Promise<Loan> {
  const tenant = await api.addTenant()
  const borrowerId = await addEligible(tenant)
  await push(tenant, borrowerId)
  const limit = { amount: '48000.00', asset: 'USD' }
  const { id } = await tenant.client.createFacility({ borrower_id: borrowerId, limit })
  await waitUntil(tenant, `/v1/facilities/${id}`, { state: 'APPROVED' })
  await addDraw(tenant, id, '48000.00')
  return { tenant, id, borrowerId, path: `/tenants/${tenant.id}/facilities/${id}` }
}

async function holdPrice({ tenant: { client } }: Loan, price: string): Promise<void> {
  await client.setSandboxPrice('BTC', price)
  await client.advanceSandboxClock(61)
}

async function read(path: string) {
  const answer = await operators.send(path, { token })
  expect({ path, status: answer.status, body: answer.json() }).toMatchObject({ path, status: 200 })
  return answer.json()
}

const openOf = async ({ tenant }: Loan) =>
  (await read(`/margin/warnings?tenant_id=${tenant.id}`)).items

/** What tenant and operator are shown between two ticks of the debt's interest, once the custodian has
 * answered. */
async function readOpen(loan: Loan) {
  const readWarning = () => loan.tenant.client.getMarginWarning(loan.id, 1)
  const read = async () => {
    const warning = await readWarning()
    const open = await openOf(loan)
    expect(open[0].custodian).not.toBeNull()
    expect(await readWarning()).toEqual(warning)
    return { warning, open }
  }
  return await waitFor(read, { interval: 100 })
}

describe('the open warnings', () => {
  test('show the time that is left, what cures them, and what the custodian last answered', async () => {
    const loan = await lend()
    await holdPrice(loan, '68000')
    const { warning, open } = await readOpen(loan)
    const [shown, ...others] = open
    const { raises, ...listed } = warning
    expect(raises).toMatchObject([{ notices: [] }])
    expect(others).toEqual([])
    expect(shown).toMatchObject({
      ...listed,
      ...{ tenant_id: loan.tenant.id, borrower_id: loan.borrowerId, valuation_status: 'FRESH' },
      ...{ debt_usd: dollars, collateral_value_usd: '65960.00', reported: [], claimed: null },
      custodian: { positions: [{ asset: 'BTC', quantity: '1' }] },
    })
    const leftMs = Date.parse(shown.cure_deadline) - Date.parse(shown.as_of)
    expect(shown.seconds_left).toBe(Math.floor(leftMs / 1_000))
    expect(shown.seconds_left).toBeLessThanOrEqual(48 * HOUR_SECONDS)
    expect(shown.custodian.read_at <= shown.as_of).toBe(true)
  })

  test('come by deadline, and are filtered by tenant, tier and deadline', async () => {
    const [first, second, third] = [await lend(), await lend(), await lend()]
    await holdPrice(first, '68000')
    await holdPrice(second, '61500')
    await holdPrice(third, '64000')
    const all = (await read('/margin/warnings')).items
    const ids = [first, second, third].map(({ id }) => id)
    const listed = (items: { facility_id: string }[]) =>
      items.map((item) => item.facility_id).filter((id) => ids.includes(id))
    expect(listed(all)).toEqual([second.id, third.id, first.id])
    const deadlines = all.map((item: { cure_deadline: string }) => item.cure_deadline)
    expect(deadlines).toEqual(deadlines.toSorted())

    expect(listed((await read('/margin/warnings?tier=2')).items)).toEqual([third.id])
    const { cure_deadline: due } = (await openOf(third))[0]
    const before = await read(`/margin/warnings?due_before=${due}`)
    expect(listed(before.items)).toEqual([second.id])
    expect(listed(await openOf(first))).toEqual([first.id])
    for (const query of ['tier=4', 'due_before=tomorrow', 'tenant_id=x']) {
      const path = `/margin/warnings?${query}`
      await operators.expectRefusal(path, { token }, 422, 'validation_failed')
    }
  })

  test('show a repayment that was reported until the treasury confirms it, and then the warning is gone', async () => {
    const loan = await lend()
    await holdPrice(loan, '68000')
    const { client } = loan.tenant
    const { cure_amount_usd: amount } = await client.getMarginWarning(loan.id, 1)
    await client.setSandboxPayments('delay')
    const repayment = await client.createRepayment(loan.id, { amount, asset: 'USD' })
    await client.reportExecution(loan.id, repayment.id, {
      ...{ status: 'completed', reference: `wire-${loan.id}` },
      delivered: { amount, asset: 'USD' },
    })
    const [shown] = await openOf(loan)
    expect(shown.reported).toMatchObject([
      { repayment_id: repayment.id, amount: { amount, asset: 'USD' }, credit_usd: amount },
    ])
    const { reported_at: at, holds_until: until } = shown.reported[0]
    expect(Date.parse(until) - Date.parse(at)).toBe(24 * HOUR_SECONDS * 1_000)
    await waitUntil(loan.tenant, `/v1/facilities/${loan.id}/margin-warnings/1`, {
      ...{ status: 'CURED', cured_by: 'repayment' },
    })
    expect(await openOf(loan)).toEqual([])

    const { items } = await read(`${loan.path}/timeline`)
    const sources = items.map(({ source }: { source: string }) => source).reverse()
    expect(sources).toEqual([
      ...['decision', 'repayment_requested', 'repayment_reported'],
      ...['repayment_confirmed', 'decision'],
    ])
    const [cure, confirmed] = items
    expect(cure).toMatchObject({ warning_number: 1, decision: { kind: 'cure', agrees: true } })
    expect(cure.summary).toMatch(/^Cured by a repayment: at the worst prices/)
    expect(confirmed).toMatchObject({
      ...{ repayment_id: repayment.id, warning_number: 1 },
      summary: `The treasury confirmed ${amount} USD to cure warning 1.`,
    })
  })

  test('say that the facility is on hold, while its deadline stands still', async () => {
    const loan = await lend()
    await holdPrice(loan, '68000')
    const isOnHold = async () => {
      const [listed] = await openOf(loan)
      const shown = await read(`${loan.path}/margin-warnings/1`)
      return [listed.on_hold, shown.on_hold]
    }
    expect(await isOnHold()).toEqual([false, false])
    await loan.tenant.client.setSandboxHold(loan.id, true)
    expect(await isOnHold()).toEqual([true, true])
    await loan.tenant.client.setSandboxHold(loan.id, false)
    expect(await isOnHold()).toEqual([false, false])
  })

  test('show collateral that was pushed and that the custodian has not confirmed', async () => {
    const loan = await lend()
    await holdPrice(loan, '68000')
    await readOpen(loan)
    const { client } = loan.tenant
    await client.setSandboxCustodianPositions(loan.borrowerId, [{ asset: 'BTC', quantity: '1' }], {
      lateSeconds: HOUR_SECONDS,
    })
    const { now } = await client.getSandboxClock()
    const positions = [{ asset: 'BTC', quantity: '1.4' }]
    await client.putPortfolio(loan.borrowerId, { as_of: now, positions })
    const [shown] = await openOf(loan)
    expect(shown).toMatchObject({
      claimed: { positions, pushed_at: expect.any(String) },
      custodian: { positions: [{ asset: 'BTC', quantity: '1' }] },
    })
  })
})

describe('a margin call', () => {
  test('is listed while it runs and when it has ended, with its orders, and the timeline shows how it came', async () => {
    const loan = await lend()
    await holdPrice(loan, '68000')
    await holdPrice(loan, '59000')
    const target = `/v1/facilities/${loan.id}/margin-calls/1`
    const ended = await waitUntil(loan.tenant, target, { status: 'COMPLETED' })

    // Between two ticks of the debt's interest.
    const readOnce = async () => {
      const call = await read(`${loan.path}/margin-calls/1`)
      const list = await read(`/margin/calls?status=ended&tenant_id=${loan.tenant.id}`)
      expect(list).toEqual({ items: [call], has_more: false })
      const { outstanding } = await loan.tenant.client.getFacility(loan.id)
      expect(call.debt_usd).toBe(outstanding.total)
      return call
    }
    const call = await waitFor(readOnce, { interval: 100 })
    expect(Number(call.debt_usd)).toBeGreaterThan(1_000)
    const { quantity, proceeds_usd: proceeds } = ended.sold[0]
    expect(call).toMatchObject({
      ...ended,
      ...{ tenant_id: loan.tenant.id, created_at: expect.any(String) },
      ...{ borrower_id: loan.borrowerId, deficit_usd: '0.00' },
      orders: [
        {
          ...{ number: 1, asset: 'BTC', quantity, in_kind: false, status: 'FILLED' },
          fill: { quantity, proceeds_usd: proceeds, costs_usd: ended.costs_usd },
        },
      ],
    })
    expect((await read(`/margin/calls?tenant_id=${loan.tenant.id}`)).items).toEqual([])

    const { items } = await read(`${loan.path}/timeline?limit=100`)
    expect(items.map(({ source }: { source: string }) => source).reverse()).toEqual([
      ...['decision', 'decision', 'decision', 'call_started'],
      ...['order_placed', 'order_filled', 'call_ended'],
    ])
    const kinds = items.flatMap(({ decision }: { decision: { kind: string } | null }) =>
      decision ? [decision.kind] : [],
    )
    expect(kinds).toEqual(['escalate', 'worsen', 'raise'])
    const times = items.map(({ at }: { at: string }) => at)
    expect(times).toEqual(times.toSorted().reverse())

    // As it was a moment before: no control of the sandbox keeps an order waiting.
    await sql`
      UPDATE margin_sales SET status = 'ORDERED', executed_at = NULL, filled_units = NULL
      WHERE facility_id = ${loan.id}`.execute(api.db)
    await sql`
      UPDATE margin_calls SET status = 'SELLING', outcome = NULL, completed_at = NULL
      WHERE facility_id = ${loan.id}`.execute(api.db)
    const running = await read(`/margin/calls?tenant_id=${loan.tenant.id}`)
    expect(running.items).toMatchObject([
      { facility_id: loan.id, status: 'SELLING', orders: [{ status: 'ORDERED', fill: null }] },
    ])
    expect(await read(loan.path)).toMatchObject({ running_call: 1, health: 'MARGIN_CALL' })
    expect((await read(`/margin/calls?status=ended&tenant_id=${loan.tenant.id}`)).items).toEqual([])
  })
})

test('a facility shows what was charged off and recovered, and its timeline money that went back', async () => {
  const loan = await lend()
  const { client } = loan.tenant
  expect(await read(loan.path)).toMatchObject({ charged_off_usd: null, recovered_usd: null })
  await holdPrice(loan, '40000')
  await waitUntil(loan.tenant, `/v1/facilities/${loan.id}`, { state: 'CLOSED' })
  const [amount, reference] = ['1000.00', `wire-${loan.id}`]
  const { id } = await client.createRepayment(loan.id, { amount, asset: 'USD' })
  const delivered = { amount, asset: 'USD' } as const
  await client.reportExecution(loan.id, id, { status: 'completed', reference, delivered })
  const repayment = `/v1/facilities/${loan.id}/repayments/${id}`
  await waitUntil(loan.tenant, repayment, { status: 'APPLIED' })
  const { charged_off: lost } = await client.getFacility(loan.id)
  const lostUsd = (Number(lost?.principal) + Number(lost?.interest)).toFixed(2)
  const facility = { state: 'CLOSED', debt_usd: '0.00', charged_off_usd: lostUsd }
  expect(await read(loan.path)).toMatchObject({ ...facility, recovered_usd: amount })

  await client.returnSandboxPayment({ repayment_id: id, code: 'recalled' })
  await waitUntil(loan.tenant, repayment, { status: 'REVERSED' })
  expect(await read(loan.path)).toMatchObject({ ...facility, recovered_usd: '0.00' })
  const [newest] = (await read(`${loan.path}/timeline`)).items
  expect(newest).toMatchObject({
    ...{ source: 'repayment_returned', repayment_id: id },
    summary: '1000.00 USD went back to the payer: recalled.',
  })
})

describe('a warning', () => {
  test('has its facility, each decision in words and decided again, and says so where the record is wrong', async () => {
    const loan = await lend()
    await holdPrice(loan, '68000')
    expect(await read(loan.path)).toMatchObject({
      ...{ tenant_id: loan.tenant.id, id: loan.id, borrower_id: loan.borrowerId },
      ...{ state: 'APPROVED', health: 'WARNING', limit_usd: '48000.00', principal_usd: '48000.00' },
      ...{ collateral_value_usd: '65960.00', open_warning: 1, running_call: null },
      positions: [{ asset: 'BTC', quantity: '1', price_usd: '68000', haircut: '0.03' }],
    })
    const path = `${loan.path}/margin-warnings/1`
    const warning = await read(path)
    const decisions = await loan.tenant.client.listMarginDecisions(loan.id, 1)
    expect(warning.decisions).toMatchObject(decisions)
    expect(warning.decisions).toMatchObject([
      {
        agrees: true,
        recorded: `raise to tier 1 until ${warning.cure_deadline}`,
        summary: expect.stringMatching(
          /^Warning raised at tier 1, to cure until .*Z: 48000\.\d\d USD was owed, and at the best prices of the window the collateral counted 65960\.00 USD: an LTV of 0\.7277\d\d, above 0\.7\.$/,
        ),
      },
    ])
    await sql`
      UPDATE margin_decisions
      SET facts = jsonb_set(facts, '{positions,0,units}', '{"$int": "500000000"}')
      WHERE facility_id = ${loan.id}`.execute(api.db)
    const [decision] = (await read(path)).decisions
    expect(decision).toMatchObject({ agrees: false, recomputed: 'nothing' })
    expect(decision.recorded).toBe(`raise to tier 1 until ${warning.cure_deadline}`)
  })
})

test('the amendments that wait are listed, page by page, with the event that gave their notice', async () => {
  const loan = await lend()
  const { next_terms: next } = await loan.tenant.client.amendSandboxFacility(loan.id, {
    rate: '0.12',
  })
  const { items: events } = await loan.tenant.client.listEvents({ type: 'facility.terms_changed' })
  const listed: unknown[] = []
  for (let from = ''; ; ) {
    const page = await read(`/amendments?limit=1${from}`)
    listed.push(...page.items)
    if (!page.has_more) break
    from = `&from=${encodeURIComponent(page.next_cursor)}`
  }
  expect(listed).toContainEqual({
    ...{ tenant_id: loan.tenant.id, facility_id: loan.id, effective_at: next?.effective_at },
    ...{ version: 0, rate: '0.12', bound_version: 0, asked_by: null, event_id: events.at(-1)?.id },
  })
})

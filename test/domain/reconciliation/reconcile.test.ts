import { expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { reconcileDue, reconcileNext } from '../../../src/domain/reconciliation/reconcile.ts'
import { applySuspense, returnSuspense } from '../../../src/domain/repayments/suspense.ts'
import { correct } from '../../support/lending/corrections.ts'
import { houseForEachTest } from '../../support/lending/houses.ts'
import {
  addDrawnFacility,
  announce,
  draw,
  pass,
  pushPortfolio,
  repay,
  report,
  settle,
  usd,
  usdc,
} from '../../support/lending/lending.ts'
import { addBorrowed, holdPrice } from '../../support/lending/margin.ts'
import { giveBack } from '../../support/lending/returns.ts'

const lending = houseForEachTest({ now: '2026-11-20T23:00:00Z' })

const going = new AbortController().signal

const context = () => {
  const { db, payments, custodian, instant } = lending.context
  return { db, payments, custodian, instant, isSandbox: false }
}

/** Of this house's tenant: others' houses are in the same database. */
async function reconcile(): Promise<void> {
  await reconcileDue(context(), going)
  while (await reconcileNext(context(), lending.tenantId));
}

async function breaks(): Promise<string[]> {
  const rows = await lending.db
    .selectFrom('reconciliation_breaks')
    .select(['kind', 'item_id', 'resolved_by'])
    .where('tenant_id', '=', lending.tenantId)
    .orderBy('break_id')
    .execute()
  return rows
    .map((row) => [row.kind, row.item_id, ...(row.resolved_by ? ['resolved'] : [])].join(' '))
    .sort()
}

/** Begins to reconcile, before anything is booked that a break could be of. */
async function begin(): Promise<string> {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  await reconcile()
  await pass(lending, 2 * DAY_MS, DAY_MS)
  await reconcile()
  await pushAgain(id)
  return id
}

/** So that it can be drawn again. */
async function pushAgain(id: string): Promise<void> {
  await pushPortfolio(lending, (await facilityOf(id)).borrower_id)
  await settle(lending)
}

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    await pass(lending, DAY_MS, DAY_MS)
    await reconcile()
  }
}

const bankDays = (callId: string) => lending.bank.lines.filter((line) => line.callId === callId)

test.each(['UTC', 'America/New_York', 'Asia/Tokyo'])(
  'thirty days of draws, receipts, returns, suspense, refunds and sales show no break in %s',
  async (timeZone) => {
    lending.bank.timeZone = timeZone
    lending.bank.pageSize = 2
    const id = await begin()
    await draw(lending, id, usdc(500_000_000n))
    lending.payments.next = ['pending', 'pending']
    await settle(lending)
    // A payout, and a receipt, that are pending over midnight.
    await pass(lending, 2 * HOUR_MS, HOUR_MS)
    await settle(lending)
    lending.receivedAt.set('late', addMs(lending.now(), -30 * MINUTE_MS))
    await repay(lending, id, usd(300_00n), 'late')
    lending.payments.next = ['pending']
    await settle(lending)
    await pass(lending, DAY_MS / 2, HOUR_MS)
    await reconcile()
    // Far more than was claimed: a part is applied, what is left of another goes back.
    lending.received.set('over', usd(2_000_00n))
    const over = await repay(lending, id, usd(100_00n), 'over')
    await settle(lending)
    await inTransaction(lending.db, (tx) => applySuspense(lending.within(tx), over.id))
    await settle(lending)
    lending.received.set('over-again', usd(900_00n))
    const again = await repay(lending, id, usd(100_00n), 'over-again')
    await settle(lending)
    await inTransaction(lending.db, (tx) => returnSuspense(lending.within(tx), again.id, 'acc-9'))
    await settle(lending)
    await passDays(2)
    // In another asset: it goes back as it came.
    lending.received.set('bitcoin', { asset: 'USDC', units: 5_000_000n })
    await repay(lending, id, usd(5_00n), 'bitcoin')
    await settle(lending)
    await passDays(2)
    // The transfer of both parts is taken back, and a draw comes back.
    await giveBack(lending, over.id)
    await pushAgain(id)
    const other = await draw(lending, id, usd(50_00n))
    await settle(lending)
    await passDays(3)
    await giveBack(lending, other.id, { amount: usd(20_00n) })
    await correct(lending, id, { kind: 'credit', cents: 10_00n })
    await passDays(20)
    expect(await breaks()).toEqual([])
    const listed = await lending.db
      .selectFrom('reconciled_days')
      .select(['day', 'accounts'])
      .where('tenant_id', '=', lending.tenantId)
      .execute()
    expect(listed.length).toBeGreaterThan(28)
    expect(listed.at(-1)?.accounts).toBe(1)
    expect(lending.bank.lines.length).toBeGreaterThan(10)
  },
)

const facilityOf = async (id: string) =>
  await lending.db
    .selectFrom('facilities')
    .select('borrower_id')
    .where('facility_id', '=', id)
    .executeTakeFirstOrThrow()

test('a sale of collateral is on the bank and in the books, and makes no break', async () => {
  const { id } = await addBorrowed(lending)
  await reconcile()
  await pass(lending, 2 * DAY_MS, DAY_MS)
  await reconcile()
  await holdPrice(lending, '50000')
  await settle(lending)
  await pass(lending, 10 * MINUTE_MS, MINUTE_MS)
  await passDays(6)
  expect(lending.bank.lines.some((line) => line.transferId.startsWith(`sold-${id}`))).toBe(true)
  expect(await breaks()).toEqual([])
})

test('each kind of break is found once, and one that is cleared up since is resolved by itself', async () => {
  const id = await begin()
  const draws = []
  for (let n = 0; n < 4; n += 1) {
    draws.push(await draw(lending, id, usd(100_00n)))
    await settle(lending)
  }
  const [gone, less, late] = draws.map((one) => bankDays(one.id)[0])
  if (!gone || !less || !late) throw new Error('the bank has not paid')
  const { bank } = lending
  bank.lines.splice(bank.lines.indexOf(gone), 1)
  less.amount = usd(-99_00n)
  late.at = addMs(late.at, 2 * DAY_MS)
  bank.lines.push({
    ...{ transferId: 'unknown', amount: usd(7_00n), callId: undefined, returns: undefined },
    at: lending.now(),
  })
  const [first, second, third] = draws.map((one) => one.id)
  await passDays(2)
  expect(await breaks()).toEqual([
    'missing_here unknown',
    `missing_there ${first}`,
    `missing_there ${third}`,
    `other_amount ${second}`,
  ])
  // The third appears two days late, the first after a week.
  await passDays(4)
  bank.lines.push({ ...gone, at: lending.now() })
  await passDays(3)
  expect(await breaks()).toEqual([
    'missing_here unknown',
    `missing_there ${first} resolved`,
    `missing_there ${third} resolved`,
    `other_amount ${second}`,
    `other_day ${first}`,
    `other_day ${third}`,
  ])
})

test('a receipt that nobody has reported is missing here until it is', async () => {
  const id = await begin()
  const receivedAt = lending.now()
  const repayment = await announce(lending, id, usd(50_00n))
  lending.receivedAt.set('wire-1', receivedAt)
  const transferId = `transfer-${lending.tenantId}-wire-1`
  lending.bank.lines.push({
    ...{ transferId, amount: usd(50_00n), callId: undefined, returns: undefined, at: receivedAt },
  })
  await passDays(2)
  expect(await breaks()).toEqual([`missing_here ${transferId}`])
  await report(lending, repayment, 'wire-1')
  await settle(lending)
  await passDays(2)
  expect(await breaks()).toEqual([`missing_here ${transferId} resolved`])
})

test('collateral that the custodian does not hold, and a floor of another amount, are breaks until they end', async () => {
  const id = await begin()
  const { borrower_id: borrowerId } = await facilityOf(id)
  await pass(lending, DAY_MS)
  lending.held.set(borrowerId, [{ asset: 'BTC', units: 90_000_000n }])
  const lien = lending.liens.get(id)
  if (!lien) throw new Error('no lien')
  lending.liens.set(id, { ...lien, floorCents: 1n })
  await reconcile()
  expect(await breaks()).toEqual([`other_amount ${id}/BTC`, `other_amount ${id}/floor`])
  lending.held.delete(borrowerId)
  await passDays(2)
  expect(await breaks()).toContain(`other_amount ${id}/BTC resolved`)
})

test('a worker that ends between its calls leaves the day to the next, which finds the same', async () => {
  const id = await begin()
  await draw(lending, id, usd(100_00n))
  await settle(lending)
  lending.bank.pageSize = 1
  // Of the newest day that is due the accounts are asked for too.
  await pass(lending, DAY_MS, DAY_MS)
  const { custodian } = lending.context
  const failing = { ...custodian, accounts: () => new Promise<never>(() => undefined) }
  // As after kill -9: its lease stands, and it never comes back.
  void reconcileNext({ ...context(), custodian: failing }, lending.tenantId)
  await expect
    .poll(async () => (await progress()).leased_until?.getTime(), { timeout: 10_000 })
    .toBeGreaterThan(lending.now().getTime())
  expect(await reconcileNext(context(), lending.tenantId)).toBe(false)
  await pass(lending, 10 * MINUTE_MS, 10 * MINUTE_MS)
  await reconcile()
  await passDays(3)
  expect(await breaks()).toEqual([])
  expect((await progress()).leased_until).toBeNull()
})

const progress = async () =>
  await lending.db
    .selectFrom('reconciliations')
    .selectAll()
    .where('tenant_id', '=', lending.tenantId)
    .executeTakeFirstOrThrow()

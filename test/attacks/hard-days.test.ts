import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { getDraw, requestDraw } from '../../src/domain/facilities/draws/draws.ts'
import { checkLedger } from '../../src/domain/facilities/ledger/check-ledger.ts'
import { redirectRefund } from '../../src/domain/facilities/refunds/redirect-refund.ts'
import { changeFacility } from '../../src/domain/margin/change-facility.ts'
import { holdFacility, releaseFacility } from '../../src/domain/margin/hold-facility.ts'
import { alwaysBy, DEFAULT_MARGIN_POLICY } from '../../src/domain/margin/policy.ts'
import { houseForEachTest } from '../support/lending/houses.ts'
import {
  addDrawnFacility,
  type Lending,
  pass,
  pushPortfolio,
  read,
  repay,
  requestClosing,
  settle,
  usd,
} from '../support/lending/lending.ts'
import {
  addBorrowed,
  expectSound,
  holdPrice,
  ordersOf,
  readWarnings,
  tick,
} from '../support/lending/margin.ts'
import { giveBack } from '../support/lending/returns.ts'

const lending = houseForEachTest()

const refundsOf = async (id: string) =>
  await lending.db
    .selectFrom('refunds')
    .selectAll()
    .where('facility_id', '=', id)
    .orderBy('created_at')
    .orderBy('refund_id')
    .execute()

async function drawOf(id: string): Promise<string> {
  const { draw_id: drawId } = await lending.db
    .selectFrom('draws')
    .select('draw_id')
    .where('facility_id', '=', id)
    .executeTakeFirstOrThrow()
  return drawId
}

/** A repayment of more than is owed; the payment of its refund is ordered, and not answered. */
async function overpay(id: string, cents: bigint): Promise<void> {
  lending.onReceipt = () => {
    lending.payments.next = ['done', 'pending', 'pending']
  }
  await repay(lending, id, usd(cents))
  await settle(lending)
  lending.onReceipt = () => undefined
}

test('a refund under way to where a draw came back from is recalled, and waits for a redirect', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  await overpay(id, 10_300_00n)
  expect(await refundsOf(id)).toMatchObject([{ status: 'PENDING', ordered: 0 }])
  lending.payments.next = ['refused']
  await giveBack(lending, await drawOf(id))
  lending.payments.next = ['refused', 'refused']
  await pass(lending, HOUR_MS, MINUTE_MS)
  for (const refund of await refundsOf(id)) {
    expect(refund).toMatchObject({ status: 'PENDING', awaits_redirect: true })
  }
  expect(await checkLedger(lending.db)).toEqual([])
})

test('the release of a facility that takes hours to be recalled leaves its warning two hours', async () => {
  const { id } = await addBorrowed(lending)
  const { id: receipt } = await repay(lending, id, usd(48_000_00n))
  await settle(lending)
  await requestClosing(lending, id)
  lending.custodian.isDown = true
  await settle(lending)
  await holdPrice(lending, '55000')
  await giveBack(lending, receipt)
  await pass(lending, 3 * HOUR_MS, HOUR_MS)
  expect(await read(lending, id)).toMatchObject({ state: 'CLOSING' })
  lending.custodian.isDown = false
  await pass(lending, 10 * MINUTE_MS, MINUTE_MS)
  expect(await read(lending, id)).toMatchObject({ state: 'APPROVED' })
  await tick(lending, MINUTE_MS)
  const [warning] = await readWarnings(lending, id)
  expect(warning).toMatchObject({ status: 'OPEN', tier: 3 })
  const { cure_deadline: deadline, raised_at: raisedAt } = warning ?? {}
  expect(Number(deadline) - Number(raisedAt)).toBeGreaterThanOrEqual(2 * HOUR_MS)
  await tick(lending, HOUR_MS)
  expect(ordersOf(lending, id)).toEqual([])
  await tick(lending, HOUR_MS + MINUTE_MS)
  await tick(lending, MINUTE_MS)
  expect(await readWarnings(lending, id)).toMatchObject([{ status: 'ESCALATED' }])
  await expectSound(lending, id)
})

test('a warning that a return raises has two hours where nothing could be evaluated for longer', async () => {
  const { id } = await addBorrowed(lending)
  const { id: receipt } = await repay(lending, id, usd(20_000_00n))
  await settle(lending)
  await holdPrice(lending, '55000')
  lending.priceAgeMs = HOUR_MS
  lending.hasWindow = false
  await giveBack(lending, receipt)
  await tick(lending, 3 * HOUR_MS)
  lending.priceAgeMs = 0
  lending.hasWindow = true
  await tick(lending, MINUTE_MS)
  const [warning] = await readWarnings(lending, id)
  expect(warning).toMatchObject({ status: 'OPEN', tier: 3 })
  const { cure_deadline: deadline, raised_at: raisedAt } = warning ?? {}
  expect(Number(deadline) - Number(raisedAt)).toBeGreaterThanOrEqual(2 * HOUR_MS)
})

test('a warning that only a return raises has two hours where its terms give less, and its receipt says so', async () => {
  const { id } = await addBorrowed(lending)
  const tiers = DEFAULT_MARGIN_POLICY.tiers.map((tier) => ({ ...tier, windowMs: 30 * MINUTE_MS }))
  const short = alwaysBy({
    policy: lending.policy,
    marginPolicy: { ...DEFAULT_MARGIN_POLICY, tiers },
  })
  lending.terms = short
  Object.assign(lending.context, short, { termsAt: async () => short })
  const { id: receipt } = await repay(lending, id, usd(20_000_00n))
  await settle(lending)
  await holdPrice(lending, '55000')
  await giveBack(lending, receipt)
  const [warning] = await readWarnings(lending, id)
  expect(warning).toMatchObject({ status: 'OPEN', tier: 3, window_deadline: null })
  const { cure_deadline: deadline, raised_at: raisedAt } = warning ?? {}
  expect(Number(deadline) - Number(raisedAt)).toBe(2 * HOUR_MS)
  await tick(lending, 2 * HOUR_MS - MINUTE_MS)
  expect(ordersOf(lending, id)).toEqual([])
  await tick(lending, 2 * MINUTE_MS)
  await tick(lending, MINUTE_MS)
  expect(await readWarnings(lending, id)).toMatchObject([{ status: 'ESCALATED' }])
  await expectSound(lending, id)
})

test('no refund is redirected to where a draw came back from', async () => {
  const { id, borrowerId } = await addDrawnFacility(lending, usd(1_000_00n))
  const first = await drawOf(id)
  await giveBack(lending, first)
  await pushPortfolio(lending, borrowerId)
  const { draw: second } = await inTransaction(lending.db, async (tx) =>
    requestDraw(await changeFacility(lending.within(tx), id), {
      ...{ amount: usd(500_00n), destination: 'account-2' },
    }),
  )
  await settle(lending)
  lending.onReceipt = () => {
    lending.payments.next = ['done', 'refused']
  }
  await repay(lending, id, usd(600_00n))
  await settle(lending)
  lending.onReceipt = () => undefined
  const refund = (await refundsOf(id)).at(-1)
  expect(refund).toMatchObject({ status: 'PENDING', refusals: 1 })
  expect(refund?.destination).toBe(second.destination)
  const redirect = (destination: string) =>
    inTransaction(lending.db, (tx) =>
      redirectRefund(lending.within(tx), refund?.refund_id ?? '', {
        ...{ destination, reason: 'letter of the borrower' },
      }),
    )
  const { destination } = await getDraw(lending.db, lending.tenantId, id, first)
  expect(destination).toBe('account-4711')
  await expect(redirect(destination ?? '')).rejects.toMatchObject({ code: 'validation_failed' })
  await redirect('account-3')
})

async function hold(house: Lending, id: string): Promise<string> {
  const { holdId } = await inTransaction(house.db, (tx) =>
    holdFacility(house.within(tx), id, { kind: 'dispute', reason: 'letter' }),
  )
  return holdId
}

test('a refund that a hold has recalled goes nowhere a draw came back from meanwhile', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  await overpay(id, 10_300_00n)
  lending.payments.isDown = true
  const holdId = await hold(lending, id)
  await settle(lending)
  lending.payments.isDown = false
  lending.payments.next = ['done']
  await giveBack(lending, await drawOf(id))
  await pass(lending, HOUR_MS, MINUTE_MS)
  await inTransaction(lending.db, (tx) => releaseFacility(lending.within(tx), id, holdId))
  await pass(lending, DAY_MS, HOUR_MS)
  for (const refund of await refundsOf(id)) {
    expect(refund).toMatchObject({ status: 'PENDING', awaits_redirect: true })
  }
  expect(await checkLedger(lending.db)).toEqual([])
})

import { expect, test } from 'vitest'
import { createCursorCodec } from '../../src/core/cursor.ts'
import { HOUR_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { checkLedger } from '../../src/domain/facilities/ledger/check-ledger.ts'
import { settleReceipt } from '../../src/domain/repayments/confirm-repayment.ts'
import { askAgain, refuseClaim } from '../../src/domain/repayments/contested.ts'
import { getRepayment, type Repayment } from '../../src/domain/repayments/repayments.ts'
import { pageUndecided } from '../../src/domain/repayments/undecided.ts'
import { findViolations } from '../support/lending/find-violations.ts'
import {
  addDrawnFacility,
  eventsOf,
  type Lending,
  openHousesInOneDatabase,
  read,
  repay,
  report,
  settle,
  usd,
} from '../support/lending/lending.ts'
import { holdPrice, readWarning, tick } from '../support/lending/margin.ts'
import { testKey } from '../support/stores/sealer.ts'

// One bank transfer, of which each of two tenants reports that it paid a repayment of theirs.

const openHouse = openHousesInOneDatabase()
const FIVE = usd(5_000_00n)
const cursors = createCursorCodec([testKey('test')])

type Claim = { house: Lending; repayment: Repayment }

async function reportTwice(transferId: string): Promise<[Claim, Claim]> {
  // Both have drawn before either reports: a house settles what is due of all.
  const drawn = []
  for (const name of ['honest', 'thief']) {
    const house = await openHouse()
    drawn.push({ name, house, facility: await addDrawnFacility(house, usd(20_000_00n)) })
  }
  const claims: Claim[] = []
  for (const { name, house, facility } of drawn) {
    const repayment = await repay(house, facility.id, FIVE, `${transferId} of ${name}`)
    claims.push({ house, repayment })
  }
  for (const { house } of claims) {
    for (const { repayment } of claims) house.transfers.set(repayment.reference ?? '', transferId)
  }
  return claims as [Claim, Claim]
}

const confirm = ({ house, repayment }: Claim, transferId: string) =>
  settleReceipt(house.context, house.tenantId, repayment, {
    transferId,
    amount: FIVE,
  })

const now = ({ house, repayment }: Claim) =>
  getRepayment(house.db, house.tenantId, repayment.facilityId, repayment.id)

async function principalOf({ house, repayment }: Claim): Promise<bigint> {
  return (await read(house, repayment.facilityId)).debt.principalCents
}

async function expectSound({ house }: Claim): Promise<void> {
  expect(await findViolations(house.db)).toEqual([])
  expect(await checkLedger(house.db)).toEqual([])
}

async function listed({ house }: Claim) {
  const { items } = await pageUndecided(house.db, {
    ...{ request: { limit: 100 }, cursors, clockFor: house.context.clockFor },
  })
  return items.filter(({ tenantId }) => tenantId === house.tenantId)
}

test('a transfer that two tenants report pays the first, and the second waits for an operator', async () => {
  const [first, second] = await reportTwice('mt103-1')
  await confirm(first, 'mt103-1')
  await settle(second.house)
  expect(await now(first)).toMatchObject({ status: 'APPLIED' })
  expect(await now(second)).toMatchObject({ status: 'REPORTED', confirmed: undefined })
  expect(await principalOf(first)).toBe(15_000_00n)
  expect(await principalOf(second)).toBe(20_000_00n)
  expect(await eventsOf(second.house, second.repayment.id)).toEqual([])
  expect(await listed(second)).toMatchObject([
    {
      ...{ kind: 'contested', repaymentId: second.repayment.id },
      transfer: {
        id: 'mt103-1',
        paidFor: { tenantId: first.house.tenantId, repaymentId: first.repayment.id },
      },
    },
  ])
  await expectSound(first)
})

test('a transfer that two tenants report at the same time pays one of them', async () => {
  for (let round = 0; round < 5; round += 1) {
    const transferId = `race ${round}`
    const claims = await reportTwice(transferId)
    // Each answer comes twice besides.
    await Promise.all([...claims, ...claims].map((claim) => confirm(claim, transferId)))
    const principals = await Promise.all(claims.map(principalOf))
    expect(principals.sort((a, b) => Number(a - b))).toEqual([15_000_00n, 20_000_00n])
    const statuses = (await Promise.all(claims.map(now))).map(({ status }) => status)
    expect(statuses.sort()).toEqual(['APPLIED', 'REPORTED'])
    await expectSound(claims[0])
  }
})

test('money in another asset is sent back to one of two tenants that report it', async () => {
  const claims = await reportTwice('mt103-2')
  const amount = { asset: 'BTC', units: 1_000n }
  for (const { house, repayment } of claims) {
    await settleReceipt(house.context, house.tenantId, repayment, {
      transferId: 'mt103-2',
      amount,
    })
  }
  const [first, second] = claims
  expect(await now(first)).toMatchObject({ failure: 'asset_mismatch' })
  expect(await now(second)).toMatchObject({ status: 'REPORTED' })
  const refunds = await first.house.db
    .selectFrom('refunds')
    .select('source_id')
    .where('source_id', 'in', [first.repayment.id, second.repayment.id])
    .execute()
  expect(refunds).toEqual([{ source_id: first.repayment.id }])
  await expectSound(first)
})

test('a second claim that an operator refuses fails, and takes the report of another transfer', async () => {
  const [first, second] = await reportTwice('mt103-3')
  await confirm(first, 'mt103-3')
  await confirm(second, 'mt103-3')
  const { house, repayment } = second
  await inTransaction(house.db, (tx) => refuseClaim(house.within(tx), repayment.id))
  expect(await listed(second)).toEqual([])
  await report(house, repayment, 'mt103-3 of its own')
  await settle(house)
  expect(await eventsOf(house, repayment.id)).toEqual([
    'repayment.failed not_received',
    'repayment.applied',
  ])
  expect(await principalOf(second)).toBe(15_000_00n)
  await expectSound(second)
})

test('a second claim is asked about again when an operator decides so, and pays once corrected', async () => {
  const [first, second] = await reportTwice('mt103-4')
  await confirm(first, 'mt103-4')
  await confirm(second, 'mt103-4')
  const { house, repayment } = second
  await inTransaction(house.db, (tx) => askAgain(house.within(tx), repayment.id))
  house.transfers.set(repayment.reference ?? '', 'mt103-4 corrected')
  // The first answer, late: it was given under the number before.
  await confirm(second, 'mt103-4')
  await settle(house)
  expect(await now(second)).toMatchObject({ status: 'APPLIED' })
  expect(await listed(second)).toEqual([])
  await expectSound(second)
})

test('a second claim holds an escalation like any report, and no longer', async () => {
  const house = await openHouse()
  const { id } = await addDrawnFacility(house, usd(40_000_00n))
  const [first] = await reportTwice('mt103-6')
  await confirm(first, 'mt103-6')
  // 40,000.00 against 48,500.00 is above 0.80: two hours. With 20,000.00 less the floor is clear.
  await holdPrice(house, '50000')
  house.transfers.set('mt103-6 of another', 'mt103-6')
  const repayment = await repay(house, id, usd(20_000_00n), 'mt103-6 of another')
  await settle(house)
  const claim = { house, repayment }
  expect(await now(claim)).toMatchObject({ contestedTransfer: 'mt103-6' })
  await tick(house, HOUR_MS)
  // Asked about again, it is contested again: the hold still counts from the report.
  await inTransaction(house.db, (tx) => askAgain(house.within(tx), repayment.id))
  await settle(house)
  expect(await now(claim)).toMatchObject({ contestedTransfer: 'mt103-6' })
  for (let hours = 1; hours < 23; hours += 1) await tick(house, HOUR_MS)
  expect(await readWarning(house, id)).toMatchObject({ status: 'OPEN' })
  for (let halves = 0; halves < 3; halves += 1) await tick(house, HOUR_MS / 2)
  expect(await readWarning(house, id)).toMatchObject({ status: 'ESCALATED' })
  await expectSound(claim)
})

test('neither decision can be made about a repayment that is not contested', async () => {
  const [first] = await reportTwice('mt103-5')
  const { house, repayment } = first
  for (const decide of [askAgain, refuseClaim]) {
    const decided = inTransaction(house.db, (tx) => decide(house.within(tx), repayment.id))
    await expect(decided).rejects.toMatchObject({ code: 'validation_failed' })
  }
  await confirm(first, 'mt103-5')
})

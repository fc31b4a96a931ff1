import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Amount, maxOf, minOf } from '../../../src/core/money.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { hasDeficit } from '../../../src/domain/facilities/closing/recover.ts'
import type { Facility } from '../../../src/domain/facilities/facilities.ts'
import { checkLedger } from '../../../src/domain/facilities/ledger/check-ledger.ts'
import {
  confirmRepayment,
  settleReceipt,
} from '../../../src/domain/repayments/confirm-repayment.ts'
import { getRepayment } from '../../../src/domain/repayments/repayments.ts'
import { crashAtEachStep } from '../../support/lending/crashes.ts'
import { houseForFile } from '../../support/lending/houses.ts'
import {
  announce,
  dataOf,
  eventsOf,
  pass,
  read,
  repay,
  report,
  settle,
  usd,
  usdc,
} from '../../support/lending/lending.ts'
import { addBorrowed, expectSound, holdPrice } from '../../support/lending/margin.ts'

const lending = houseForFile()
beforeEach(() => {
  lending.market.set('USDC', '1')
  lending.onStep = () => undefined
})

/** Charged off: 48,000.00 and a month's interest, less the 0.99 that the collateral brought. */
async function addChargedOff(): Promise<Facility> {
  const { id } = await addBorrowed(lending)
  await pass(lending, 30 * DAY_MS)
  await holdPrice(lending, '1')
  return await read(lending, id)
}

const PRINCIPAL = 48_000_00n
const INTEREST = 393_54n

const readRepayment = (facilityId: string, id: string) =>
  getRepayment(lending.db, lending.tenantId, facilityId, id)

async function sumOf(facilityId: string, account: string, asset = 'USD'): Promise<bigint> {
  const { sum } = await lending.db
    .selectFrom('journal_lines')
    .select((expression) => expression.fn.sum<bigint | null>('amount').as('sum'))
    .where('facility_id', '=', facilityId)
    .where('account', '=', account)
    .where('asset', '=', asset)
    .executeTakeFirstOrThrow()
  return sum ?? 0n
}

async function paidBack(facilityId: string) {
  const refunds = await lending.db
    .selectFrom('refunds')
    .select(['asset', 'amount_units as units', 'status'])
    .where('facility_id', '=', facilityId)
    .orderBy('refund_id')
    .execute()
  return refunds
}

describe('money for a debt that was charged off', () => {
  test('money for a charged-off debt recovers principal, then interest, and what is beyond is refunded', async () => {
    const { id, chargedOff, state } = await addChargedOff()
    expect({ chargedOff, state }).toEqual({
      chargedOff: { principalCents: PRINCIPAL, interestCents: INTEREST, recoveredCents: 0n },
      state: 'CLOSED',
    })
    const first = await repay(lending, id, usd(47_900_00n))
    await settle(lending)
    expect(await readRepayment(id, first.id)).toMatchObject({
      status: 'APPLIED',
      isRecovery: true,
      allocation: { interestCents: 0n, principalCents: 47_900_00n, refundCents: 0n },
    })
    expect(await dataOf(lending, 'repayment.applied', first.id)).toMatchObject({
      recovery: true,
      allocation: { principal: { amount: '47900.00', asset: 'USD' } },
      outstanding_usd: '0.00',
    })
    // No interest runs.
    await pass(lending, 365 * DAY_MS, 100 * DAY_MS)
    const last = await repay(lending, id, usd(1_000_00n))
    await settle(lending)
    expect(await readRepayment(id, last.id)).toMatchObject({
      allocation: { principalCents: 100_00n, interestCents: INTEREST, refundCents: 506_46n },
    })
    expect(await paidBack(id)).toEqual([{ asset: 'USD', units: 506_46n, status: 'PAID' }])
    expect(await read(lending, id)).toMatchObject({
      state: 'CLOSED',
      refundDueCents: 0n,
      chargedOff: { recoveredCents: PRINCIPAL + INTEREST },
    })
    expect(await sumOf(id, 'recoveries')).toBe(-PRINCIPAL - INTEREST)
    expect(await sumOf(id, 'write_offs')).toBe(PRINCIPAL + INTEREST)
    await expect(announce(lending, id, usd(1n))).rejects.toMatchObject({
      code: 'facility_not_approved',
    })
    await expectSound(lending, id)
  })

  test('a recovery in USDC counts by its price, a dollar at most', async () => {
    const { id } = await addChargedOff()
    lending.market.set('USDC', '0.97')
    const { id: repaymentId } = await repay(lending, id, usdc(1_000_000_001n))
    await settle(lending)
    expect(await readRepayment(id, repaymentId)).toMatchObject({
      allocation: { principalCents: 970_00n, interestCents: 0n, refundCents: 0n },
    })
    expect(await sumOf(id, 'recoveries')).toBe(-970_00n)
    await expectSound(lending, id)
  })

  test('a repayment that was announced before the charge-off and reported after it is a recovery', async () => {
    const { id } = await addBorrowed(lending)
    const early = await announce(lending, id, usd(1_000_00n))
    const expired = await announce(lending, id, usd(2_000_00n))
    await pass(lending, 72 * HOUR_MS)
    expect(await eventsOf(lending, expired.id)).toEqual(['repayment.failed expired'])
    await holdPrice(lending, '1')
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED' })
    await report(lending, early)
    await report(lending, expired)
    await settle(lending)
    expect(await eventsOf(lending, early.id)).toEqual([
      'repayment.failed expired',
      'repayment.applied',
    ])
    expect(await read(lending, id)).toMatchObject({ chargedOff: { recoveredCents: 3_000_00n } })
    await expectSound(lending, id)
  })

  test('another asset than was announced is sent back, and nothing is recovered', async () => {
    const { id } = await addChargedOff()
    const announced = await announce(lending, id, usd(1_000_00n))
    lending.received.set('strange', { asset: 'BTC', units: 5n })
    await report(lending, announced, 'strange')
    await settle(lending)
    expect(await eventsOf(lending, announced.id)).toEqual(['repayment.failed asset_mismatch'])
    expect(await paidBack(id)).toEqual([{ asset: 'BTC', units: 5n, status: 'PAID' }])
    expect(await read(lending, id)).toMatchObject({ chargedOff: { recoveredCents: 0n } })
    await expectSound(lending, id)
  })
})

test('a repayment reported while a charged-off facility is closing is recovered before it is closed', async () => {
  const { custodian } = lending.context
  const { releaseLien } = custodian
  custodian.releaseLien = async () => ({
    status: 'pending',
    askAgainAt: addMs(lending.now(), MINUTE_MS),
  })
  const { id, state } = await addChargedOff()
  expect(state).toBe('CLOSING')
  const reported = await repay(lending, id, usd(500_00n))
  custodian.releaseLien = releaseLien
  await pass(lending, HOUR_MS, 10 * MINUTE_MS)
  expect(await eventsOf(lending, reported.id)).toEqual(['repayment.applied'])
  expect(await read(lending, id)).toMatchObject({
    state: 'CLOSED',
    chargedOff: { recoveredCents: 500_00n },
  })
  await expectSound(lending, id)
})

describe('recoveries that race', () => {
  test('two confirmations at once recover the deficit once, and the rest of both is refunded', async () => {
    const { id } = await addChargedOff()
    const { context, tenantId } = lending
    const reported = [
      await repay(lending, id, usd(30_000_00n)),
      await repay(lending, id, usd(30_000_00n)),
    ]
    await Promise.all(
      [...reported, ...reported].map((one) => confirmRepayment(context, tenantId, one.id)),
    )
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({
      chargedOff: { recoveredCents: PRINCIPAL + INTEREST },
    })
    const refunds = await paidBack(id)
    expect(refunds).toEqual([
      { asset: 'USD', units: 60_000_00n - PRINCIPAL - INTEREST, status: 'PAID' },
    ])
    await expectSound(lending, id)
  })

  test('an answer of the treasury that comes again recovers nothing more', async () => {
    const { id } = await addChargedOff()
    const { context, tenantId } = lending
    const reported = await repay(lending, id, usd(100_00n))
    const receipt = { transferId: randomUUID(), amount: usd(100_00n) }
    for (let times = 0; times < 3; times += 1) {
      await settleReceipt(context, tenantId, reported, receipt)
    }
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ chargedOff: { recoveredCents: 100_00n } })
    expect(await eventsOf(lending, reported.id)).toEqual(['repayment.applied'])
  })

  test('a crash between any two steps: a recovery is booked and its rest refunded once', async () => {
    await crashAtEachStep(lending, async (crashing) => {
      const { id } = await addChargedOff()
      const reported = await repay(lending, id, usd(50_000_00n))
      await crashing(() => settle(lending))
      await pass(lending, 60_000, 10_000)
      expect(await eventsOf(lending, reported.id)).toEqual(['repayment.applied'])
      expect(await paidBack(id)).toMatchObject([{ units: 50_000_00n - PRINCIPAL - INTEREST }])
      expect(await read(lending, id)).toMatchObject({
        chargedOff: { recoveredCents: PRINCIPAL + INTEREST },
      })
    })
    expect(await checkLedger(lending.db)).toEqual([])
  })
})

const money = fc.record({
  cents: fc.bigInt(1n, 30_000_00n),
  inUsdc: fc.boolean(),
  price: fc.constantFrom('0.95', '1', '1.02'),
  later: fc.boolean(),
})

test('whatever comes in whatever order, what is recovered is what was paid, and never more than the deficit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(money, { minLength: 1, maxLength: 6 }), async (payments) => {
      const { id } = await addChargedOff()
      let paid = 0n
      for (const { cents, inUsdc, price, later } of payments) {
        lending.market.set('USDC', price)
        if (!hasDeficit(await read(lending, id))) break
        const amount: Amount = inUsdc ? usdc(cents * 10_000n) : usd(cents)
        await repay(lending, id, amount)
        if (later) continue
        await settle(lending)
      }
      await settle(lending)
      const rows = await lending.db
        .selectFrom('repayments')
        .selectAll()
        .where('facility_id', '=', id)
        .execute()
      for (const row of rows) {
        expect(row).toMatchObject({ status: 'APPLIED', is_recovery: true })
        paid += (row.principal_cents ?? 0n) + (row.interest_cents ?? 0n)
      }
      const { chargedOff, debt, refundDueCents } = await read(lending, id)
      expect(chargedOff?.recoveredCents).toBe(paid)
      expect(paid).toBeLessThanOrEqual(PRINCIPAL + INTEREST)
      const principal = rows.reduce((sum, row) => sum + (row.principal_cents ?? 0n), 0n)
      expect(principal).toBe(minOf(paid, PRINCIPAL))
      expect(paid - principal).toBe(maxOf(0n, paid - PRINCIPAL))
      expect([debt.principalCents, refundDueCents]).toEqual([0n, 0n])
      expect(await checkLedger(lending.db)).toEqual([])
    }),
    { numRuns: 8 },
  )
})

test('the database refuses to recover more than was charged off', async () => {
  const { id } = await addChargedOff()
  const recover = (cents: bigint) =>
    lending.db
      .updateTable('facilities')
      .set({ recovered_cents: cents })
      .where('facility_id', '=', id)
      .execute()
  await expect(recover(PRINCIPAL + INTEREST + 1n)).rejects.toThrow('facilities_recovered')
  await expect(recover(-1n)).rejects.toThrow('facilities_recovered')
})

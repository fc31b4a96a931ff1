import fc from 'fast-check'
import { expect, test } from 'vitest'
import { INTEREST_PER_CENT, interestCents } from '../../../../src/core/interest.ts'
import { addMs, DAY_MS } from '../../../../src/core/time.ts'
import { type Debt, outstandingAt } from '../../../../src/domain/facilities/ledger/debt.ts'
import { payoffAt } from '../../../../src/domain/facilities/statements/payoff.ts'

const START = new Date('2026-11-20T12:00:00Z')

const debtOf = (principalCents: bigint, ratePpm = 100_000n): Debt => ({
  principalCents,
  ratePpm,
  interestNumerator: 0n,
  accruedAt: START,
  interestBookedCents: 0n,
  interestPaidCents: 0n,
})

test('48,000.00 at 10 % cost 13.16 a day, and a cent more as soon as one is passed', () => {
  const payoff = payoffAt(debtOf(48_000_00n), addMs(START, 30 * DAY_MS))
  expect(payoff.outstanding).toEqual({
    principalCents: 48_000_00n,
    interestCents: 394_53n,
    totalCents: 48_394_53n,
  })
  expect(payoff.perDayCents).toBe(13_16n)
  // 394.5205 was passed; 394.53 is at 30 days and 62.1 seconds.
  expect(payoff.risesAt).toEqual(new Date('2026-12-20T12:01:02.101Z'))
})

test('a debt without principal or rate does not rise', () => {
  expect(payoffAt(debtOf(0n), START)).toMatchObject({ perDayCents: 0n, risesAt: undefined })
  expect(payoffAt(debtOf(1n, 0n), START)).toMatchObject({ perDayCents: 0n, risesAt: undefined })
  // Its second cent is due in a million years.
  const small = payoffAt(debtOf(1n, 1n), addMs(START, DAY_MS))
  expect(small).toMatchObject({ perDayCents: 1n, risesAt: undefined })
})

const debts = fc
  .record({
    principalCents: fc.bigInt(1n, 10n ** 14n),
    ratePpm: fc.bigInt(1_000n, 1_000_000n),
    interestNumerator: fc.bigInt(0n, 10n ** 6n * INTEREST_PER_CENT),
    paidShare: fc.bigInt(0n, 100n),
  })
  .map(({ paidShare, ...debt }): Debt => {
    const booked = interestCents(debt.interestNumerator)
    const paid = (booked * paidShare) / 100n
    return { ...debt, accruedAt: START, interestBookedCents: booked, interestPaidCents: paid }
  })

test('what closes a debt is the same until it rises by exactly a cent, and a day costs no more than shown', () => {
  const ahead = fc.integer({ min: 0, max: 400 * DAY_MS })
  fc.assert(
    fc.property(debts, ahead, (debt, ms) => {
      const at = addMs(START, ms)
      const { outstanding, risesAt, perDayCents } = payoffAt(debt, at)
      const rises = risesAt ?? at
      expect(rises > at).toBe(true)
      expect(outstandingAt(debt, addMs(rises, -1))).toEqual(outstanding)
      const perMs = debt.principalCents * debt.ratePpm
      const risen = outstandingAt(debt, rises).totalCents - outstanding.totalCents
      // A large debt grows by several cents a millisecond.
      expect(risen).toBeGreaterThanOrEqual(1n)
      expect(risen).toBeLessThanOrEqual(perMs / INTEREST_PER_CENT + 1n)
      const tomorrow = outstandingAt(debt, addMs(at, DAY_MS)).totalCents
      expect(tomorrow - outstanding.totalCents).toBeLessThanOrEqual(perDayCents)
    }),
  )
})

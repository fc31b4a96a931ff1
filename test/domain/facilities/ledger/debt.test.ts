import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accrueInterest, INTEREST_PER_CENT, interestCents } from '../../../../src/core/interest.ts'
import { DAY_MS } from '../../../../src/core/time.ts'
import {
  accrue,
  addPrincipal,
  applyPayment,
  type Debt,
  type PrincipalMovement,
  projectDebtCents,
  returnExcessInterest,
  totalDebtCents,
} from '../../../../src/domain/facilities/ledger/debt.ts'

const START = new Date('2026-01-01T00:00:00Z')
const at = (ms: number) => new Date(START.getTime() + ms)

const NOTHING_OWED: Debt = {
  principalCents: 0n,
  ratePpm: 100_000n,
  interestNumerator: 0n,
  accruedAt: START,
  interestBookedCents: 0n,
  interestPaidCents: 0n,
}

/** A facility's books in memory: what the tables hold, and what has gone back to the borrower. */
type Books = {
  debt: Debt
  movements: PrincipalMovement[]
  drawn: bigint
  repaid: bigint
  refunded: bigint
  confirmed: bigint
}

function openBooks(): Books {
  return { debt: NOTHING_OWED, movements: [], drawn: 0n, repaid: 0n, refunded: 0n, confirmed: 0n }
}

function drawAt(books: Books, cents: bigint, now: Date): Books {
  const debt = addPrincipal(accrue(books.debt, now), cents)
  const movements = [...books.movements, { effectiveAt: debt.accruedAt, deltaCents: cents }]
  return { ...books, debt, movements, drawn: books.drawn + cents }
}

/** Confirms at `now` money that was reported at `valueDate`, as a repayment does. */
function payAt(books: Books, cents: bigint, valueDate: Date, now: Date): Books {
  const later = books.movements
    .filter(({ effectiveAt }) => effectiveAt > valueDate)
    .sort((a, b) => a.effectiveAt.getTime() - b.effectiveAt.getTime())
  const paid = applyPayment(accrue(books.debt, now), cents, valueDate, later)
  const { allocation } = paid
  const repaid = allocation.principal.reduce((sum, part) => sum - part.deltaCents, 0n)
  expect(allocation.interestCents + repaid + allocation.refundCents).toBe(cents)
  for (const bucket of [allocation.interestCents, repaid, allocation.refundCents]) {
    expect(bucket).toBeGreaterThanOrEqual(0n)
  }
  const excess = returnExcessInterest(paid.debt)
  const corrected = { effectiveAt: excess.debt.accruedAt, deltaCents: -excess.principalCents }
  return {
    debt: excess.debt,
    movements: [...books.movements, ...allocation.principal, corrected],
    drawn: books.drawn,
    repaid: books.repaid + repaid + excess.principalCents,
    refunded: books.refunded + allocation.refundCents + excess.refundCents,
    confirmed: books.confirmed + cents,
  }
}

/** What must be true of any books, whatever has happened. */
function expectSound({ debt, movements, drawn, repaid, refunded, confirmed }: Books): void {
  expect(debt.principalCents).toBe(drawn - repaid)
  expect(debt.principalCents).toBeGreaterThanOrEqual(0n)
  expect(debt.interestNumerator).toBeGreaterThanOrEqual(0n)
  expect(debt.interestBookedCents).toBe(interestCents(debt.interestNumerator))
  expect(debt.interestPaidCents).toBeLessThanOrEqual(debt.interestBookedCents)
  expect(refunded).toBeGreaterThanOrEqual(0n)
  expect(confirmed).toBe(repaid + debt.interestPaidCents + refunded)
  // The interest is that of the principal as it moved, whatever the order in which it was booked.
  const moved = movements.reduce(
    (sum, { effectiveAt, deltaCents }) =>
      sum + accrueInterest(deltaCents, debt.ratePpm, effectiveAt, debt.accruedAt),
    0n,
  )
  expect(debt.interestNumerator).toBe(moved)
}

describe('worked examples', () => {
  const drawn = drawAt(openBooks(), 20_000_00n, START).debt

  // 20,000.00 · 0.10 · days / 365, by hand.
  test.each([
    [1, 5_48n], // 5.479452…
    [30, 164_39n], // 164.383561…
    [73, 400_00n], // exactly a fifth of a year
    [365, 2_000_00n],
  ])('20,000.00 at 10 %% owe exact interest after %i days', (days, interest) => {
    expect(totalDebtCents(drawn, at(days * DAY_MS))).toBe(20_000_00n + interest)
  })

  test('20,000.00, of which 5,000.00 are paid after 30 days, owe exact interest after 60 days', () => {
    let books = drawAt(openBooks(), 20_000_00n, START)
    books = payAt(books, 5_000_00n, at(30 * DAY_MS), at(30 * DAY_MS))
    // 164.39 of interest first; 4,835.61 of principal; 15,164.39 left.
    expect(books.debt).toMatchObject({ principalCents: 15_164_39n, interestPaidCents: 164_39n })
    // 164.383561… + 15,164.39 · 0.10 · 30 / 365 = 164.383561… + 124.638821… = 289.022383…,
    // of which 164.39 are paid.
    expect(totalDebtCents(books.debt, at(60 * DAY_MS))).toBe(15_164_39n + 124_64n)
    expectSound(books)
  })

  test('a payment confirmed ten days late counts from its report', () => {
    const onTime = payAt(
      drawAt(openBooks(), 20_000_00n, START),
      5_000_00n,
      at(30 * DAY_MS),
      at(30 * DAY_MS),
    )
    const late = payAt(
      drawAt(openBooks(), 20_000_00n, START),
      5_000_00n,
      at(30 * DAY_MS),
      at(40 * DAY_MS),
    )
    expect(late.debt).toEqual(accrue(onTime.debt, at(40 * DAY_MS)))
  })

  test('a payoff overtaken by another that was confirmed sooner costs no interest', () => {
    // Both reported; the second, of day 90, is confirmed first, for the whole debt.
    let books = drawAt(openBooks(), 10_000_00n, START)
    books = payAt(books, 10_246_58n, at(90 * DAY_MS), at(91 * DAY_MS)) // 246.575342…
    expect(books.debt).toMatchObject({ principalCents: 0n, interestPaidCents: 246_58n })
    // The first, reported when 10,000.00 had just been drawn, turns out to have paid it all then.
    books = payAt(books, 10_000_00n, START, at(92 * DAY_MS))
    expect(books.debt).toMatchObject({ principalCents: 0n, interestPaidCents: 0n })
    expect(books.refunded).toBe(10_246_58n)
    expectSound(books)
  })

  test('interest that was not owed after all pays principal before it is refunded', () => {
    let books = drawAt(openBooks(), 10_000_00n, START)
    books = payAt(books, 1_000_00n, at(73 * DAY_MS), at(73 * DAY_MS)) // 200.00 of interest
    expect(books.debt).toMatchObject({ principalCents: 9_200_00n, interestPaidCents: 200_00n })
    // Half had been paid on the first day, so that day 73 owed 100.00 only: 100.00 too much.
    books = payAt(books, 5_000_00n, START, at(73 * DAY_MS))
    expect(books.debt).toMatchObject({ principalCents: 4_100_00n, interestPaidCents: 100_00n })
    expect(books.refunded).toBe(0n)
    expectSound(books)
  })
})

const cents = fc.bigInt({ min: 1n, max: 5_000_000_00n })
const millis = fc.integer({ min: 0, max: 400 * DAY_MS })

describe('whatever happens', () => {
  const step = fc.record({
    kind: fc.constantFrom('draw', 'pay', 'pay', 'read'),
    cents,
    gapMs: fc.integer({ min: 0, max: 30 * DAY_MS }),
    reportedAgoMs: fc.integer({ min: 0, max: 60 * DAY_MS }),
  })

  test('whatever happens, principal = drawn − repaid, interest follows the principal, and no cent is lost', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let books = openBooks()
        let now = START.getTime()
        for (const { kind, cents: amount, gapMs, reportedAgoMs } of steps) {
          now += gapMs
          const reportedAt = new Date(Math.max(START.getTime(), now - reportedAgoMs))
          if (kind === 'draw') books = drawAt(books, amount, new Date(now))
          if (kind === 'pay') books = payAt(books, amount, reportedAt, new Date(now))
          if (kind === 'read') books = { ...books, debt: accrue(books.debt, new Date(now)) }
          expectSound(books)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('extra accruals change neither the debt nor its projection', () => {
    fc.assert(
      fc.property(cents, fc.array(millis, { maxLength: 10 }), (amount, reads) => {
        const plain = drawAt(openBooks(), amount, START).debt
        const often = [...reads].sort((a, b) => a - b).reduce((d, ms) => accrue(d, at(ms)), plain)
        const end = at(500 * DAY_MS)
        expect(totalDebtCents(often, end)).toBe(totalDebtCents(plain, end))
        expect(accrue(often, end)).toEqual(accrue(plain, end))
      }),
    )
  })

  test('the clock of one worker behind that of another takes no interest back', () => {
    const debt = accrue(drawAt(openBooks(), 10_000_00n, START).debt, at(DAY_MS))
    expect(accrue(debt, at(DAY_MS - 1))).toEqual(debt)
  })

  test('the total shown at the report, paid, leaves exactly nothing, however late confirmed', () => {
    fc.assert(
      fc.property(cents, millis, millis, (amount, reportMs, confirmMs) => {
        const books = drawAt(openBooks(), amount, START)
        const total = totalDebtCents(books.debt, at(reportMs))
        const paid = payAt(books, total, at(reportMs), at(reportMs + confirmMs))
        expect(paid.refunded).toBe(0n)
        expect(totalDebtCents(paid.debt, at(1_000 * DAY_MS))).toBe(0n)
      }),
    )
  })

  test('a report stamped by a clock ahead of the one that books it pays what it saw', () => {
    fc.assert(
      fc.property(cents, millis, fc.integer({ min: 1, max: 60_000 }), (amount, ms, aheadMs) => {
        const books = drawAt(openBooks(), amount, START)
        const total = totalDebtCents(books.debt, at(ms + aheadMs))
        const paid = payAt(books, total, at(ms + aheadMs), at(ms))
        expectSound(paid)
        expect(paid.refunded).toBe(0n)
        expect(totalDebtCents(paid.debt, at(1_000 * DAY_MS))).toBe(0n)
      }),
    )
  })

  test('a draw between report and confirmation is still owed, and nothing before it', () => {
    fc.assert(
      fc.property(cents, cents, millis, (first, second, reportMs) => {
        let books = drawAt(openBooks(), first, START)
        const total = totalDebtCents(books.debt, at(reportMs))
        books = drawAt(books, second, at(reportMs + 1))
        books = payAt(books, total, at(reportMs), at(reportMs + DAY_MS))
        expect(books.debt.principalCents).toBe(second)
        expectSound(books)
      }),
    )
  })
})

describe('repayments confirmed in any order', () => {
  const reports = fc.array(fc.record({ cents: fc.bigInt(1n, 400_000_00n), ms: millis }), {
    minLength: 2,
    maxLength: 5,
  })

  /**
   * What holds: no cent is lost, and the borrower is worse off by no order. What orders may
   * differ by is interest on interest: money that was taken for interest, and turns out to have
   * been principal, counts as principal from the moment that this is known.
   */
  test('repayments confirmed in any order come to the same debt but for interest on the interest that was moved', () => {
    fc.assert(
      fc.property(reports, fc.infiniteStream(fc.nat()), (given, keys) => {
        const now = at(401 * DAY_MS)
        const drawn = drawAt(openBooks(), 1_000_000_00n, START)
        const apply = (order: typeof given) =>
          order.reduce((books, it) => payAt(books, it.cents, at(it.ms), now), drawn)
        const inOrder = apply([...given].sort((a, b) => a.ms - b.ms))
        const shuffled = given
          .map((it) => ({ it, key: keys.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ it }) => it)
        const other = apply(shuffled)
        expectSound(other)
        const net = ({ debt, refunded }: Books) => totalDebtCents(debt, now) - refunded
        const mostInterest = interestCents(accrueInterest(1_000_000_00n, 100_000n, START, now))
        const onInterest = interestCents(accrueInterest(mostInterest, 100_000n, START, now))
        const difference = net(other) - net(inOrder)
        expect(difference < 0n ? -difference : difference).toBeLessThanOrEqual(
          onInterest + BigInt(given.length),
        )
      }),
    )
  })

  test('repayments of one instant come to the same debt in any order', () => {
    fc.assert(
      fc.property(cents, cents, millis, (first, second, ms) => {
        const drawn = drawAt(openBooks(), 1_000_000_00n, START)
        const now = at(ms + DAY_MS)
        const pay = (a: bigint, b: bigint) => payAt(payAt(drawn, a, at(ms), now), b, at(ms), now)
        expect(pay(first, second).debt).toEqual(pay(second, first).debt)
      }),
    )
  })
})

test('a projection counts what is to be paid out from now on, and only that', () => {
  const debt = drawAt(openBooks(), 10_000_00n, START).debt
  const span = { now: at(73 * DAY_MS), at: at(146 * DAY_MS) }
  // 10,000.00 for 146 days: 400.00; 5,000.00 for 73 days: 100.00.
  expect(projectDebtCents(debt, span, 5_000_00n)).toBe(15_500_00n)
  expect(projectDebtCents(debt, span, 0n)).toBe(totalDebtCents(debt, span.at))
})

test('one cent of interest is a whole number of what is counted in', () => {
  expect(INTEREST_PER_CENT).toBe(31_536_000_000n * 1_000_000n)
})

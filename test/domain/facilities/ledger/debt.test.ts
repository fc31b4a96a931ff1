import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accrueInterest, INTEREST_PER_CENT, interestCents } from '../../../../src/core/interest.ts'
import { DAY_MS, monthStart } from '../../../../src/core/time.ts'
import { accrueMonths } from '../../../../src/domain/facilities/ledger/accrue-months.ts'
import {
  type AccruedDebt,
  accrue,
  addPrincipal,
  applyPayment,
  type Debt,
  type PrincipalMovement,
  projectDebtCents,
  sumOf,
  totalDebtCents,
} from '../../../../src/domain/facilities/ledger/debt.ts'
import {
  applyLatePayment,
  type DebtMovement,
  type Step,
} from '../../../../src/domain/facilities/ledger/late-payment.ts'

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
  movements: readonly DebtMovement[]
  principal: readonly PrincipalMovement[]
  steps: readonly Step[]
  drawn: bigint
  repaid: bigint
  refunded: bigint
  confirmed: bigint
  /** Cents of rounding that were written off. */
  waived: bigint
}

const EMPTY: Books = {
  debt: NOTHING_OWED,
  movements: [],
  principal: [],
  steps: [],
  drawn: 0n,
  repaid: 0n,
  refunded: 0n,
  confirmed: 0n,
  waived: 0n,
}

function openBooks(): Books {
  return EMPTY
}

function inOrder(movements: readonly DebtMovement[]): DebtMovement[] {
  const isReceipt = ({ cents }: DebtMovement) => Number(cents < 0n)
  return movements.toSorted(
    (a, b) => a.valueAt.getTime() - b.valueAt.getTime() || isReceipt(a) - isReceipt(b),
  )
}

const stepAt = (valueAt: Date, parts: Partial<Step>): Step => ({
  valueAt,
  accruedCents: 0n,
  interestCents: 0n,
  principalCents: 0n,
  refundCents: 0n,
  ...parts,
})

/** Books the interest of each month that has ended, then that until the instant. */
function accrueAt(books: Books, until: Date): Books & { debt: AccruedDebt } {
  const { months, debt: before } = accrueMonths(books.debt, until)
  const debt = accrue(before, until)
  const rest = debt.interestBookedCents - before.interestBookedCents
  const steps = [
    ...months.map(({ cents, postedAt }) => stepAt(postedAt, { accruedCents: cents })),
    stepAt(debt.accruedAt, { accruedCents: rest }),
  ]
  return { ...books, debt, steps: [...books.steps, ...steps] }
}

function drawAt(before: Books, cents: bigint, now: Date): Books {
  const books = accrueAt(before, now)
  const debt = addPrincipal(books.debt, cents)
  const { accruedAt } = debt
  const principal = [...books.principal, { effectiveAt: accruedAt, deltaCents: cents }]
  const movements = inOrder([...books.movements, { valueAt: accruedAt, cents }])
  const steps = [...books.steps, stepAt(accruedAt, { principalCents: -cents })]
  return { ...books, debt, principal, movements, steps, drawn: books.drawn + cents }
}

/** Confirms at `now` money that was reported at `valueAt`, as a repayment does. */
function payAt(before: Books, cents: bigint, valueAt: Date, now: Date): Books {
  const isLate = valueAt < before.debt.accruedAt
  const books = accrueAt(before, isLate ? monthStart(now) : valueAt)
  const paid = isLate
    ? applyLatePayment(books.debt, { cents, valueAt }, { ...books, earlierRates: [] })
    : { ...applyPayment(books.debt, cents), corrections: [] }
  const { allocation, corrections } = paid
  const { interestCents: interest, principalCents: principal, refundCents: refund } = allocation
  expect(interest + principal + refund).toBe(cents)
  for (const bucket of [interest, principal, refund]) expect(bucket).toBeGreaterThanOrEqual(0n)
  const corrected = sumSteps(corrections)
  expect(corrected.refundCents).toBeGreaterThanOrEqual(0n)
  expect(-sumOf(allocation.principal)).toBe(principal + corrected.principalCents)
  const own = { interestCents: interest, principalCents: principal, refundCents: refund }
  return {
    debt: paid.debt,
    movements: inOrder([...books.movements, { valueAt, cents: -cents }]),
    principal: [...books.principal, ...allocation.principal],
    steps: [...books.steps, stepAt(valueAt, own), ...corrections],
    drawn: books.drawn,
    repaid: books.repaid + principal + corrected.principalCents,
    refunded: books.refunded + refund + corrected.refundCents,
    confirmed: books.confirmed + cents,
    waived:
      books.waived + corrected.interestCents + corrected.principalCents + corrected.refundCents,
  }
}

function sumSteps(steps: readonly Step[]): Omit<Step, 'valueAt'> {
  const sum = (pick: (step: Step) => bigint) => steps.reduce((total, one) => total + pick(one), 0n)
  return {
    accruedCents: sum((step) => step.accruedCents),
    interestCents: sum((step) => step.interestCents),
    principalCents: sum((step) => step.principalCents),
    refundCents: sum((step) => step.refundCents),
  }
}

/** The balances of the books at each instant at which one of them changes. */
function balancesAt({ steps }: Books, instants: readonly number[]) {
  return instants.map((at) => sumSteps(steps.filter(({ valueAt }) => valueAt.getTime() <= at)))
}

const instantsOf = ({ steps }: Books) => steps.map(({ valueAt }) => valueAt.getTime())

/** What must be true of any books, whatever has happened. */
function expectSound(books: Books): void {
  const { debt, principal, drawn, repaid, refunded, confirmed, waived } = books
  expect(sumSteps(books.steps)).toEqual({
    accruedCents: debt.interestBookedCents,
    interestCents: debt.interestPaidCents,
    principalCents: -debt.principalCents,
    refundCents: refunded,
  })
  expect(debt.principalCents).toBe(drawn - repaid)
  expect(debt.principalCents).toBeGreaterThanOrEqual(0n)
  expect(debt.interestNumerator).toBeGreaterThanOrEqual(0n)
  expect(debt.interestBookedCents).toBe(interestCents(debt.interestNumerator))
  expect(debt.interestPaidCents).toBeLessThanOrEqual(debt.interestBookedCents)
  expect(refunded).toBeGreaterThanOrEqual(0n)
  expect(confirmed + waived).toBe(repaid + debt.interestPaidCents + refunded)
  // The interest is that of the principal as it moved, whatever the order in which it was booked.
  const moved = principal.reduce(
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
    expect(late.debt).toEqual(onTime.debt)
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
          if (kind === 'read') books = accrueAt(books, new Date(now))
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

describe('payments confirmed in any order', () => {
  const instant = fc.integer({ min: 0, max: 400 })
  const draws = fc.array(fc.record({ cents, day: instant }), { minLength: 1, maxLength: 4 })
  const payments = fc.array(
    fc.record({
      cents: fc.oneof(fc.bigInt(1n, 200n), fc.bigInt(1n, 6_000_000_00n)),
      day: instant,
      // Days until the treasury answers.
      wait: fc.integer({ min: 0, max: 400 }),
    }),
    { minLength: 2, maxLength: 6 },
  )
  const END = at(2_000 * DAY_MS)

  test('payments confirmed in any order leave the debt and at each instant the books of the order of their value dates', () => {
    fc.assert(
      fc.property(draws, payments, (drawn, paid) => {
        const known = drawn.map((one) => ({ ...one, wait: 0, isDraw: true }))
        const all = [...known, ...paid.map((one) => ({ ...one, isDraw: false }))]
        const play = (waits: boolean) =>
          all
            .map((one) => ({ ...one, now: one.day + (waits ? one.wait : 0) }))
            .toSorted((a, b) => a.now - b.now || Number(b.isDraw) - Number(a.isDraw))
            .reduce((books, one) => {
              const now = at(one.now * DAY_MS)
              if (one.isDraw) return drawAt(books, one.cents, now)
              const next = payAt(books, one.cents, at(one.day * DAY_MS), now)
              expectSound(next)
              return next
            }, openBooks())
        const late = play(true)
        const onTime = play(false)
        expect(accrue(late.debt, END)).toEqual(accrue(onTime.debt, END))
        expect(late.refunded).toBe(onTime.refunded)
        expect(late.waived).toBe(0n)
        const [one, other] = [accrueAt(late, END), accrueAt(onTime, END)]
        const instants = [...new Set([...instantsOf(one), ...instantsOf(other)])]
        expect(balancesAt(one, instants)).toEqual(balancesAt(other, instants))
      }),
      { numRuns: 300 },
    )
  })

  test('what was refunded beyond what value dates allow is written off, and never taken back', () => {
    const drawn = drawAt(openBooks(), 100_00n, START)
    const paid = payAt(drawn, 150_00n, at(73 * DAY_MS), at(73 * DAY_MS))
    // Of 2.00 due, 1.97 were taken and 48.03 went back instead of 48.00.
    const debt = accrue({ ...paid.debt, interestPaidCents: 1_97n }, END)
    const day = at(73 * DAY_MS)
    const steps = [...paid.steps, stepAt(day, { interestCents: -3n, refundCents: 3n })]
    const booked = { ...paid, steps, earlierRates: [] }
    const late = applyLatePayment(debt, { cents: 1n, valueAt: START }, booked)
    expect(late.debt).toMatchObject({ principalCents: 0n, interestPaidCents: 2_00n })
    expect(late.allocation).toMatchObject({ principalCents: 1n, refundCents: 0n })
    // 0.03 of interest, of which the payment brings 0.01: 0.02 are written off.
    expect(late.corrections).toEqual([stepAt(day, { interestCents: 3n, principalCents: -1n })])
  })

  test('a late payment leaves the principal as it would have moved on time', () => {
    let books = drawAt(openBooks(), 10_000_00n, START)
    books = payAt(books, 1_000_00n, at(73 * DAY_MS), at(73 * DAY_MS))
    books = payAt(books, 5_000_00n, START, at(80 * DAY_MS))
    // As if 5,000.00 had been paid on day 0, and of 1,000.00 on day 73 the 100.00 due as interest.
    expect(books.debt).toMatchObject({ principalCents: 4_100_00n, interestPaidCents: 100_00n })
    // From day 73 on, no interest runs on the 100.00 that were moved to principal.
    const year = at(365 * DAY_MS)
    // 5,000.00 for 73 days and 4,100.00 for 292: 100.00 + 328.00, of which 100.00 are paid.
    expect(totalDebtCents(books.debt, year)).toBe(4_100_00n + 328_00n)
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

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accrueInterest, INTEREST_PER_CENT, interestCents } from '../../../../src/core/interest.ts'
import { DAY_MS, monthStart } from '../../../../src/core/time.ts'
import {
  type AccruedDebt,
  accrue,
  accrueMonths,
  addPrincipal,
  applyPayment,
  type Debt,
  projectDebtCents,
  totalDebtCents,
} from '../../../../src/domain/facilities/ledger/debt.ts'
import {
  type DebtChange,
  NO_STEP,
  type Step,
} from '../../../../src/domain/facilities/ledger/debt-account.ts'
import { type BookedEntry, replay } from '../../../../src/domain/facilities/ledger/replay.ts'

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

type PrincipalMovement = { effectiveAt: Date; deltaCents: bigint }

const sumOf = (moved: readonly PrincipalMovement[]) =>
  moved.reduce((sum, { deltaCents }) => sum + deltaCents, 0n)

/** A facility's books in memory: what the tables hold, and what has gone back to the borrower. */
type Books = {
  debt: Debt
  entries: readonly BookedEntry[]
  principal: readonly PrincipalMovement[]
  drawn: bigint
  repaid: bigint
  refunded: bigint
  confirmed: bigint
}

const EMPTY: Books = {
  debt: NOTHING_OWED,
  entries: [],
  principal: [],
  drawn: 0n,
  repaid: 0n,
  refunded: 0n,
  confirmed: 0n,
}

function openBooks(): Books {
  return EMPTY
}

const stepAt = (valueAt: Date, parts: Partial<Step>): Step => ({ ...NO_STEP, valueAt, ...parts })

/** An entry more; of an event too, where the change is one. */
function bookStep({ entries }: Books, step: Step, change?: DebtChange): BookedEntry[] {
  const id = `entry/${String(entries.length).padStart(4, '0')}`
  const event = change && { id, valueAt: step.valueAt, ...change }
  return [...entries, { id, step, event }]
}

function bookSteps(books: Books, steps: readonly Step[]): readonly BookedEntry[] {
  let { entries } = books
  for (const step of steps) entries = bookStep({ ...books, entries }, step)
  return entries
}

/** Books the interest of each month that has ended, then that until the instant. */
function accrueAt(books: Books, until: Date): Books & { debt: AccruedDebt } {
  const { months, debt: before } = accrueMonths(books.debt, until)
  const debt = accrue(before, until)
  const rest = debt.interestBookedCents - before.interestBookedCents
  const steps = [
    ...months.map(({ cents, postedAt }) => stepAt(postedAt, { accruedCents: cents })),
    stepAt(debt.accruedAt, { accruedCents: rest }),
  ]
  return { ...books, debt, entries: bookSteps(books, steps) }
}

function drawAt(before: Books, cents: bigint, now: Date): Books {
  const books = accrueAt(before, now)
  const debt = addPrincipal(books.debt, cents)
  const { accruedAt } = debt
  const principal = [...books.principal, { effectiveAt: accruedAt, deltaCents: cents }]
  const step = stepAt(accruedAt, { principalCents: -cents })
  const entries = bookStep(books, step, { kind: 'draw', cents })
  return { ...books, debt, principal, entries, drawn: books.drawn + cents }
}

/** Confirms at `now` money that was reported at `valueAt`, as a repayment does. */
function payAt(before: Books, cents: bigint, valueAt: Date, now: Date): Books {
  if (valueAt < before.debt.accruedAt) return payLate(before, cents, valueAt, now)
  const books = accrueAt(before, valueAt)
  const { debt, allocation } = applyPayment(books.debt, cents)
  const principal = [{ effectiveAt: valueAt, deltaCents: -allocation.principalCents }]
  return payWith(books, { debt, own: allocation, principal, corrections: [] }, cents, valueAt)
}

function payLate(before: Books, cents: bigint, valueAt: Date, now: Date): Books {
  const books = accrueAt(before, monthStart(now))
  const terms = { ratePpm: books.debt.ratePpm, until: books.debt.accruedAt }
  const add = [{ id: 'new', kind: 'receipt' as const, valueAt, cents }]
  const replayed = replay(books.entries, { add }, terms)
  const debt = accrue({ ...books.debt, ...replayed.debt }, terms.until)
  const own = replayed.stepOf('new')
  const principal = [own, ...replayed.corrections].map((step) => ({
    effectiveAt: step.valueAt,
    deltaCents: -step.principalCents,
  }))
  return payWith(books, { ...replayed, debt, own, principal }, cents, valueAt)
}

type Paid = {
  debt: AccruedDebt
  own: Pick<Step, 'interestCents' | 'principalCents' | 'refundCents'>
  principal: readonly PrincipalMovement[]
  corrections: readonly Step[]
}

function payWith(books: Books, paid: Paid, cents: bigint, valueAt: Date): Books {
  const { interestCents, principalCents, refundCents } = paid.own
  expect(interestCents + principalCents + refundCents).toBe(cents)
  for (const bucket of [interestCents, principalCents, refundCents]) {
    expect(bucket).toBeGreaterThanOrEqual(0n)
  }
  const corrected = sumSteps(paid.corrections)
  expect(corrected.refundCents).toBeGreaterThanOrEqual(0n)
  expect(-sumOf(paid.principal)).toBe(principalCents + corrected.principalCents)
  const own = stepAt(valueAt, { interestCents, principalCents, refundCents })
  const booked = { ...books, entries: bookStep(books, own, { kind: 'receipt', cents }) }
  const entries = bookSteps(booked, paid.corrections)
  return {
    debt: paid.debt,
    entries,
    principal: [...books.principal, ...paid.principal],
    drawn: books.drawn,
    repaid: books.repaid + principalCents + corrected.principalCents,
    refunded: books.refunded + refundCents + corrected.refundCents,
    confirmed: books.confirmed + cents,
  }
}

function sumSteps(steps: readonly Step[]) {
  const sum = (pick: (step: Step) => bigint) => steps.reduce((total, one) => total + pick(one), 0n)
  return {
    accruedCents: sum((step) => step.accruedCents),
    interestCents: sum((step) => step.interestCents),
    principalCents: sum((step) => step.principalCents),
    refundCents: sum((step) => step.refundCents),
  }
}

/** The balances of the books at each instant at which one of them changes. */
function balancesAt(books: Books, instants: readonly number[]) {
  return instants.map((at) => sumSteps(stepsOf(books).filter(({ valueAt }) => +valueAt <= at)))
}

const stepsOf = ({ entries }: Books) => entries.map(({ step }) => step)
const instantsOf = (books: Books) => stepsOf(books).map(({ valueAt }) => valueAt.getTime())

/** What must be true of any books, whatever has happened. */
function expectSound(books: Books): void {
  const { debt, principal, drawn, repaid, refunded, confirmed } = books
  expect(sumSteps(stepsOf(books))).toEqual({
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
  expect(confirmed).toBe(repaid + debt.interestPaidCents + refunded)
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
        const [one, other] = [accrueAt(late, END), accrueAt(onTime, END)]
        const instants = [...new Set([...instantsOf(one), ...instantsOf(other)])]
        expect(balancesAt(one, instants)).toEqual(balancesAt(other, instants))
      }),
      { numRuns: 300 },
    )
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

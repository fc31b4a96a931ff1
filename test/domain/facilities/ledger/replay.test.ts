import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMs, DAY_MS, laterOf } from '../../../../src/core/time.ts'
import type {
  DebtChange,
  DebtEvent,
  Step,
} from '../../../../src/domain/facilities/ledger/debt-account.ts'
import {
  type BookedEntry,
  type HistoryChange,
  type Replay,
  replay,
} from '../../../../src/domain/facilities/ledger/replay.ts'
import { type Balances, expectedAt } from '../../../support/lending/exact-debt.ts'

const START = new Date('2026-01-01T00:00:00Z')
const onDay = (day: number) => addMs(START, day * DAY_MS)
const RATE_PPM = 100_000n
const { REPLAY_RUNS = '300' } = process.env

/** Books in memory, to which only what a replay says is added. */
class Books {
  entries: BookedEntry[] = []
  last: Replay | undefined
  #number = 0

  book(change: HistoryChange, until: Date): Replay {
    const result = replay(this.entries, change, { ratePpm: RATE_PPM, until })
    for (const event of change.add ?? []) {
      this.entries.push({ id: event.id, step: result.stepOf(event.id), event })
    }
    for (const id of change.remove ?? []) {
      this.entries = this.entries.map((entry) =>
        entry.id === id ? { id, step: entry.step } : entry,
      )
      this.entries.push({ id: `return/${id}`, step: result.reversalOf(id) })
    }
    for (const step of result.corrections) {
      this.#number += 1
      this.entries.push({ id: `correction/${this.#number}`, step })
    }
    this.last = result
    return result
  }

  find(kind: DebtChange['kind']): DebtEvent[] {
    return this.entries.flatMap(({ event }) => (event?.kind === kind ? [event] : []))
  }
}

/** The books at an instant. */
function balancesOf({ entries }: Books, at: Date): Balances {
  const steps = entries.map(({ step }) => step).filter(({ valueAt }) => valueAt <= at)
  const sum = (pick: (step: Step) => bigint, of: readonly Step[] = steps) =>
    of.reduce((total, step) => total + pick(step), 0n)
  const chargeOffs = steps.filter(({ isChargeOff }) => isChargeOff)
  return {
    principal: -sum(({ principalCents }) => principalCents),
    interest: sum(({ accruedCents, interestCents }) => accruedCents - interestCents),
    income: sum(({ accruedCents }) => accruedCents),
    owedBack: sum(({ refundCents }) => refundCents),
    recovered: sum(({ recoveredCents }) => recoveredCents),
    chargedOff: sum(
      ({ interestCents, principalCents }) => interestCents + principalCents,
      chargeOffs,
    ),
  }
}

const cents = fc.oneof(fc.bigInt(1n, 300n), fc.bigInt(1n, 2_000_000_00n))
const nth = fc.nat({ max: 9 })
const happening = fc.record({
  kind: fc.constantFrom(
    ...([
      'draw',
      'draw',
      'receipt',
      'receipt',
      'receipt',
      'return',
      'return',
      'draw_return',
    ] as const),
    ...(['payout', 'payout', 'payout_return', 'waive_interest', 'credit', 'rate'] as const),
    ...(['waiver', 'waiver_return', 'charge_off'] as const),
  ),
  days: fc.integer({ min: 0, max: 40 }),
  agoDays: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 90 })),
  cents,
  nth,
})
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

/** What becomes known on a day, or undefined where nothing of the kind can be. */
function changeOf(
  books: Books,
  one: Happening,
  day: number,
  number: number,
): HistoryChange | undefined {
  const id = `${one.kind}/${String(number).padStart(3, '0')}`
  const today = onDay(day)
  const past = onDay(Math.max(0, day - one.agoDays))
  const [chargeOff] = books.find('charge_off')
  const pick = (all: readonly DebtEvent[]) => all[one.nth % Math.max(1, all.length)]
  const money = [...books.find('receipt'), ...books.find('recovery')]
  switch (one.kind) {
    case 'draw':
      if (chargeOff) return undefined
      return { add: [{ id, kind: 'draw', valueAt: today, cents: one.cents }] }
    case 'receipt': {
      const kind = chargeOff && past >= chargeOff.valueAt ? 'recovery' : 'receipt'
      return { add: [{ id, kind, valueAt: past, cents: one.cents }] }
    }
    case 'return': {
      const found = pick(money)
      return found && { remove: [found.id] }
    }
    case 'draw_return': {
      const found = pick(books.find('draw'))
      if (found?.kind !== 'draw') return undefined
      const valueAt = laterOf(past, found.valueAt)
      const kind = chargeOff && valueAt >= chargeOff.valueAt ? 'recovery' : 'draw_return'
      return { add: [{ id, kind, valueAt, cents: (found.cents + 1n) / 2n }] }
    }
    case 'payout': {
      const owed = books.last?.owedBackCents ?? 0n
      const paid = one.nth > 4 ? owed : (owed + 1n) / 2n
      return paid === 0n
        ? undefined
        : { add: [{ id, kind: 'payout', valueAt: today, cents: paid }] }
    }
    case 'payout_return': {
      const returned = books.entries.map(({ event }) =>
        event?.kind === 'payout_return' ? event.payoutId : '',
      )
      const found = pick(books.find('payout').filter((payout) => !returned.includes(payout.id)))
      if (found?.kind !== 'payout') return undefined
      const valueAt = laterOf(past, found.valueAt)
      return { add: [{ id, kind: one.kind, valueAt, payoutId: found.id, cents: found.cents }] }
    }
    case 'waive_interest':
    case 'credit':
      return { add: [{ id, kind: one.kind, valueAt: today, cents: one.cents }] }
    case 'rate': {
      const ratePpm = 10_000n * BigInt(one.nth)
      return { add: [{ id, kind: 'rate', valueAt: past, ratePpm }] }
    }
    case 'waiver':
      return { add: [{ id, kind: 'waiver', valueAt: today }] }
    case 'waiver_return': {
      const found = pick(books.find('waiver'))
      return found && { remove: [found.id] }
    }
    case 'charge_off':
      return chargeOff ? undefined : { add: [{ id, kind: 'charge_off', valueAt: today }] }
    default: {
      const unreachable: never = one.kind
      return unreachable
    }
  }
}

test('whatever becomes known, and whenever, the books at each instant are those of what is true', () => {
  fc.assert(
    fc.property(fc.array(happening, { minLength: 2, maxLength: 16 }), (all) => {
      const books = new Books()
      let day = 0
      for (const [number, one] of all.entries()) {
        day += one.days
        const change = changeOf(books, one, day, number)
        if (!change) continue
        const { debt, chargedOff, owedBackCents } = books.book(change, onDay(day))
        const events = books.entries.flatMap(({ event }) => event ?? [])
        for (const at of new Set(books.entries.map(({ step }) => step.valueAt.getTime()))) {
          expect(balancesOf(books, new Date(at))).toEqual(
            expectedAt(events, new Date(at), RATE_PPM),
          )
        }
        const now = balancesOf(books, onDay(day))
        const { principalCents = 0n, interestCents = 0n, recoveredCents = 0n } = chargedOff ?? {}
        expect(now).toMatchObject({
          principal: debt.principalCents,
          owedBack: owedBackCents,
          recovered: recoveredCents,
          chargedOff: principalCents + interestCents,
        })
      }
    }),
    { numRuns: Number(REPLAY_RUNS) },
  )
})

const receipt = (id: string, day: number, amount: bigint) => {
  return { id, kind: 'receipt' as const, valueAt: onDay(day), cents: amount }
}

/** 10,000.00 at 10 %, half repaid at once and 1,000.00 on day 73. */
function repayTwice(): Books {
  const books = new Books()
  const draw = { id: 'draw', kind: 'draw', valueAt: START, cents: 10_000_00n } as const
  books.book({ add: [draw] }, START)
  books.book({ add: [receipt('half', 0, 5_000_00n)] }, START)
  books.book({ add: [receipt('later', 73, 1_000_00n)] }, onDay(73))
  return books
}

test('a receipt taken back leaves the debt as if it had never come, and says what changes of a later one', () => {
  const books = repayTwice()
  expect(books.last?.stepOf('later')).toMatchObject({
    interestCents: 100_00n,
    principalCents: 900_00n,
  })
  const { debt, corrections, reversalOf } = books.book({ remove: ['half'] }, onDay(100))
  expect(reversalOf('half')).toMatchObject({ interestCents: 0n, principalCents: -5_000_00n })
  // 200.00 were due on day 73.
  expect(debt).toMatchObject({ principalCents: 9_200_00n, interestPaidCents: 200_00n })
  expect(corrections.filter(({ interestCents }) => interestCents !== 0n)).toMatchObject([
    { valueAt: onDay(73), accruedCents: 19_18n, interestCents: 100_00n, principalCents: -100_00n },
  ])
})

test('what a refund paid out is principal from its day, once the receipt that it came from is taken back', () => {
  const books = repayTwice()
  books.book({ add: [receipt('too much', 73, 5_000_00n)] }, onDay(73))
  expect(books.last?.owedBackCents).toBe(900_00n)
  const payout = { id: 'refund', kind: 'payout', valueAt: onDay(80), cents: 900_00n } as const
  books.book({ add: [payout] }, onDay(80))
  const { debt, owedBackCents } = books.book({ remove: ['too much'] }, onDay(80))
  expect(owedBackCents).toBe(0n)
  expect(debt.principalCents).toBe(4_100_00n + 900_00n)
})

test('a receipt from before the charge-off lowers what was charged off, and what is recovered too much is owed back', () => {
  const books = repayTwice()
  const chargeOff = { id: 'charge_off', kind: 'charge_off', valueAt: onDay(73) } as const
  books.book({ add: [chargeOff] }, onDay(73))
  const recovery = { ...receipt('recovery', 80, 4_000_00n), kind: 'recovery' as const }
  books.book({ add: [recovery] }, onDay(80))
  expect(books.last?.chargedOff).toEqual({
    principalCents: 4_100_00n,
    interestCents: 0n,
    recoveredCents: 4_000_00n,
  })
  const { chargedOff, owedBackCents } = books.book(
    { add: [receipt('late', 73, 600_00n)] },
    onDay(90),
  )
  expect(chargedOff).toEqual({
    principalCents: 3_500_00n,
    interestCents: 0n,
    recoveredCents: 3_500_00n,
  })
  expect(owedBackCents).toBe(500_00n)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts'
import { runBacktest } from '../../../src/domain/backtest/backtest.ts'
import { type LoanTerms, openLoan } from '../../../src/domain/backtest/loan.ts'
import {
  FILLS_AT_CLOSE,
  type FillTerms,
  type PricePoint,
} from '../../../src/domain/backtest/prices.ts'
import { summarizeBacktest } from '../../../src/domain/backtest/summary.ts'
import type { Prices } from '../../../src/domain/collateral/prices.ts'
import { HAIRCUTS_PPM, valuePortfolio } from '../../../src/domain/collateral/valuation.ts'
import { totalDebtCents } from '../../../src/domain/facilities/ledger/debt.ts'
import { tierAt } from '../../../src/domain/margin/ladder/tiers.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { marginPolicies } from '../margin/ladder/arbitraries.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const POLICY = DEFAULT_MARGIN_POLICY

/** 10,000.00 without interest against 0.34364262 BTC, which count 20,000.00 at 60,000. */
const TERMS: LoanTerms = {
  asset: 'BTC',
  haircutPpm: 30_000n,
  ltvPpm: 500_000n,
  limitCents: 10_000_00n,
  ratePpm: 0n,
  termMs: 90 * DAY_MS,
}

const RULES = { terms: TERMS, policy: POLICY, fills: FILLS_AT_CLOSE }

const price = (usd: number) => BigInt(usd) * 10n ** 8n
const at = (ms: number) => new Date(START + ms)

/** Prices so many milliseconds after the start. */
function points(...prices: [ms: number, usd: number][]): PricePoint[] {
  return prices.map(([ms, usd]) => ({ atMs: START + ms, price: price(usd) }))
}

/** What happened to the first loan. */
function firstLoan(history: PricePoint[], terms = TERMS, fills: FillTerms = FILLS_AT_CLOSE) {
  const [loan] = runBacktest(history, { terms, policy: POLICY, fills })
  if (!loan) throw new Error('no loan was opened')
  return loan
}

describe('one loan', () => {
  test('a loan at a steady price is never warned and is repaid at its term', () => {
    const steady = points([0, 60_000], [100 * DAY_MS, 60_000])
    expect(firstLoan(steady)).toEqual({
      openedAt: at(0),
      endedAt: at(90 * DAY_MS),
      end: 'repaid',
      deficitCents: 0n,
      events: [],
    })
  })

  test('a loan is warned once the price has held for a minute, and liquidated after the deadline', () => {
    // 0.34364262 BTC at 42,000 count 14,000.00: 0.714286.
    const { end, events } = firstLoan(points([0, 60_000], [DAY_MS, 42_000], [5 * DAY_MS, 42_000]))
    const confirmed = DAY_MS + MINUTE_MS
    expect(events).toEqual([
      { at: at(confirmed), price: price(42_000), kind: 'raised', tier: 1 },
      {
        at: at(confirmed + 48 * HOUR_MS + 1),
        price: price(42_000),
        kind: 'escalated',
        reason: 'deadline',
        debtCents: 10_000_00n,
      },
      {
        at: at(confirmed + 48 * HOUR_MS + 1),
        price: price(42_000),
        kind: 'sold',
        outcome: 'partial',
        // (10,000 − 0.55 · 14,000) / 0.4465 = 5,151.1758…
        grossCents: 5_151_18n,
        costsCents: 103_03n,
      },
    ])
    expect(end).toBe('running')
  })

  test('a loan continues with what a sale left, and may be warned and sold again', () => {
    const { events } = firstLoan(
      points([0, 60_000], [DAY_MS, 42_000], [4 * DAY_MS, 32_000], [9 * DAY_MS, 32_000]),
    )
    expect(events.map(({ kind }) => kind)).toEqual([
      ...['raised', 'escalated', 'sold', 'raised', 'escalated', 'sold'],
    ])
    // 4,951.85 are owed on 0.22099547 BTC, which count 6,859.69: 1,179.0205 / 0.4465 = 2,640.5834…
    expect(events[5]).toMatchObject({ outcome: 'partial', grossCents: 2_640_59n })
  })

  test('a warned loan is cured once the price has recovered for a minute', () => {
    const { events } = firstLoan(
      points([0, 60_000], [DAY_MS, 42_000], [2 * DAY_MS, 50_001], [9 * DAY_MS, 50_001]),
    )
    expect(events.slice(1)).toEqual([
      { at: at(2 * DAY_MS + MINUTE_MS), price: price(50_001), kind: 'cured' },
    ])
  })

  test('a warned loan climbs the tiers as the price falls', () => {
    const falling = points([0, 60_000], [DAY_MS, 42_000], [DAY_MS + HOUR_MS, 39_000])
    const { events } = firstLoan([...falling, ...points([DAY_MS + 2 * HOUR_MS, 37_000])])
    expect(events.map((event) => ('tier' in event ? event.tier : event.kind))).toEqual([1, 2])
    const further = [...falling, ...points([DAY_MS + 2 * HOUR_MS, 37_000], [9 * DAY_MS, 37_000])]
    expect(firstLoan(further).events.map(({ kind }) => kind)).toEqual([
      ...['raised', 'worsened', 'worsened', 'escalated', 'sold'],
    ])
  })

  test('a dip that lasts less than a minute does not warn a loan', () => {
    const dip = points([0, 60_000], [DAY_MS, 20_000], [DAY_MS + 59 * SECOND_MS, 60_000])
    expect(firstLoan([...dip, ...points([9 * DAY_MS, 60_000])]).events).toEqual([])
    const lasting = points([0, 60_000], [DAY_MS, 20_000], [DAY_MS + 61 * SECOND_MS, 60_000])
    expect(firstLoan([...lasting, ...points([9 * DAY_MS, 60_000])]).events).not.toEqual([])
  })

  test('a crash liquidates a loan and leaves a deficit', () => {
    const { end, deficitCents, events } = firstLoan(
      points([0, 60_000], [DAY_MS, 15_000], [2 * DAY_MS, 15_000]),
    )
    expect(events.map(({ kind }) => kind)).toEqual(['raised', 'escalated', 'sold'])
    // 0.34364262 · 15,000 = 5,154.6393; the fee on it 103.0926.
    expect(events[2]).toMatchObject({ outcome: 'deficit', grossCents: 5_154_63n })
    expect({ end, deficitCents }).toEqual({ end: 'deficit', deficitCents: 4_948_47n })
  })

  test('a loan is warned at the millisecond at which interest carries it over a line, between two prices', () => {
    const dear = { ...TERMS, ratePpm: 500_000n, termMs: 400 * DAY_MS }
    // 0.70 of 20,000.00 is exceeded when interest has grown beyond 4,000.00: after 0.8 years.
    const crossed = 292 * DAY_MS + 1
    const { events } = firstLoan(points([0, 60_000], [364 * DAY_MS, 60_000]), dear)
    expect(events).toMatchObject([
      { kind: 'raised', tier: 1, at: at(crossed) },
      { kind: 'escalated', at: at(crossed + 48 * HOUR_MS + 1) },
      { kind: 'sold', outcome: 'partial' },
    ])
  })
})

describe('how sales fill', () => {
  // Liquidated at once, 0.34364262 BTC at 35,000 count 11,666.67 on a debt of 10,000.00: 0.857143.
  const crash = points(
    [0, 60_000],
    [DAY_MS, 35_000],
    [DAY_MS + 30 * MINUTE_MS, 33_000],
    [DAY_MS + 61 * MINUTE_MS, 32_000],
    [DAY_MS + 62 * MINUTE_MS, 20_000],
    [2 * DAY_MS, 20_000],
  )
  const soldBy = (fills: Partial<FillTerms>) => {
    const { events } = firstLoan(crash, TERMS, { ...FILLS_AT_CLOSE, ...fills })
    const sold = events.find((event) => event.kind === 'sold')
    return sold && { afterMs: sold.at.getTime() - START - DAY_MS - MINUTE_MS, price: sold.price }
  }

  test('a sale fills at the price of its instant', () => {
    expect(soldBy({})).toEqual({ afterMs: 0, price: price(35_000) })
  })

  test('a sale with slippage fills below the price', () => {
    expect(soldBy({ slippagePpm: 10_000n })).toEqual({ afterMs: 0, price: price(34_650) })
  })

  test('a sale at the low of the next hour fills at the lowest price up to an hour later', () => {
    // The window that escalates ends a minute after the fall; 32,000 comes 60 minutes after that.
    expect(soldBy({ price: 'next-hour-low' })).toEqual({ afterMs: 0, price: price(32_000) })
  })

  test('a delayed sale fills at the price of its own instant', () => {
    const delayMs = 40 * MINUTE_MS
    expect(soldBy({ delayMs })).toEqual({ afterMs: delayMs, price: price(33_000) })
    expect(soldBy({ delayMs, price: 'next-hour-low', slippagePpm: 500_000n })).toEqual({
      afterMs: delayMs,
      price: price(10_000),
    })
  })

  test('a sale that fills below the price is planned again until the floor is clear', () => {
    const fills = { ...FILLS_AT_CLOSE, slippagePpm: 50_000n }
    const sold = firstLoan(crash, TERMS, fills).events.find((event) => event.kind === 'sold')
    // The first order brings 95 % of (10,000 − 0.55 · 11,666.67) / 0.4465; 0.651 is not clear.
    expect(sold).toMatchObject({ outcome: 'partial' })
    expect(sold?.grossCents).toBeGreaterThan(7_700_00n)
  })

  test('a sale at other costs than planned pays off what they leave', () => {
    const free = firstLoan(crash, TERMS, { ...FILLS_AT_CLOSE, feePpm: 0n }).events
    expect(free.find((event) => event.kind === 'sold')).toMatchObject({ costsCents: 0n })
  })

  test('a delayed sale is not needed once the price has recovered', () => {
    const recovered = points(
      [0, 60_000],
      [DAY_MS, 35_000],
      [DAY_MS + 5 * MINUTE_MS, 60_000],
      [3 * DAY_MS, 60_000],
    )
    const { end, events } = firstLoan(recovered, TERMS, {
      ...FILLS_AT_CLOSE,
      delayMs: 10 * MINUTE_MS,
    })
    expect(events.at(-1)).toMatchObject({ kind: 'sold', outcome: 'not_needed', grossCents: 0n })
    expect(end).toBe('running')
  })
})

test('a loan opens every day as long as there are prices', () => {
  const histories = runBacktest(
    points([0, 60_000], [HOUR_MS, 60_000], [10 * DAY_MS, 60_000]),
    RULES,
  )
  expect(histories.map(({ openedAt }) => openedAt)).toEqual(
    Array.from({ length: 11 }, (_, day) => at(day * DAY_MS)),
  )
})

test('nothing happens to a loan before it opens', () => {
  const breached = { ...TERMS, ltvPpm: 750_000n }
  const steady = points([0, 60_000], [5 * DAY_MS, 60_000], [6 * DAY_MS, 60_000])
  for (const { openedAt, events } of runBacktest(steady, { ...RULES, terms: breached })) {
    for (const event of events) expect(+event.at).toBeGreaterThanOrEqual(+openedAt)
  }
})

test('loans of one history do not affect each other', () => {
  const history = points([0, 60_000], [DAY_MS, 42_000], [3 * DAY_MS, 30_000], [9 * DAY_MS, 20_000])
  const [, second] = runBacktest(history, RULES)
  const [alone] = runBacktest(history.slice(1), RULES)
  expect(second).toEqual(alone)
})

test('the summary counts every loan and every warning once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 72 }), fc.integer({ min: 10, max: 90 })), {
        minLength: 1,
        maxLength: 60,
      }),
      (moves) => {
        let ms = 0
        const path = moves.map(([hours, thousands]) => {
          ms += hours * HOUR_MS
          return [ms, thousands * 1_000] as [number, number]
        })
        const terms = { ...TERMS, termMs: 9 * DAY_MS }
        const histories = runBacktest(points(...path), { ...RULES, terms })
        const summary = summarizeBacktest({ histories, fromMs: START, toMs: START + ms }, terms)
        const { ends, warnedLoans, escalated, sales } = summary
        const total = (counts: Record<string, number>) =>
          Object.values(counts).reduce((sum, count) => sum + count, 0)
        expect(total(ends)).toBe(histories.length)
        expect(total(warnedLoans)).toBe(histories.filter(({ events }) => events.length > 0).length)
        expect(total(sales)).toBe(total(escalated))
        expect(summary.curedByPrice + total(escalated)).toBeLessThanOrEqual(summary.warnings)
        expect(sales.deficit).toBe(ends.deficit)
        expect(summary.deficitCents > 0n).toBe(ends.deficit > 0)
      },
    ),
  )
})

test('a price is skipped exactly when no interest until the end of the loan can bring it to a breach', () => {
  const terms = fc.record({
    asset: fc.constantFrom('BTC', 'ETH'),
    ltvPpm: fc.bigInt(50_000n, 900_000n),
    limitCents: fc.bigInt(100_00n, 10_000_000_00n),
    ratePpm: fc.bigInt(0n, 400_000n),
  })
  fc.assert(
    fc.property(
      terms,
      fc.bigInt(10n ** 8n, 10n ** 13n),
      marginPolicies,
      (kind, opening, policy) => {
        const haircutPpm = HAIRCUTS_PPM.get(kind.asset) ?? 0n
        const loan = openLoan(at(0), opening, {
          ...RULES,
          terms: { ...TERMS, ...kind, haircutPpm },
          policy,
        })
        const debtCents = totalDebtCents(loan.debt, new Date(loan.endsAtMs))
        const tierWhen = (quoted: bigint) => {
          const prices: Prices = new Map([[kind.asset, { price: quoted, at: at(0) }]])
          const held = [{ asset: kind.asset, units: loan.units }]
          const { valueCents } = valuePortfolio(held, prices, HAIRCUTS_PPM)
          return tierAt(debtCents, valueCents, policy)
        }
        expect(tierWhen(loan.quietPrice)).toBeUndefined()
        expect(tierWhen(loan.quietPrice - 1n)).toBeDefined()
      },
    ),
  )
})

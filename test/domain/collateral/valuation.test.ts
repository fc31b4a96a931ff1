import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUsd, fractionDigits } from '../../../src/core/money.ts'
import { ONE_USD, type Prices } from '../../../src/domain/collateral/prices.ts'
import {
  HAIRCUTS_PPM,
  type Position,
  valuePortfolio,
} from '../../../src/domain/collateral/valuation.ts'
import { units } from '../../support/lending/units.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

function pricesOf(usdPrices: Record<string, string>, at = NOW): Prices {
  const entries = Object.entries({ USD: '1', ...usdPrices })
  return new Map(entries.map(([asset, text]) => [asset, { price: units(text, 8), at }]))
}

function holding(asset: string, quantity: string): Position {
  return { asset, units: units(quantity, fractionDigits(asset)) }
}

function value(positions: readonly Position[], prices: Prices): string {
  return formatUsd(valuePortfolio(positions, prices, HAIRCUTS_PPM).valueCents)
}

describe('worked values', () => {
  test.each([
    ['1 BTC at 70,000 less 3 %', 'BTC', '1', '70000', '67900.00'],
    ['10 ETH at 4,000 less 5 %', 'ETH', '10', '4000', '38000.00'],
    ['a dollar is a dollar', 'USD', '1234.56', '1', '1234.56'],
    ['USDC at par less 1 %', 'USDC', '100', '1', '99.00'],
    ['USDC above par counts at par', 'USDC', '100', '1.02', '99.00'],
    ['USDC below par counts at its price', 'USDC', '100', '0.98', '97.02'],
    ['one satoshi is worth less than a cent', 'BTC', '0.00000001', '70000', '0.00'],
    ['fractions of a cent are dropped', 'BTC', '0.00001234', '70000', '0.83'],
  ])('the value of a holding is exact: %s', (_name, asset, quantity, price, expected) => {
    expect(value([holding(asset, quantity)], pricesOf({ [asset]: price }))).toBe(expected)
  })

  test('an asset that is no collateral counts nothing, even with a price', () => {
    const positions = [holding('DOGE', '1000000'), holding('USD', '5')]
    const valuation = valuePortfolio(positions, pricesOf({ DOGE: '1' }), HAIRCUTS_PPM)
    expect(valuation).toMatchObject({ valueCents: 500n, unpriced: [] })
    expect(valuation.positions[0]).toMatchObject({ haircutPpm: undefined, valueCents: 0n })
  })

  test('collateral without a price counts nothing and is named', () => {
    const positions = [holding('BTC', '1'), holding('ETH', '0')]
    expect(valuePortfolio(positions, pricesOf({}), HAIRCUTS_PPM)).toMatchObject({
      valueCents: 0n,
      unpriced: ['BTC'],
    })
  })

  test('an empty portfolio is worth nothing and depends on no price', () => {
    expect(valuePortfolio([], pricesOf({}), HAIRCUTS_PPM)).toEqual({
      valueCents: 0n,
      positions: [],
      unpriced: [],
      oldestPriceAt: undefined,
    })
  })
})

test('the age of a valuation is that of the oldest price of an asset actually held', () => {
  const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)
  const prices: Prices = new Map([
    ['BTC', { price: ONE_USD, at: at(5) }],
    ['ETH', { price: ONE_USD, at: at(3) }],
    ['USDC', { price: ONE_USD, at: at(1) }],
    ['DOGE', { price: ONE_USD, at: at(0) }],
  ])
  const positions = [
    holding('BTC', '1'),
    holding('ETH', '1'),
    holding('USDC', '0'),
    holding('DOGE', '1'),
  ]
  expect(valuePortfolio(positions, prices, HAIRCUTS_PPM).oldestPriceAt).toEqual(at(3))
})

describe('for any positions and prices', () => {
  const asset = fc.constantFrom('USD', 'USDC', 'BTC', 'ETH', 'DOGE')
  const position = fc.record({ asset, units: fc.bigInt(0n, 10n ** 30n) })
  const portfolio = fc.uniqueArray(position, { selector: (row) => row.asset })
  const price = fc.bigInt(1n, 10n ** 16n)
  const market = fc
    .record({ USDC: price, BTC: price, ETH: price, DOGE: price })
    .map((row): Prices => {
      const entries = Object.entries({ USD: ONE_USD, ...row })
      return new Map(entries.map(([name, units]) => [name, { price: units, at: NOW }]))
    })
  const cents = (rows: readonly Position[], prices: Prices) =>
    valuePortfolio(rows, prices, HAIRCUTS_PPM).valueCents

  test('for any positions and prices, the value is the exact sum of the positions’ values rounded down', () => {
    fc.assert(
      fc.property(portfolio, market, (rows, prices) => {
        const valuation = valuePortfolio(rows, prices, HAIRCUTS_PPM)
        let sum = 0n
        for (const row of valuation.positions) {
          sum += row.valueCents
          if (row.price === undefined || row.haircutPpm === undefined) {
            expect(row.valueCents).toBe(0n)
            continue
          }
          // Scaled so that a cent is exact: floor(x) <= x < floor(x) + 1, without dividing.
          const scale = 10n ** BigInt(fractionDigits(row.asset) + 8 + 6 - 2)
          const exact = row.units * row.price * (1_000_000n - row.haircutPpm)
          expect(row.valueCents * scale <= exact).toBe(true)
          expect(exact < (row.valueCents + 1n) * scale).toBe(true)
        }
        expect(valuation.valueCents).toBe(sum)
      }),
    )
  })

  test('for any positions and prices, more of an asset never lowers the value', () => {
    fc.assert(
      fc.property(
        portfolio,
        market,
        fc.bigInt(0n, 10n ** 30n),
        fc.nat(),
        (rows, prices, more, at) => {
          const raised = rows.map((row, index) =>
            index === at % rows.length ? { ...row, units: row.units + more } : row,
          )
          expect(cents(raised, prices) >= cents(rows, prices)).toBe(true)
        },
      ),
    )
  })

  test('for any positions and prices, a higher price never lowers the value', () => {
    fc.assert(
      fc.property(
        portfolio,
        market,
        asset,
        fc.bigInt(0n, 10n ** 16n),
        (rows, prices, name, rise) => {
          const raised = new Map(prices)
          const { price: before = 0n, at = NOW } = prices.get(name) ?? {}
          raised.set(name, { price: before + rise, at })
          expect(cents(rows, raised) >= cents(rows, prices)).toBe(true)
        },
      ),
    )
  })

  test('for any positions and prices, the order of the positions does not matter', () => {
    const shuffled = portfolio.chain((rows) =>
      fc.tuple(
        fc.constant(rows),
        fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, market, ([rows, others], prices) => {
        expect(cents(others, prices)).toBe(cents(rows, prices))
      }),
    )
  })
})

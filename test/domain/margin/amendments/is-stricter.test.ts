import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../../src/core/time.ts'
import { isStricter } from '../../../../src/domain/margin/amendments/is-stricter.ts'
import { DEFAULT_MARGIN_POLICY, type MarginPolicy } from '../../../../src/domain/margin/policy.ts'

const own = DEFAULT_MARGIN_POLICY

const tierBy = (at: number, change: { aboveLtvPpm?: bigint; windowMs?: number }) => ({
  tiers: own.tiers.map((tier, index) => (index === at ? { ...tier, ...change } : tier)),
})

const haircutsBy = (...changes: [string, bigint | undefined][]) => {
  const haircuts = new Map(own.haircuts)
  for (const [asset, ppm] of changes) {
    if (ppm === undefined) haircuts.delete(asset)
    else haircuts.set(asset, ppm)
  }
  return { haircuts }
}

const by = (change: Partial<MarginPolicy>, ratePpm = 100_000n) =>
  isStricter(
    { ratePpm: 100_000n, policy: own },
    { ratePpm, policy: { ...own, version: '7', ...change } },
  )

test.each<[string, Partial<MarginPolicy>]>([
  ['the floor', { floorLtvPpm: 699_999n }],
  ['the cure', { cureLtvPpm: 599_999n }],
  ['the target', { targetLtvPpm: 549_999n }],
  ['the critical line', { criticalLtvPpm: 829_999n }],
  ['the line of the last tier', tierBy(2, { aboveLtvPpm: 799_999n })],
])('terms with %s a millionth lower are stricter', (_, change) => {
  expect(by(change)).toBe(true)
})

test.each<[string, Partial<MarginPolicy>]>([
  ['fewer hours of a tier', tierBy(1, { windowMs: 12 * HOUR_MS - 1 })],
  ['a higher haircut', haircutsBy(['BTC', 30_001n])],
  ['an asset that is missing', haircutsBy(['ETH', undefined])],
  ['another fee', { saleFeePpm: 19_999n }],
  ['another time that a price must hold', { confirmMs: own.confirmMs + 1_000 }],
  ['another least debt', { leastCents: own.leastCents + 1n }],
  ['another deep line', { deepLtvPpm: own.deepLtvPpm + 1n }],
  [
    'a lower haircut and fewer hours',
    { ...haircutsBy(['BTC', 0n]), ...tierBy(0, { windowMs: 1 }) },
  ],
])('terms with %s are stricter', (_, change) => {
  expect(by(change)).toBe(true)
})

test('a higher rate is stricter, whatever else is better', () => {
  expect(by({ floorLtvPpm: 750_000n }, 100_001n)).toBe(true)
})

test.each<[string, Partial<MarginPolicy>, bigint?]>([
  ['the same', {}],
  ['higher lines', { floorLtvPpm: 710_000n, ...tierBy(0, { aboveLtvPpm: 710_000n }) }],
  ['a higher cure and target', { cureLtvPpm: 610_000n, targetLtvPpm: 560_000n }],
  ['more hours', tierBy(0, { windowMs: 49 * HOUR_MS })],
  ['a lower haircut and a further asset', haircutsBy(['BTC', 29_999n], ['SOL', 900_000n])],
  ['a lower rate', {}, 0n],
])('terms with %s are nowhere stricter', (_, change, ratePpm) => {
  expect(by(change, ratePpm)).toBe(false)
})

test('an asset that counts nothing and is missing after it is stricter: it cannot be sold then', () => {
  const before = { ratePpm: 0n, policy: { ...own, ...haircutsBy(['ETH', 1_000_000n]) } }
  const after = { ratePpm: 0n, policy: { ...own, ...haircutsBy(['ETH', undefined]) } }
  expect(isStricter(before, after)).toBe(true)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatQuantity, fractionDigits, parseDecimal } from '../../src/core/money.ts'
import { additionsOf, cureOf, withPositions } from '../../src/domain/margin/case.ts'
import { aCase, NOW, openWarning, pricesOf } from '../support/lending/cases.ts'
import { addApproved, addDraw, lendingApiForFile, push } from '../support/lending/lending-api.ts'

const api = lendingApiForFile()

type Key = Awaited<ReturnType<typeof api.addTenant>>

async function send(key: Key, target: string, body?: object) {
  const answer = await key.send(body ? 'POST' : 'GET', target, { ...(body && { body }) })
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return answer.json()
}

async function holdPrice(key: Key, price_usd: string): Promise<void> {
  await send(key, '/v1/sandbox/prices', { asset: 'BTC', price_usd })
  await send(key, '/v1/sandbox/clock', { advance_seconds: 61 })
}

/** A warning on 40,000.00 over 1 BTC whose interest has stopped: what is asked is what is owed. */
async function warn() {
  const key = await api.addTenant()
  const { id, borrowerId } = await addApproved(key)
  await addDraw(key, id, '40000.00')
  await api.db
    .updateTable('facilities')
    .set({ rate_ppm: 0 })
    .where('facility_id', '=', id)
    .execute()
  await holdPrice(key, '55123.45678901')
  return { key, borrowerId, at: `/v1/facilities/${id}` }
}

const toUnits = (quantity: string, asset: string) =>
  parseDecimal(quantity, fractionDigits(asset)) ?? 0n

test('adding exactly the collateral that a warning asks for cures it, and one unit less does not', async () => {
  const { key, at, borrowerId } = await warn()
  const { cure_additions: additions } = await send(key, `${at}/margin-warnings/1`)
  expect(additions.map(({ asset }: { asset: string }) => asset)).toEqual([
    ...['BTC', 'ETH', 'USD', 'USDC'],
  ])
  const shown = await send(key, `${at}/preview`, {})
  expect(shown.warning.cure_additions).toEqual(additions)
  for (const { asset, quantity } of additions) {
    const cured = await send(key, `${at}/preview`, { deposit: [{ asset, quantity }] })
    expect(cured).toMatchObject({ events: [{ type: 'margin_warning.cured' }] })
    const less = formatQuantity({ asset, units: toUnits(quantity, asset) - 1n })
    const open = await send(key, `${at}/preview`, { deposit: [{ asset, quantity: less }] })
    expect(open).toMatchObject({ warning: { number: 1 }, events: [] })
  }
  const [{ quantity, market_usd: market }] = additions
  const units = toUnits(quantity, 'BTC')
  const cents = (units * 5_512_345_678_901n * 100n + 10n ** 16n - 1n) / 10n ** 16n
  expect(market).toBe(`${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`)
  await send(key, '/v1/sandbox/clock', { advance_seconds: 1 })
  await push(key, borrowerId, formatQuantity({ asset: 'BTC', units: units + 10n ** 8n }))
  await expect
    .poll(async () => (await send(key, `${at}/margin-warnings/1`)).cured_by)
    .toBe('collateral')
})

const prices = fc.integer({ min: 30_000, max: 60_000 }).map(String)

test('it is the least that clears the floor at every price of the window', () => {
  const asked = fc.property(
    fc.array(prices, { minLength: 1, maxLength: 4 }),
    fc.bigInt(3_000_000n, 100_000_000n),
    fc.bigInt(0n, 10n ** 19n),
    (quoted, bitcoin, ether) => {
      const rounds = quoted.map((BTC, at) =>
        pricesOf({ BTC, ETH: String(900 + at), USDC: '0.999' }),
      )
      const latest = rounds.at(-1) ?? pricesOf({})
      const positions = [
        { asset: 'BTC', units: bitcoin },
        { asset: 'ETH', units: ether },
      ]
      const terms = { debtCents: 40_000_00n, positions, prices: latest, warning: openWarning() }
      const view = { latest, window: rounds }
      const of = (moved: typeof positions) =>
        withPositions({ ...aCase(terms), positions: [] }, moved, view, NOW)
      const evaluated = of(positions)
      const floor = 66_666_67n
      const { collateralCents } = cureOf(evaluated, NOW, NOW)
      for (const { asset, units } of additionsOf(evaluated, collateralCents)) {
        const after = (added: bigint) => {
          const others = positions.filter((position) => position.asset !== asset)
          const held = positions.find((position) => position.asset === asset)?.units ?? 0n
          return of([...others, { asset, units: held + added }]).collateral.values?.lowCents ?? 0n
        }
        expect(after(units)).toBeGreaterThanOrEqual(floor)
        expect(after(units - 1n)).toBeLessThan(floor)
      }
    },
  )
  fc.assert(asked, { numRuns: 200 })
})

test('assets that are not held stand by their codes, in whatever order the terms name them', () => {
  const prices = pricesOf({ BTC: '55000', ETH: '3000', USDC: '1', USD: '1' })
  const positions = [{ asset: 'BTC', units: 10n ** 8n }]
  const terms = { debtCents: 40_000_00n, positions, prices, warning: openWarning() }
  const own = aCase(terms)
  for (const haircuts of [[...own.policy.haircuts], [...own.policy.haircuts].toReversed()]) {
    const one = { ...own, policy: { ...own.policy, haircuts: new Map(haircuts) } }
    const { collateralCents } = cureOf(one, NOW, NOW)
    const assets = additionsOf(one, collateralCents).map(({ asset }) => asset)
    expect(assets).toEqual(['BTC', ...assets.slice(1).toSorted()])
    expect(assets.length).toBeGreaterThan(2)
  }
})

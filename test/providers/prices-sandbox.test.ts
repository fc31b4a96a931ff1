import { beforeEach, describe, expect, test } from 'vitest'
import { addMs } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import type { Prices } from '../../src/domain/collateral/prices.ts'
import {
  createSandboxPrices,
  KEPT_CHANGES,
  listPriceChanges,
  setSandboxPrice,
} from '../../src/providers/sandbox/prices-sandbox.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { databaseForFile } from '../support/stores/database.ts'

const database = databaseForFile()
let tenantId: string
beforeEach(async () => {
  tenantId = await openTenant(database.db)
})

const NOW = new Date('2026-11-20T12:00:00Z')
const DOLLAR = 100_000_000n
const BTC = { asset: 'BTC', market: 100_000n * DOLLAR }
const feed = createSandboxPrices(new Map([[BTC.asset, BTC.market]]))

const seconds = (count: number) => addMs(NOW, count * 1_000)

async function set(at: number, dollars: number | null, asset = 'BTC') {
  const price = dollars === null ? undefined : BigInt(dollars) * DOLLAR
  await inTransaction(database.db, (tx) =>
    setSandboxPrice(tx, tenantId, { asset, price }, seconds(at)),
  )
}

const dollarsOf = (prices: Prices) => Number((prices.get('BTC')?.price ?? 0n) / DOLLAR)

const latest = async (at: number) =>
  dollarsOf(await feed.latest(database.db, tenantId, seconds(at)))

const window = async (at: number) => {
  const span = { now: seconds(at), confirmMs: 60_000, longestMs: 600_000 }
  return (await feed.window(database.db, tenantId, span)) ?? []
}

test('the latest price is the one set last until then; null is the market again', async () => {
  await set(0, 70_000)
  await set(10, 80_000)
  await set(20, null)
  const path = [await latest(-1), await latest(0), await latest(19), await latest(20)]
  expect(path).toEqual([100_000, 70_000, 80_000, 100_000])
})

test('of two prices set at one instant, the second is the latest', async () => {
  await set(0, 70_000)
  await set(0, null)
  expect(await latest(0)).toBe(100_000)
  await set(0, 60_000)
  expect(await latest(0)).toBe(60_000)
})

test('an asset that the market no longer has, has no price', async () => {
  await set(0, 5, 'DOGE')
  expect([...(await feed.latest(database.db, tenantId, NOW)).keys()]).toEqual(['BTC', 'USD'])
})

test('the window of a tenant that has set nothing is the market alone', async () => {
  const rounds = await window(0)
  expect(rounds.map(dollarsOf)).toEqual([100_000])
  expect(rounds[0]?.get('BTC')?.at).toEqual(seconds(0))
  expect(rounds[0]?.get('USD')).toEqual({ price: DOLLAR, at: seconds(0) })
})

test('the window has the price of 60 s ago, and everything set since', async () => {
  await set(-500, 95_000)
  await set(0, 70_000)
  await set(30, 80_000)
  expect((await window(59)).map(dollarsOf)).toEqual([95_000, 70_000, 80_000])
  expect((await window(60)).map(dollarsOf)).toEqual([70_000, 80_000])
  expect((await window(89)).map(dollarsOf)).toEqual([70_000, 80_000])
  expect((await window(90)).map(dollarsOf)).toEqual([80_000])
  expect((await window(9_000)).map(dollarsOf)).toEqual([80_000])
})

test('the window ends with the prices that hold now, with a fresh time', async () => {
  await set(0, 70_000)
  await set(10, null)
  const rounds = await window(30)
  expect(rounds.map(dollarsOf)).toEqual([70_000, 100_000])
  expect(rounds.at(-1)?.get('BTC')?.at).toEqual(seconds(30))
})

test('the window at a time does not include later prices', async () => {
  await set(10, 70_000)
  expect((await window(9)).map(dollarsOf)).toEqual([100_000])
})

describe('prices replaced long ago', () => {
  const readKept = async () => {
    const rows = await database.db
      .selectFrom('sandbox_price_history')
      .select('set_at')
      .where('tenant_id', '=', tenantId)
      .orderBy('set_at')
      .execute()
    return rows.map(({ set_at }) => set_at)
  }

  test('are deleted beyond those that are shown, and change no price that can be read', async () => {
    const times = Array.from({ length: KEPT_CHANGES + 2 }, (_, at) => at)
    for (const at of times) await set(at, 70_000 + at)
    expect(await readKept()).toHaveLength(KEPT_CHANGES + 2)
    await set(7_200, 50_000)
    expect(await readKept()).toEqual([...times.slice(3).map(seconds), seconds(7_200)])
    expect((await window(7_230)).map(dollarsOf)).toEqual([70_201, 50_000])
  })

  test('are kept while they are few, and listed with the returns to the market', async () => {
    for (const at of [0, 10]) await set(at, 70_000 + at)
    await set(7_200, null)
    const listed = await listPriceChanges(database.db, tenantId, BTC, seconds(7_200))
    expect(listed).toEqual([
      { at: seconds(0), price: 70_000n * DOLLAR, isSet: true },
      { at: seconds(10), price: 70_010n * DOLLAR, isSet: true },
      { at: seconds(7_200), price: BTC.market, isSet: false },
    ])
    expect(await listPriceChanges(database.db, tenantId, BTC, seconds(5))).toHaveLength(1)
  })
})

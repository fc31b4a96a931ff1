import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { QuotedAsset } from '../../../src/core/assets.ts'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { ROUND_POLICY } from '../../../src/domain/collateral/accept-round.ts'
import {
  claimRound,
  purgeRounds,
  readLatestPrices,
  readPriceWindow,
  recordRound,
} from '../../../src/domain/collateral/price-rounds.ts'
import type { Prices } from '../../../src/domain/collateral/prices.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

let database: TestDatabase
let db: Db
let slot: bigint
beforeEach(async () => {
  database = await createTestDatabase()
  db = database.db
  slot = 100n
})
afterEach(() => database[Symbol.asyncDispose]())

const NOW = new Date('2026-11-20T12:00:00Z')
const DOLLAR = 100_000_000n

const seconds = (count: number) => addMs(NOW, count * 1_000)

type Dollars = Partial<Record<QuotedAsset, number>>

/** What so many sources say at `at` if they all quote these dollars. */
function answers(dollars: Dollars, at: Date, sources = 3) {
  return Array.from({ length: sources }, (_, index) => {
    const quotes = Object.entries(dollars).map(([asset, amount]) => {
      const price = BigInt(amount) * DOLLAR
      return [asset as QuotedAsset, { source: `s${index}`, price, at }] as const
    })
    return new Map(quotes)
  })
}

/** A round at `at` in which `sources` agree on these dollars. */
async function round(at: Date, dollars: Dollars, sources = 3) {
  slot += 1n
  expect(await claimRound(db, slot)).toBe(true)
  return await record(slot, at, dollars, sources)
}

function record(claimed: bigint, at: Date, dollars: Dollars, sources = 3) {
  return inTransaction(db, (tx) =>
    recordRound(tx, { slot: claimed, answers: answers(dollars, at, sources) }, ROUND_POLICY, at),
  )
}

/** Prices in dollars with the seconds after `NOW` at which they were accepted; USD left out. */
function shown(prices: Prices) {
  const quoted = [...prices].filter(([asset]) => asset !== 'USD')
  return Object.fromEntries(
    quoted.map(([asset, { price, at }]) => [
      asset,
      [Number(price / DOLLAR), (at.getTime() - NOW.getTime()) / 1_000],
    ]),
  )
}

const latest = async (at: Date) => shown(await readLatestPrices(db, at))

describe('the latest prices', () => {
  test('before any round, a dollar has the price of a dollar and nothing else has a price', async () => {
    expect([...(await readLatestPrices(db, NOW))]).toEqual([['USD', { price: DOLLAR, at: NOW }]])
  })

  test('the latest prices are those accepted last, each with the time of its own acceptance', async () => {
    await round(seconds(0), { BTC: 100_000, ETH: 4_000, USDC: 1 })
    expect(await round(seconds(10), { BTC: 101_000 })).toEqual(
      new Map([
        ['BTC', 'accepted'],
        ['ETH', 'too_few_sources'],
        ['USDC', 'too_few_sources'],
      ]),
    )
    expect(await latest(seconds(400))).toEqual({
      BTC: [101_000, 10],
      ETH: [4_000, 0],
      USDC: [1, 0],
    })
    expect((await readLatestPrices(db, seconds(400))).get('USD')?.at).toEqual(seconds(400))
  })

  test('the latest prices at a time do not include later ones', async () => {
    await round(seconds(0), { BTC: 100_000 })
    await round(seconds(10), { BTC: 101_000 })
    expect(await latest(seconds(9))).toEqual({ BTC: [100_000, 0] })
  })

  test('a round in which nothing is accepted is not stored', async () => {
    await round(seconds(0), { BTC: 100_000 }, 1)
    expect(await db.selectFrom('price_rounds').selectAll().execute()).toEqual([])
  })
})

test('a round is stored with the sources of what it accepted', async () => {
  await round(seconds(0), { BTC: 100_000, ETH: 4_000 })
  await round(seconds(10), { BTC: 100_001 }, 2)
  const rounds = await db.selectFrom('price_rounds').selectAll().orderBy('accepted_at').execute()
  const quote = (source: string) => ({
    source,
    price: '10000100000000',
    at: seconds(10).toISOString(),
  })
  expect(rounds[1]).toEqual({
    accepted_at: seconds(10),
    prices: {
      BTC: { price: '10000100000000', at: seconds(10).toISOString() },
      ETH: { price: '400000000000', at: seconds(0).toISOString() },
    },
    sources: { BTC: [quote('s0'), quote('s1')] },
  })
})

test('a jump that two sources show is accepted by the first round after 60 s', async () => {
  await round(seconds(0), { BTC: 100_000 })
  for (const at of [10, 20, 69]) {
    expect((await round(seconds(at), { BTC: 80_000 }, 2))?.get('BTC')).toBe('unconfirmed_move')
  }
  expect(await latest(seconds(69))).toEqual({ BTC: [100_000, 0] })
  await round(seconds(70), { BTC: 80_000 }, 2)
  expect(await latest(seconds(70))).toEqual({ BTC: [80_000, 70] })
})

describe('one worker makes a round', () => {
  test('one worker makes a round: a slot is claimed once, however many ask for it', async () => {
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimRound(db, 101n)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await claimRound(db, 100n)).toBe(false)
    expect(await claimRound(db, 102n)).toBe(true)
  })

  test('a clock that was far ahead does not stop the rounds', async () => {
    expect(await claimRound(db, 10_000n)).toBe(true)
    expect(await claimRound(db, 101n)).toBe(true)
  })

  test('a worker that comes after the next round has begun writes nothing', async () => {
    await claimRound(db, 101n)
    await claimRound(db, 102n)
    expect(await record(101n, seconds(9), { BTC: 1 })).toBeUndefined()
    expect(await latest(seconds(60))).toEqual({})
    expect((await record(102n, seconds(10), { BTC: 100_000 }))?.get('BTC')).toBe('accepted')
  })
})

describe('the window', () => {
  const window = async (at: number) => {
    const span = { now: seconds(at), confirmMs: 60_000, longestMs: 600_000 }
    return (await readPriceWindow(db, span))?.map(shown)
  }

  test('the window begins with the newest round that is at least 60 s old', async () => {
    for (const at of [0, 10, 20, 70]) await round(seconds(at), { BTC: 100_000 + at })
    expect(await window(69)).toEqual([
      { BTC: [100_000, 0] },
      { BTC: [100_010, 10] },
      { BTC: [100_020, 20] },
    ])
    expect(await window(70)).toEqual([
      { BTC: [100_010, 10] },
      { BTC: [100_020, 20] },
      { BTC: [100_070, 70] },
    ])
  })

  test('there is no window when no round is old enough, or the newest old one is too old', async () => {
    expect(await window(0)).toBeUndefined()
    await round(seconds(0), { BTC: 100_000 })
    expect(await window(59)).toBeUndefined()
    expect(await window(60)).toEqual([{ BTC: [100_000, 0] }])
    expect(await window(600)).toEqual([{ BTC: [100_000, 0] }])
    expect(await window(601)).toBeUndefined()
    await round(seconds(590), { BTC: 100_001 })
    expect(await window(601)).toBeUndefined()
  })

  test('the window shows equal prices once, as they were accepted last, and the latest last', async () => {
    const path = [100_000, 99_000, 100_000, 99_000, 98_000, 99_000]
    for (const [index, dollars] of path.entries())
      await round(seconds(index * 10), { BTC: dollars })
    expect(await window(60)).toEqual([
      { BTC: [100_000, 20] },
      { BTC: [98_000, 40] },
      { BTC: [99_000, 50] },
    ])
  })
})

test('rounds past their retention are deleted, but never the newest', async () => {
  for (const day of [0, 1, 2]) await round(addMs(NOW, day * DAY_MS), { BTC: 100_000 + day })
  expect(await purgeRounds(db, 1, addMs(NOW, 2 * DAY_MS))).toBe(1)
  expect(await purgeRounds(db, 1, addMs(NOW, 50 * DAY_MS))).toBe(1)
  expect(await purgeRounds(db, 1, addMs(NOW, 50 * DAY_MS))).toBe(0)
  expect(await latest(addMs(NOW, 50 * DAY_MS))).toEqual({ BTC: [100_002, 2 * 86_400] })
})

import { afterEach, expect, test, vi } from 'vitest'
import type { AssetRow } from '../../src/core/assets.ts'
import { isMoneyAsset } from '../../src/core/money.ts'
import { inTransaction } from '../../src/db/database.ts'
import { createTestDatabase } from '../support/stores/database.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

const SOLANA: AssetRow = {
  digits: 9,
  most: 1_000_000_000n,
  haircutPpm: 120_000n,
  isDollarClaim: true,
  money: { holdMs: 5 * 60_000 },
  market: {
    coinbase: 'SOL-USD',
    kraken: { request: 'SOLUSD', answer: 'SOLUSD' },
    bitstamp: 'solusd',
    bitfinex: undefined,
    sandboxUsd: '200',
  },
}

/** The files after this one share its modules, and have no such row. */
afterEach(() => {
  vi.resetModules()
})

test('money is USD and USDC alone', () => {
  expect(['USD', 'USDC', 'usd', 'BTC', ''].filter(isMoneyAsset)).toEqual(['USD', 'USDC'])
})

/** What the program makes of its assets when there is one more row. */
async function importWithSolana() {
  vi.resetModules()
  const { ASSETS } = await import('../../src/core/assets.ts')
  Object.assign(ASSETS, { SOL: SOLANA })
  return {
    ...(await import('../../src/core/money.ts')),
    ...(await import('../../src/config/constants.ts')),
    ...(await import('../../src/domain/collateral/valuation.ts')),
    ...(await import('../../src/domain/margin/policy.ts')),
    ...(await import('../../src/domain/margin/sale-plan.ts')),
    ...(await import('../../src/http/schemas/amounts.ts')),
  }
}

test('an asset needs one row: its digits, haircut, cap, money terms and sandbox price', async () => {
  const program = await importWithSolana()
  const price = program.parseDecimal('200', 8) ?? 0n
  const held = [{ asset: 'SOL', units: 2_000_000_000n }]
  const { positions, valueCents } = program.valuePortfolio(
    held,
    new Map([['SOL', { price, at: NOW }]]),
    program.HAIRCUTS_PPM,
  )

  expect(program.fractionDigits('SOL')).toBe(9)
  expect(program.isMoneyAsset('SOL')).toBe(true)
  expect(program.readMoney({ amount: '0.000000001', asset: 'SOL' })).toEqual({
    asset: 'SOL',
    units: 1n,
  })
  expect(program.moneyMembers.amount.description).toContain('9 in SOL')
  // Two at one dollar each at most, less 12 %.
  expect(valueCents).toBe(1_76n)
  expect(program.DEFAULT_MARGIN_POLICY.holdMs).toMatchObject({ SOL: 5 * 60_000 })
  expect(
    program.planNextOrder({ debtCents: 2_00n, positions }, program.DEFAULT_MARGIN_POLICY),
  ).toMatchObject({ order: { asset: 'SOL', inKind: true } })
  expect(program.CONSTANTS.sandboxMarket.get('SOL')).toBe(price)
})

test('a price round polls every venue for an asset added by one row, and reports the result', async () => {
  await importWithSolana()
  const { recordRound, claimRound } = await import('../../src/domain/collateral/price-rounds.ts')
  const { ROUND_POLICY } = await import('../../src/domain/collateral/accept-round.ts')
  const urls: string[] = []
  const client = {
    read: (url: string) => {
      urls.push(url)
      return Promise.reject(new Error('unreachable'))
    },
    clock: () => NOW,
    onMissing: () => {},
  }
  const { createCoinbase } = await import('../../src/providers/exchanges/coinbase.ts')
  const { createKraken } = await import('../../src/providers/exchanges/kraken.ts')
  const { createBitstamp } = await import('../../src/providers/exchanges/bitstamp.ts')
  for (const create of [createCoinbase, createKraken, createBitstamp]) {
    await create(client, 'https://exchange.example').read()
  }
  await using database = await createTestDatabase()
  await claimRound(database.db, 1n)
  const report = await inTransaction(database.db, (tx) =>
    recordRound(tx, { slot: 1n, answers: [] }, ROUND_POLICY, NOW),
  )

  expect(urls.filter((url) => /SOL|sol/.test(url))).toEqual([
    'https://exchange.example/products/SOL-USD/ticker',
    'https://exchange.example/0/public/Ticker?pair=XBTUSD,ETHUSD,USDCUSD,SOLUSD',
    'https://exchange.example/api/v2/ticker/solusd/',
  ])
  expect([...(report?.keys() ?? [])]).toEqual(['BTC', 'ETH', 'USDC', 'SOL'])
})

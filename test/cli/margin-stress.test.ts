import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addMs, HOUR_MS } from '../../src/core/time.ts'
import { insertFacilities, setRounds } from '../support/lending/facility-rows.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { removeTenants } from '../support/stores/remove-tenants.ts'
import { databaseCliForFile } from './database-cli.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const BTC = 10n ** 8n
const DOLLAR = 10n ** 8n

const folder = createTemporaryFolder()
const { database, cli } = databaseCliForFile()
let first: string
let second: string
afterAll(() => folder[Symbol.dispose]())
beforeEach(async () => {
  await removeTenants(database.db)
  await sql`UPDATE stack SET name = 'live'`.execute(database.db)
  first = await openTenant(database.db, NOW)
  second = await openTenant(database.db, NOW)
  await setRounds(database.db, NOW, [
    { agoMs: 0, prices: { BTC: 100_000n * DOLLAR, ETH: 4_000n * DOLLAR, USDC: DOLLAR } },
  ])
})

const LIVE = { env: { STACK: 'live' }, now: NOW }

const owing = (principalCents: bigint, positions: Record<string, bigint> = { BTC }) => ({
  positions,
  principalCents,
  accruedAt: NOW,
})

let files = 0
function write(terms: object | string): string {
  files += 1
  const file = join(folder.path, `${files}.json`)
  writeFileSync(file, typeof terms === 'string' ? terms : JSON.stringify(terms))
  return file
}

type Sums = {
  facilities: number
  warned_by_tier: Record<string, number>
  escalated_as_critical: number
  not_evaluated: number
  sold_at_once: Record<string, string | number>
  if_uncured: Record<string, string | number>
}

type Stress = {
  prices: string
  total: Sums
  tenants: (Sums & { tenant_id: string })[]
  main_collateral: (Sums & { asset?: string })[]
  sold: { asset: string; quantity: string; gross_usd: string; costs_usd: string }[]
}

describe('margin stress', () => {
  test('a stress of the book counts warnings, escalations, sales, costs and deficits by tenant and asset', async () => {
    // One bitcoin at 60,000 counts 58,200.00: 0.721650, 0.824743, 0.859107 and 1.202750.
    await insertFacilities(database.db, first, [
      owing(42_000_00n),
      owing(48_000_00n),
      owing(50_000_00n),
    ])
    await insertFacilities(database.db, second, [
      owing(70_000_00n),
      owing(1_000_00n, { USD: 10n ** 6n }),
    ])
    const stress = await cli.read<Stress>('margin stress --prices BTC=-40%', LIVE)
    expect(stress.prices).toContain('BTC 60000 (-40 %), ETH 4000')
    expect(stress.total).toMatchObject({
      facilities: 5,
      warned_by_tier: { 1: 1, 2: 0, 3: 1 },
      escalated_as_critical: 2,
      not_evaluated: 0,
      // (50,000 − 0.55 · 58,200) / 0.4465 = 40,291.1533…; and a whole bitcoin.
      sold_at_once: {
        gross_usd: '100291.16',
        costs_usd: '2005.83',
        deficits: 1,
        deficit_usd: '11200.00',
      },
    })
    const byTenant = new Map(stress.tenants.map((one) => [one.tenant_id, one]))
    expect(byTenant.get(first)).toMatchObject({
      facilities: 3,
      sold_at_once: { deficits: 0, gross_usd: '40291.16' },
    })
    expect(byTenant.get(second)).toMatchObject({
      facilities: 2,
      sold_at_once: { deficits: 1, gross_usd: '60000.00' },
    })
    expect(stress.main_collateral.map(({ asset, facilities }) => [asset, facilities])).toEqual([
      ['BTC', 4],
      ['USD', 1],
    ])
    expect(stress.sold).toEqual([
      { asset: 'BTC', quantity: '1.67151934', gross_usd: '100291.16', costs_usd: '2005.83' },
    ])
    const text = await cli.show('margin stress --prices BTC=-40%', LIVE)
    expect(text).toMatch(/^warned by tier 1 +1\nwarned by tier 2 +0\nwarned by tier 3 +1$/m)
    expect(text).toMatch(/^sold at once gross usd +100291\.16\nsold at once costs usd +2005\.83$/m)
    expect(text).toMatch(/^TENANT +FACILITIES +WARNED BY TIER 1 .* SOLD AT ONCE GROSS USD /m)
    expect(text).toMatch(/^SOLD\nASSET +QUANTITY +GROSS USD +COSTS USD\nBTC +1\.67151934 /m)
  })

  test('a stress under a policy file uses its lines and haircuts', async () => {
    await insertFacilities(database.db, first, [owing(50_000_00n)])
    const warned = async (terms: object) =>
      (await cli.read<Stress>(['margin', 'stress', '--policy', write(terms)], LIVE)).total
        .warned_by_tier
    expect(await warned({})).toEqual({ 1: 0, 2: 0, 3: 0 })
    // 100,000 less 35 % counts 65,000.00: 0.769231.
    expect(await warned({ haircuts: { BTC: '0.35' } })).toEqual({ 1: 0, 2: 1, 3: 0 })
  })

  test('a stress counts facilities at old prices as not evaluated, unless their asset is moved', async () => {
    await insertFacilities(database.db, first, [owing(50_000_00n)])
    const later = { ...LIVE, now: addMs(NOW, HOUR_MS) }
    expect((await cli.read<Stress>('margin stress', later)).total.not_evaluated).toBe(1)
    const moved = await cli.read<Stress>('margin stress --prices BTC=60000', later)
    expect(moved.total).toMatchObject({ not_evaluated: 0, escalated_as_critical: 1 })
  })

  test('a stress of the sandbox uses the prices and the clock of each tenant', async () => {
    const { db } = database
    await sql`UPDATE stack SET name = 'sandbox'`.execute(db)
    await insertFacilities(db, first, [owing(50_000_00n)])
    await insertFacilities(db, second, [owing(50_000_00n)])
    await sql`INSERT INTO sandbox_price_history (tenant_id, asset, set_at, price)
      VALUES (${first}, 'BTC', ${NOW}, ${80_000n * DOLLAR})`.execute(db)
    await sql`UPDATE tenants SET clock_offset_ms = ${365 * 24 * HOUR_MS}
      WHERE tenant_id = ${second}`.execute(db)
    const { tenants } = await cli.read<Stress>('margin stress --prices BTC=-20%', { now: NOW })
    const tierOf = new Map(tenants.map((one) => [one.tenant_id, one]))
    // 64,000 counts 62,080.00: 0.805412; 80,000 counts 77,600.00 for a year's interest more: 0.708763.
    expect(tierOf.get(first)?.warned_by_tier).toEqual({ 1: 0, 2: 0, 3: 1 })
    expect(tierOf.get(second)?.warned_by_tier).toEqual({ 1: 1, 2: 0, 3: 0 })
  })

  test.each([
    ['BTC', 'Expected moves or prices in USD, such as BTC=-40%'],
    ['BTC=40%', 'Expected moves or prices in USD'],
    ['BTC=-100%', 'a price can fall by less than 100 %'],
    ['BTC=-1e2%', 'Expected moves or prices in USD'],
    ['BTC=0', 'Expected moves or prices in USD'],
    ['BTC=-40%,BTC=-50%', 'BTC is named twice.'],
    ['DOGE=-40%', 'DOGE has no price here. Assets: BTC, ETH, USDC.'],
    ['USD=0.9', 'USD has no price here'],
  ])(
    'margin stress --prices %s is a usage error, reported in one sentence',
    async (prices, reason) => {
      const error = await cli.fail(['margin', 'stress', '--prices', prices], LIVE)
      expect(error.code).toBe('usage')
      expect(error.message).toContain(reason)
    },
  )

  test('a policy is refused in one sentence', async () => {
    const refusal = async (file: string) =>
      (await cli.fail(['margin', 'stress', '--policy', file], LIVE)).message
    for (const [terms, reason] of [
      ['no JSON', 'it is no JSON'],
      [{ haircuts: { DOGE: '0.5' } }, 'haircuts.DOGE: unknown member'],
      [{ haircuts: { BTC: 0.5 } }, 'haircuts.BTC: expected a decimal string'],
      [{ haircuts: { BTC: '1.000001' } }, 'haircuts.BTC'],
      [{ dust_usd: '0' }, 'Lower target_ltv or raise dust_usd.'],
    ] as const) {
      expect(await refusal(write(terms))).toContain(reason)
    }
    expect(await refusal('/nowhere/terms.json')).toMatch(/^The policy cannot be read: /)
  })
})

type Preview = {
  total: {
    warned_by_tier: Record<string, number>
    worsened: number
    sold: number
    relieved: number
  }
  tenants: { tenant_id: string; sold: number }[]
  facilities: {
    facility_id: string
    today: { outcome: string; tier?: number }
    proposed: { outcome: string; tier?: number }
    ltv: string
  }[]
}

describe('margin policy preview', () => {
  const preview = (terms: object, ...rest: string[]) =>
    cli.read<Preview>(['margin', 'policy', 'preview', write(terms), ...rest], LIVE)

  test('a preview lists the facilities that changed terms would warn or sell today, the worst first', async () => {
    const [warned = '', worse = '', sold = ''] = await insertFacilities(database.db, first, [
      owing(60_000_00n),
      { ...owing(69_000_00n), warnedUntil: addMs(NOW, HOUR_MS) },
      owing(67_000_00n),
      owing(40_000_00n),
    ])
    const answer = await preview({ haircuts: { BTC: '0.20' } })
    // 80,000.00 of value: 0.75, 0.8625, 0.8375, 0.5. Today: 0.618557, 0.711340, 0.690722.
    expect(answer.total).toMatchObject({
      warned_by_tier: { 1: 1, 2: 0, 3: 0 },
      worsened: 0,
      sold: 2,
      relieved: 0,
    })
    expect(answer.facilities).toMatchObject([
      {
        facility_id: worse,
        today: { outcome: 'warned', tier: 1 },
        proposed: { outcome: 'critical' },
        ltv: '0.862500',
      },
      { facility_id: sold, today: { outcome: 'clear' }, proposed: { outcome: 'critical' } },
      { facility_id: warned, proposed: { outcome: 'warned', tier: 1 }, ltv: '0.750000' },
    ])
    expect((await preview({ haircuts: { BTC: '0.20' } }, '--limit', '1')).facilities).toHaveLength(
      1,
    )
  })

  test('a preview of milder terms counts what they relieve, and one of the terms of today nothing', async () => {
    await insertFacilities(database.db, first, [
      { ...owing(69_000_00n), warnedUntil: addMs(NOW, HOUR_MS) },
    ])
    // At 115,000.00 of value the floor of 0.60 would be clear; 0 % is not enough: 0.69.
    const milder = await preview({ cure_ltv: '0.695', haircuts: { BTC: '0' } })
    expect(milder.total).toMatchObject({ worsened: 0, sold: 0, relieved: 1 })
    expect(milder.facilities).toEqual([])
    expect((await preview({})).tenants).toEqual([])
    const text = await cli.show(['margin', 'policy', 'preview', write({})], LIVE)
    expect(text).toContain('No facility is treated differently.')
  })

  test.each([
    [['--limit', '0'], 'Expected a whole number from 1 to 10000.'],
    [[], 'Name a policy file, or give --policy-version.'],
  ])('margin policy preview with %j is a usage error', async (rest, reason) => {
    const file = rest.length === 0 ? [] : [write({})]
    const error = await cli.fail(['margin', 'policy', 'preview', ...file, ...rest], LIVE)
    expect(error.code).toBe('usage')
    expect(error.message.toLowerCase()).toContain(reason.toLowerCase())
  })
})

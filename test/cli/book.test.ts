import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { addMs, HOUR_MS } from '../../src/core/time.ts'
import { insertFacilities, setRounds } from '../support/lending/facility-rows.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { databaseCliForFile } from './database-cli.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const BTC = 10n ** 8n
const LIVE = { env: { STACK: 'live' }, now: NOW }

const { database, cli } = databaseCliForFile()
let first: string
let second: string
let deepest: string
beforeAll(async () => {
  await sql`UPDATE stack SET name = 'live'`.execute(database.db)
  first = await openTenant(database.db, NOW)
  second = await openTenant(database.db, NOW)
  await setRounds(database.db, NOW, [{ agoMs: 0, prices: { BTC: 100_000n * BTC } }])
  const owing = (dollars: bigint, warnedUntil?: Date) => ({
    ...{ positions: { BTC }, principalCents: dollars * 100n, accruedAt: NOW, warnedUntil },
  })
  const ids = await insertFacilities(database.db, first, [
    ...[owing(20_000n), owing(75_000n, addMs(NOW, HOUR_MS)), owing(98_000n)],
  ])
  deepest = ids[2] ?? ''
  await insertFacilities(database.db, second, [owing(7_000n)])
})

test('the book shows its figures to people and programs', async () => {
  const text = await cli.show('book', LIVE)
  expect(text).toMatch(/^read at +2026-11-20T12:00:00\.000Z$/m)
  expect(text).toMatch(/^exposure facilities +4\nexposure total usd +200000\.00\n/m)
  expect(text).toMatch(/^deficits facilities +1\n.* +98000\.00\ndeficits deficit usd +1000\.00$/m)
  expect(text).toMatch(/^warnings open +1\nwarnings exposure usd +75000\.00$/m)
  expect(text).toMatch(new RegExp(`^${first} +.* +3 +193000\\.00 `, 'm'))
  const book = await cli.read<{ ltv: object; collateral: object }>('book --json', LIVE)
  expect(book).toMatchObject({
    tenant_id: null,
    exposure: { facilities: 4, total_usd: '200000.00' },
    collateral: { value_usd: '388000.00' },
    // 200,000 / 388,000; and 15,678,000,000 / 97,000 / 200,000.
    ltv: { total: '0.515464', weighted: '0.808145' },
  })
})

test('of one tenant the book has that alone', async () => {
  const book = await cli.read<object>(`book --tenant ${second} --json`, LIVE)
  expect(book).toMatchObject({ tenant_id: second, exposure: { total_usd: '7000.00' } })
  const { exitCode, error } = await cli.run('book --tenant ten_01k9x4m2q8e0tb7f2v5j6h8n3c', LIVE)
  expect([exitCode, error]).toEqual([1, expect.stringContaining('There is no tenant')])
})

test('a figure lists the facilities that make it up, the largest part first', async () => {
  const list = await cli.read<{ items: object[] }>('book deficits --json', LIVE)
  expect(list).toMatchObject({ facilities: 1, amount_usd: '1000.00', has_more: false })
  expect(list.items).toMatchObject([{ facility_id: deepest, amount_usd: '1000.00' }])
  const text = await cli.show('book exposure --limit 2', LIVE)
  expect(text).toMatch(/^facilities +4, 200000\.00 USD$/m)
  expect(text).toMatch(/^shown +the first 2/m)
  expect(text.match(/^fac_/gm)).toHaveLength(2)
  const warned = await cli.show('book warnings --tier 2 --above-ltv 0.7 --asset BTC', LIVE)
  expect(warned).toMatch(/^facilities +0, 0\.00 USD$/m)
})

test.each(['book profit', 'book exposure --limit 0', 'book exposure --above-ltv -1'])(
  '%s is refused as misuse',
  async (command) => {
    expect((await cli.run(command, LIVE)).exitCode).toBe(2)
  },
)

import { createServer } from 'node:http'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { QuotedAsset } from '../../src/core/assets.ts'
import { addMs } from '../../src/core/time.ts'
import type { Quote } from '../../src/domain/collateral/accept-round.ts'
import type { QuoteSource } from '../../src/domain/collateral/price-rounds.ts'
import { makeRound, runPriceRounds } from '../../src/jobs/price-rounds.ts'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { createResources } from '../../src/process/resources.ts'
import { insertFacilities, setRounds } from '../support/lending/facility-rows.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { LIVE, testConfig } from '../support/process/config.ts'
import { waitFor } from '../support/process/patience.ts'
import { listen } from '../support/servers/misbehaving-server.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'

let open: AsyncDisposableStack
beforeEach(() => {
  open = new AsyncDisposableStack()
})
afterEach(() => open.disposeAsync())

const NOW = new Date('2026-11-20T12:00:00Z')
const PERIOD_MS = 10_000
const DOLLAR = 100_000_000n

/** A source that quotes Bitcoin at so many dollars, at `at`, once `before` is done. */
function quoting(
  name: string,
  dollars: number,
  { at = NOW, before = async () => undefined as unknown } = {},
): QuoteSource {
  const quote: Quote = { source: name, price: BigInt(dollars) * DOLLAR, at }
  return {
    name,
    async read() {
      await before()
      return new Map<QuotedAsset, Quote>([['BTC', quote]])
    },
  }
}

const readRounds = ({ db }: TestDatabase) =>
  db.selectFrom('price_rounds').select(['accepted_at', 'prices']).execute()

test('several workers make one round between them', async () => {
  const database = open.use(await createTestDatabase())
  const quoteSources = [quoting('a', 100_000), quoting('b', 100_000)]
  const context = { db: database.db, clock: () => NOW, quoteSources }
  const reports = await Promise.all(Array.from({ length: 4 }, () => makeRound(context, PERIOD_MS)))
  expect(reports.filter((report) => report !== undefined)).toHaveLength(1)
  expect(await readRounds(database)).toHaveLength(1)
  const later = { ...context, clock: () => addMs(NOW, PERIOD_MS) }
  expect((await makeRound(later, PERIOD_MS))?.get('BTC')).toBe('accepted')
})

test('no transaction is open while the exchanges are read', async () => {
  // With one connection, an open transaction holds it.
  const database = open.use(await createTestDatabase({ maxConnections: 1 }))
  const before = () => sql`SELECT 1`.execute(database.db)
  const quoteSources = [quoting('a', 100_000, { before }), quoting('b', 100_000, { before })]
  const context = { db: database.db, clock: () => NOW, quoteSources }
  expect((await makeRound(context, PERIOD_MS))?.get('BTC')).toBe('accepted')
})

test('quotes are evaluated by the time at which all have answered', async () => {
  const database = open.use(await createTestDatabase())
  let now = NOW
  const before = async () => {
    now = addMs(NOW, 60_001)
  }
  const quoteSources = [quoting('a', 100_000), quoting('b', 100_000, { before })]
  const report = await makeRound({ db: database.db, clock: () => now, quoteSources }, PERIOD_MS)
  expect(report?.get('BTC')).toBe('too_few_sources')
})

test('a worker that was paused until the next round stores nothing', async () => {
  const database = open.use(await createTestDatabase())
  const { db } = database
  const asked = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const before = async () => {
    asked.resolve()
    await resumed.promise
  }
  const paused = makeRound(
    { db, clock: () => NOW, quoteSources: [quoting('a', 1, { before }), quoting('b', 1)] },
    PERIOD_MS,
  )
  await asked.promise
  const at = addMs(NOW, PERIOD_MS)
  const quoteSources = [quoting('a', 100_000), quoting('b', 100_000)]
  await makeRound({ db, clock: () => at, quoteSources }, PERIOD_MS)
  resumed.resolve()
  expect(await paused).toBeUndefined()
  expect(await readRounds(database)).toEqual([
    { accepted_at: at, prices: { BTC: { price: '10000000000000', at: at.toISOString() } } },
  ])
})

test('a round that fails is reported, and the next is made all the same', async () => {
  const database = open.use(await createTestDatabase())
  const stop = new AbortController()
  const seen: string[] = []
  const broken = {
    name: 'broken',
    read: vi.fn<QuoteSource['read']>(async () => new Map()).mockRejectedValueOnce(new Error('no')),
  }
  const ended = runPriceRounds(
    stop.signal,
    { db: database.db, clock: () => new Date(), quoteSources: [broken] },
    {
      periodMs: 20,
      onRound: async () => {
        seen.push('round')
        stop.abort()
      },
      onError: () => seen.push('error'),
    },
  )
  await ended
  expect(seen).toEqual(['error', 'round'])
})

test('rounds go on while facilities are evaluated by an earlier one, and the end waits for that', async () => {
  const database = open.use(await createTestDatabase())
  const stop = new AbortController()
  const goneOn = Promise.withResolvers<void>()
  const quoteSources = [{ name: 'still', read: async () => new Map() }]
  const seen: string[] = []
  let rounds = 0
  await runPriceRounds(
    stop.signal,
    { db: database.db, clock: () => new Date(), quoteSources },
    {
      periodMs: 20,
      onRound: async () => {
        rounds += 1
        if (rounds === 3) goneOn.resolve()
        if (rounds > 1) return
        await goneOn.promise
        stop.abort()
        await sql`SELECT 1`.execute(database.db)
        seen.push('evaluated')
        throw new Error('not all were')
      },
      onError: () => seen.push('error'),
    },
  )
  expect(seen).toEqual(['evaluated', 'error'])
})

test('a live worker makes prices from three exchanges, sends them to the feed, and evaluates facilities by them', async () => {
  const database = open.use(await createTestDatabase())
  const startedAt = new Date()
  const tenantId = await openTenant(database.db, startedAt)
  const owed = { principalCents: 48_000_00n, accruedAt: startedAt }
  await insertFacilities(database.db, tenantId, [{ ...owed, positions: { BTC: 10n ** 8n } }])
  const past = { agoMs: 70_000, prices: { BTC: 68_000n * DOLLAR } }
  await setRounds(database.db, startedAt, [past])
  const time = () => new Date().toISOString()
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const result = { XXBTZUSD: { c: ['68001.5', '1'] }, USDCUSD: { c: ['0.9999', '1'] } }
    if (url.startsWith('/products/BTC'))
      response.end(JSON.stringify({ price: '68000', time: time() }))
    else if (url.startsWith('/0/')) response.end(JSON.stringify({ error: [], result }))
    else if (url.includes('btcusd')) response.end(JSON.stringify({ last: '68002', timestamp }))
    else if (url.includes('usdc')) response.end(JSON.stringify({ last: '1.0000', timestamp }))
    else response.writeHead(503).end()
  })
  const url = `http://127.0.0.1:${open.use(await listen(server)).port}`
  const stores = { databaseUrl: database.appUrl, redisUrl: await testRedisUrl() }
  await sql`UPDATE stack SET name = 'live'`.execute(database.db)
  const resources = createResources({
    ...testConfig(stores, {
      ...LIVE,
      EXCHANGE_URLS: `coinbase=${url},kraken=${url},bitstamp=${url},bitfinex=${url}`,
      PROVIDER_HTTP_HOSTS: '127.0.0.1',
    }),
    priceRoundSeconds: 2,
  })
  open.defer(() => resources.dispose())
  const jobs = startJobs(resources)
  open.defer(() => jobs.drain())

  const { prices, db } = resources
  await waitFor(async () => {
    const latest = await prices.latest(db, 'ten_any', new Date())
    expect(Object.fromEntries([...latest].map(([asset, { price }]) => [asset, price]))).toEqual({
      USD: 100_000_000n,
      BTC: 6_800_150_000_000n,
      USDC: 99_995_000n,
    })
  })
  await waitFor(async () => {
    const warnings = await db.selectFrom('margin_warnings').select(['tier', 'status']).execute()
    expect(warnings).toEqual([{ tier: 1, status: 'OPEN' }])
  })
  // Counted once the round is stored.
  await waitFor(async () => {
    const metrics = await resources.metrics.registry.metrics()
    expect(metrics).toContain('svc_price_rounds_total{asset="BTC",outcome="accepted"}')
    expect(metrics).toContain('svc_price_rounds_total{asset="ETH",outcome="too_few_sources"}')
  })
})

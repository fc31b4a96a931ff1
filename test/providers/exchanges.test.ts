import { createServer, type ServerResponse } from 'node:http'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { QuoteSource } from '../../src/domain/collateral/price-rounds.ts'
import { createBitfinex } from '../../src/providers/exchanges/bitfinex.ts'
import { createBitstamp } from '../../src/providers/exchanges/bitstamp.ts'
import { createCoinbase } from '../../src/providers/exchanges/coinbase.ts'
import { createKraken } from '../../src/providers/exchanges/kraken.ts'
import { createTickerClient } from '../../src/providers/exchanges/read-tickers.ts'
import { createGuardedHttp } from '../../src/providers/vendors/guarded-http.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { watchCalls } from '../../src/telemetry/observe.ts'
import {
  listen,
  startDripping,
  startEndless,
  startHanging,
  startResetting,
  startSayingAndClosing,
} from '../support/servers/misbehaving-server.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

let open: AsyncDisposableStack
let missing: string[]
beforeEach(() => {
  open = new AsyncDisposableStack()
  missing = []
})
afterEach(() => open.disposeAsync())

function createClient(deadlineMs = 10_000, metrics = createMetrics()) {
  const http = createGuardedHttp('exchange', {
    deadlineMs,
    breaker: { failures: 5, windowMs: 120_000, pauseMs: 60_000 },
    watch: watchCalls(metrics),
    logger: pino({ level: 'silent' }),
    clock: () => NOW,
  })
  open.defer(() => http.close())
  return createTickerClient(http, {
    clock: () => NOW,
    onMissing: (source) => missing.push(source),
  })
}

/** Answers these paths with these bodies, as JSON where they are no text, and all others with 404. */
async function startExchange(answers: Record<string, unknown>): Promise<string> {
  const server = createServer((request, response: ServerResponse) => {
    const answer = answers[request.url ?? '']
    if (answer === undefined) response.writeHead(404).end('{"message":"NotFound"}')
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  const { port } = open.use(await listen(server))
  return `http://127.0.0.1:${port}`
}

async function read(source: QuoteSource) {
  return Object.fromEntries(await source.read())
}

const coinbase = (
  btc: unknown,
  eth: unknown = { price: '4000', time: '2026-11-20T12:00:00Z' },
) => ({
  '/products/BTC-USD/ticker': btc,
  '/products/ETH-USD/ticker': eth,
})
const KRAKEN = '/0/public/Ticker?pair=XBTUSD,ETHUSD,USDCUSD'
const KRAKEN_PRICES = { XXBTZUSD: { c: ['68123.4', '1'] } }
const BTC = { source: 'coinbase', price: 10_000_000_000_000n, at: NOW }
const ETH = { source: 'coinbase', price: 400_000_000_000n, at: NOW }

test('the quotes of Coinbase have price and time of the last trade of each product', async () => {
  const url = await startExchange(
    coinbase({
      trade_id: 1,
      price: '68123.45',
      size: '0.0001',
      time: '2026-11-20T11:59:59.123456Z',
      bid: '68123.44',
      ask: '68123.46',
      volume: '9000.1',
    }),
  )
  expect(await read(createCoinbase(createClient(), url))).toEqual({
    BTC: {
      source: 'coinbase',
      price: 6_812_345_000_000n,
      at: new Date('2026-11-20T11:59:59.123Z'),
    },
    ETH,
  })
})

test('the quotes of Kraken have the last trade of every pair, at the time of the poll', async () => {
  const url = await startExchange({
    [KRAKEN]: {
      error: [],
      result: {
        XXBTZUSD: { a: ['68124.0', '1', '1.0'], c: ['68123.40000', '0.001'], o: '68000.0' },
        XETHZUSD: { c: ['4000.01000', '1.5'] },
        USDCUSD: { c: ['0.99990000', '20.0'] },
      },
    },
  })
  expect(await read(createKraken(createClient(), url))).toEqual({
    BTC: { source: 'kraken', price: 6_812_340_000_000n, at: NOW },
    ETH: { source: 'kraken', price: 400_001_000_000n, at: NOW },
    USDC: { source: 'kraken', price: 99_990_000n, at: NOW },
  })
})

test('the quotes of Bitstamp have price and time of the ticker of each pair', async () => {
  const timestamp = String(NOW.getTime() / 1_000 - 5)
  const at = new Date('2026-11-20T11:59:55Z')
  const url = await startExchange({
    '/api/v2/ticker/btcusd/': { timestamp, open: '68000', last: '68123', percent_change: '0.18' },
    '/api/v2/ticker/ethusd/': { timestamp, last: '4000.5' },
    '/api/v2/ticker/usdcusd/': { timestamp, last: '1.00010' },
  })
  expect(await read(createBitstamp(createClient(), url))).toEqual({
    BTC: { source: 'bitstamp', price: 6_812_300_000_000n, at },
    ETH: { source: 'bitstamp', price: 400_050_000_000n, at },
    USDC: { source: 'bitstamp', price: 100_010_000n, at },
  })
})

test('the quote of Bitfinex has price and time of the last trade of USDC', async () => {
  const at = new Date('2026-11-20T11:59:55.123Z')
  const url = await startExchange({
    '/v2/trades/tUDCUSD/hist?limit=1': `[[1783, ${at.getTime()}, -20.5, 0.99985000]]`,
  })
  expect(await read(createBitfinex(createClient(), url))).toEqual({
    USDC: { source: 'bitfinex', price: 99_985_000n, at },
  })
})

test.each(['[]', '[[1]]', '[[1, 2]]', '["error", 10020, "limit: invalid"]', '[[1, 2, 3, -4]]'])(
  'Bitfinex is missing when it answers with %s',
  async (answer) => {
    const url = await startExchange({ '/v2/trades/tUDCUSD/hist?limit=1': answer })
    expect(await read(createBitfinex(createClient(), url))).toEqual({})
    expect(missing).toEqual(['bitfinex'])
  },
)

test('a stale time is passed on as it is, for the round to evaluate', async () => {
  const url = await startExchange(coinbase({ price: '100000', time: '2019-01-01T00:00:00Z' }))
  expect(await read(createCoinbase(createClient(), url))).toMatchObject({
    BTC: { at: new Date('2019-01-01T00:00:00Z') },
  })
})

test.each([
  ['9007199254740993.00000001', 900_719_925_474_099_300_000_001n],
  ['0.123456789999', 12_345_678n],
  ['0.00000001', 1n],
  ['100000', 10_000_000_000_000n],
])('the price %s is read exactly', async (price, expected) => {
  const url = await startExchange(coinbase({ price, time: NOW.toISOString() }))
  const quotes = await createCoinbase(createClient(), url).read()
  expect(quotes.get('BTC')?.price).toBe(expected)
})

test.each([
  ['9007199254740993.00000001', 900_719_925_474_099_300_000_001n],
  ['68123.10', 6_812_310_000_000n],
  ['100000', 10_000_000_000_000n],
  ['1E+5', 10_000_000_000_000n],
  ['6.81231e4', 6_812_310_000_000n],
  ['0.000015e4', 15_000_000n],
  ['25e-2', 25_000_000n],
  ['250e-6', 25_000n],
])('the price %s is read exactly where it is a number', async (price, expected) => {
  const url = await startExchange(coinbase(`{"price":${price},"time":"${NOW.toISOString()}"}`))
  const quotes = await createCoinbase(createClient(), url).read()
  expect(quotes.get('BTC')?.price).toBe(expected)
})

test('numbers count in the answers of Kraken and Bitstamp too', async () => {
  const timestamp = NOW.getTime() / 1_000
  const url = await startExchange({
    [KRAKEN]: '{"error":[],"result":{"XXBTZUSD":{"c":[68123.40,1]}}}',
    '/api/v2/ticker/btcusd/': `{"last":68123.40,"timestamp":${timestamp}}`,
  })
  const price = 6_812_340_000_000n
  const kraken = await read(createKraken(createClient(), url))
  expect(kraken).toEqual({ BTC: { source: 'kraken', price, at: NOW } })
  const bitstamp = await read(createBitstamp(createClient(), url))
  expect(bitstamp).toEqual({ BTC: { source: 'bitstamp', price, at: NOW } })
})

test.each(['0', '-5', '1e-9', '1e18', '1e99', '1e400', '1e-400'])(
  'the number %s is no price',
  async (price) => {
    const url = await startExchange(coinbase(`{"price":${price},"time":"${NOW.toISOString()}"}`))
    expect(await read(createCoinbase(createClient(), url))).toEqual({ ETH })
  },
)

test.each([
  '0',
  '0.000000001',
  '-5',
  '1e5',
  '1,000.00',
  'NaN',
  '',
  ' 1',
  '1'.repeat(19),
  true,
  null,
])('%j is no price, and the prices of other assets still count', async (price) => {
  const url = await startExchange(coinbase({ price, time: NOW.toISOString() }))
  expect(await read(createCoinbase(createClient(), url))).toEqual({ ETH })
  expect(missing).toEqual(['coinbase'])
})

test.each([
  ['no JSON', '<html>busy</html>'],
  ['half an answer', '{"price":"100000","ti'],
  ['an empty answer', ' '],
  ['another shape', { result: [] }],
  ['a list', [1, 2, 3]],
  ['null', 'null'],
  ['no time', { price: '100000' }],
  ['a local time', { price: '100000', time: '2026-11-20T12:00:00' }],
  ['a day that does not exist', { price: '100000', time: '2026-02-30T12:00:00Z' }],
])(
  'Coinbase counts as missing, without an exception, when it answers with %s',
  async (_name, answer) => {
    const url = await startExchange(coinbase(answer))
    expect(await read(createCoinbase(createClient(), url))).toEqual({ ETH })
  },
)

test('one product that Coinbase does not list leaves the others', async () => {
  const url = await startExchange({ '/products/BTC-USD/ticker': BTC_TICKER })
  expect(await read(createCoinbase(createClient(), url))).toEqual({ BTC })
  expect(missing).toEqual(['coinbase'])
})

test.each([
  ['an error of Kraken', { error: ['EService:Unavailable'] }],
  ['no pairs', { error: [] }],
  ['an empty trade', { error: [], result: { XXBTZUSD: { c: [] } } }],
])(
  'Kraken counts as missing, without an exception, when it answers with %s',
  async (_name, answer) => {
    const url = await startExchange({ [KRAKEN]: answer })
    expect(await read(createKraken(createClient(), url))).toEqual({})
  },
)

test.each([[['EGeneral:Delayed']], ['busy'], [undefined]])(
  'the prices of Kraken count beside %j in its errors',
  async (error) => {
    const url = await startExchange({ [KRAKEN]: { error, result: KRAKEN_PRICES } })
    expect(Object.keys(await read(createKraken(createClient(), url)))).toEqual(['BTC'])
  },
)

test('one unreadable pair of Kraken leaves the others', async () => {
  const result = { XXBTZUSD: { c: ['?', '1'] }, XETHZUSD: { c: ['4000', '1'] } }
  const url = await startExchange({ [KRAKEN]: { error: [], result } })
  expect(Object.keys(await read(createKraken(createClient(), url)))).toEqual(['ETH'])
  expect(missing).toEqual(['kraken', 'kraken'])
})

test('a pair of Bitstamp with an invalid time is missing', async () => {
  const url = await startExchange({
    '/api/v2/ticker/btcusd/': { timestamp: 'soon', last: '68123' },
  })
  expect(await read(createBitstamp(createClient(), url))).toEqual({})
})

const BTC_TICKER = { price: '100000', time: NOW.toISOString() }
const ticker = JSON.stringify(BTC_TICKER)
test.each([
  ['never answers', () => startHanging()],
  ['drips for ever', () => startDripping()],
  ['sends without end', () => startEndless()],
  ['fails without end', () => startEndless(500)],
  ['resets the connection', () => startResetting()],
  ['answers without HTTP', () => startSayingAndClosing('SSH-2.0-OpenSSH_9\r\n')],
  ['fails with a good body', () => startSayingAndClosing(answerOf('500 Oops', ticker))],
  ['redirects', () => startSayingAndClosing(answerOf('302 Found\r\nlocation: /', ticker))],
  ['stops half-way', () => startSayingAndClosing(answerOf('200 OK', ticker).slice(0, -10))],
])('an exchange that %s is missing, and nothing is thrown', async (_name, start) => {
  const server = open.use(await start())
  const client = createClient(250)
  const url = `http://127.0.0.1:${server.port}`
  const sources = [createCoinbase(client, url), createKraken(client, url)]
  expect(await Promise.all(sources.map(read))).toEqual([{}, {}])
  expect(missing.sort()).toEqual(['coinbase', 'coinbase', 'kraken'])
})

test('an exchange that is not there is missing, and nothing is thrown', async () => {
  const server = await startHanging()
  await server[Symbol.asyncDispose]()
  expect(await read(createBitstamp(createClient(), `http://127.0.0.1:${server.port}`))).toEqual({})
  expect(missing).toEqual(['bitstamp', 'bitstamp', 'bitstamp'])
})

test('an exchange that is down is not polled for a while, and the results of its calls are counted', async () => {
  const server = open.use(await startResetting())
  const metrics = createMetrics()
  const url = `http://127.0.0.1:${server.port}`
  const source = createBitstamp(createClient(1_000, metrics), url)
  await source.read()
  await source.read()
  const reached = server.connections()
  expect(await read(source)).toEqual({})
  expect(server.connections()).toBe(reached)
  const { values } = await metrics.providerCalls.get()
  const outcomes = values.map(({ labels, value }) => [labels.outcome, value])
  expect(outcomes).toEqual([
    ['network', 6],
    ['breaker_open', 3],
  ])
})

function answerOf(status: string, body: string): string {
  return `HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

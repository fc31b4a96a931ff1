import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { typeid } from 'typeid-js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { capacityMicros, readBucket } from '../../../src/core/limits/gcra.ts'
import {
  LIMIT_CLASSES,
  type LimitClass,
  parseLimits,
} from '../../../src/core/limits/limit-classes.ts'
import { createTokenBuckets, limiterRedisOptions } from '../../../src/http/limits/token-buckets.ts'
import { drawRequests, EXPECTED_LIMITS } from '../../support/limits/bucket-requests.ts'
import { takeAtScript } from '../../support/limits/take-at-script.ts'
import { waitFor } from '../../support/process/patience.ts'
import { testRedisUrl } from '../../support/stores/redis.ts'
import { startRedisProxy } from '../../support/stores/redis-proxy.ts'

let redisUrl: string
let redis: Redis

beforeAll(async () => {
  // Generous, so that a loaded machine alone never counts as an outage; the outage tests choose.
  redisUrl = await testRedisUrl()
  redis = new Redis(redisUrl, { ...limiterRedisOptions, commandTimeout: 30_000 })
  await once(redis, 'ready')
})

afterAll(() => redis.disconnect())

function limitsWith(overrides: string) {
  const limits = parseLimits(overrides)
  if (typeof limits === 'string') throw new Error(limits)
  return limits
}

function bucketsOver(connection: Redis, overrides = '') {
  let nowMicros = 0
  const logger = { warn: vi.fn(), info: vi.fn() }
  const onFallback = vi.fn()
  const buckets = createTokenBuckets({
    redis: connection,
    limits: limitsWith(overrides),
    logger,
    metrics: { onFallback },
    fallbackClock: () => nowMicros,
  })
  const passMicros = (micros: number) => {
    nowMicros += micros
  }
  return { ...buckets, logger, onFallback, passMicros }
}

const newTenant = () => typeid('ten').toString()

async function readRedisMicros(): Promise<number> {
  const [seconds, micros] = await redis.time()
  return Number(seconds) * 1_000_000 + Number(micros)
}

describe('the script answers as an exact token bucket does', { timeout: 60_000 }, () => {
  test.each(EXPECTED_LIMITS)(
    'the script answers as an exact token bucket does, %s: %s/s, burst %i',
    async (limitClass, perSecond, burst) => {
      const { limit } = LIMIT_CLASSES[limitClass]
      const requests = drawRequests(perSecond, burst, 20_000, burst + 1)
      const key = `rl:{${newTenant()}}:${limitClass}`
      onTestFinished(() => void redis.del(key))
      const answers: number[] = []
      for (let from = 0; from < requests.length; from += 1_000) {
        const instants = requests.slice(from, from + 1_000).map(({ nowMicros }) => nowMicros)
        const argv = [limit.intervalMicros, capacityMicros(limit), ...instants]
        answers.push(...((await redis.eval(takeAtScript, 1, key, ...argv)) as number[]))
      }
      const readings = answers.map((answer) => readBucket(answer > 0, Math.abs(answer), limit))
      expect(readings).toEqual(requests.map(({ expected }) => expected))
    },
  )
})

test('a bucket in Redis starts full, and shows what is left', async () => {
  const { take, peek } = bucketsOver(redis)
  const scope = { tenantId: newTenant() }
  const full = { limit: 20, remaining: 20, resetSeconds: 0 }
  expect(await peek(scope, 'money')).toMatchObject({ ...full, allowed: true })
  expect(await take(scope, 'money')).toEqual({
    allowed: true,
    limit: 20,
    remaining: 19,
    resetSeconds: 1,
    retryAfterSeconds: undefined,
    nextTokenMicros: 0,
    degraded: false,
  })
})

test('a bucket in Redis holds the exact microsecond at which it is full, by the clock of Redis', async () => {
  const { take } = bucketsOver(redis)
  const tenantId = newTenant()
  const before = await readRedisMicros()
  await take({ tenantId }, 'money')
  const after = await readRedisMicros()
  const fullAt = await redis.get(`rl:{${tenantId}}:money`)
  expect(fullAt).toMatch(/^\d+$/)
  expect(Number(fullAt) - 500_000).toBeGreaterThanOrEqual(before)
  expect(Number(fullAt) - 500_000).toBeLessThanOrEqual(after)
})

test('a bucket in Redis is gone once it is full', async () => {
  const { take } = bucketsOver(redis)
  const tenantId = newTenant()
  await take({ tenantId }, 'money')
  expect(await redis.pttl(`rl:{${tenantId}}:money`)).toBeLessThanOrEqual(500)
  const exists = () => redis.exists(`rl:{${tenantId}}:money`)
  await waitFor(async () => expect(await exists()).toBe(0))
})

test('a bucket in Redis is untouched by a denial and by a peek', async () => {
  const { take, peek } = bucketsOver(redis, 'money=0.001/1')
  const tenantId = newTenant()
  const state = () =>
    Promise.all([
      redis.get(`rl:{${tenantId}}:money`),
      redis.call('PEXPIRETIME', `rl:{${tenantId}}:money`),
    ])
  expect((await take({ tenantId }, 'money')).allowed).toBe(true)
  const written = await state()
  const denial = { allowed: false, remaining: 0, resetSeconds: 1_000, retryAfterSeconds: 1_000 }
  expect(await take({ tenantId }, 'money')).toMatchObject(denial)
  expect(await peek({ tenantId }, 'money')).toMatchObject(denial)
  expect(await state()).toEqual(written)
})

test('a bucket written under a clock that has since been set back locks no tenant out', async () => {
  const { take, peek } = bucketsOver(redis, 'money=0.001/2')
  const tenantId = newTenant()
  const aYearAhead = (await readRedisMicros()) + 365 * 86_400_000_000
  await redis.set(`rl:{${tenantId}}:money`, String(aYearAhead), 'PX', 60_000)
  expect(await peek({ tenantId }, 'money')).toMatchObject({ allowed: true, remaining: 1 })
  expect(await take({ tenantId }, 'money')).toMatchObject({ allowed: true, remaining: 0 })
  expect(await take({ tenantId }, 'money')).toMatchObject({ retryAfterSeconds: 1_000 })
})

test('a bucket in Redis is one per tenant and class, and one per source', async () => {
  const { take } = bucketsOver(redis, 'simulate=0.001/10')
  const [one, other] = [newTenant(), newTenant()]
  const source = `2001:db8::${one}`
  await take({ tenantId: one }, 'simulate')
  expect((await take({ tenantId: one }, 'simulate')).remaining).toBe(8)
  expect((await take({ tenantId: one }, 'money')).remaining).toBe(19)
  expect((await take({ tenantId: other }, 'simulate')).remaining).toBe(9)
  expect((await take({ source }, 'unverified')).remaining).toBe(29)
  expect(await redis.exists(`rl:{${one}}:simulate`, `rl:src:{${source}}`)).toBe(2)
})

test('a bucket in Redis is decided by a Redis that has forgotten the script', async () => {
  const { take } = bucketsOver(redis, 'simulate=0.001/10')
  const scope = { tenantId: newTenant() }
  await take(scope, 'simulate')
  await redis.script('FLUSH')
  expect(await take(scope, 'simulate')).toMatchObject({ remaining: 8, degraded: false })
})

describe('three processes at once', { timeout: 60_000 }, () => {
  test('three processes at once admit the burst and what refilled meanwhile, not one more or less', async () => {
    const { limit } = LIMIT_CLASSES.portfolio_ingest
    const tenantId = newTenant()
    const before = await readRedisMicros()
    const admitted = await hammer(tenantId, 'portfolio_ingest', 400)
    const fullAt = Number(await redis.get(`rl:{${tenantId}}:portfolio_ingest`))
    const after = await readRedisMicros()
    const refilled = Math.floor((after - before) / limit.intervalMicros)
    expect(admitted).toBeGreaterThanOrEqual(limit.burst)
    expect(admitted).toBeLessThanOrEqual(limit.burst + refilled)
    // Each admission moved the bucket by one interval from its first instant: none was lost.
    const firstMicros = fullAt - admitted * limit.intervalMicros
    expect(firstMicros).toBeGreaterThanOrEqual(before)
    expect(firstMicros).toBeLessThanOrEqual(after)
  })
})

/** Three processes with 16 callers each; how many of all their requests were admitted. */
async function hammer(tenantId: string, limitClass: LimitClass, requestsEach: number) {
  const script = fileURLToPath(new URL('../../support/limits/hammer-bucket.ts', import.meta.url))
  const argv = [script, redisUrl, tenantId, limitClass, String(requestsEach), '16']
  const processes = Array.from({ length: 3 }, () => {
    const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill())
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
  })
  const nextLines = () => Promise.all(processes.map(({ lines }) => lines.next()))
  expect((await nextLines()).map(({ value }) => value)).toEqual(['ready', 'ready', 'ready'])
  for (const { child } of processes) child.stdin.write('go\n')
  const admitted = (await nextLines()).map(({ value }) => Number(value))
  return admitted.reduce((sum, count) => sum + count)
}

async function connectThroughProxy() {
  const proxy = await startRedisProxy(redisUrl)
  const connection = new Redis(proxy.url, {
    ...limiterRedisOptions,
    commandTimeout: 30_000,
    retryStrategy: () => 20,
  })
  connection.on('error', () => undefined)
  onTestFinished(async () => {
    connection.disconnect()
    await proxy[Symbol.asyncDispose]()
  })
  await once(connection, 'ready')
  return { proxy, connection, ...bucketsOver(connection) }
}

test('a process admits its own burst and no more, and shares again when Redis is back', async () => {
  const { proxy, take, logger, onFallback, passMicros } = await connectThroughProxy()
  const scope = { tenantId: newTenant() }
  expect((await take(scope, 'simulate')).degraded).toBe(false)

  await proxy.goDown()
  const decisions = await Promise.all(Array.from({ length: 25 }, () => take(scope, 'simulate')))
  expect(decisions.every(({ degraded }) => degraded)).toBe(true)
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10)
  expect(decisions.at(-1)).toMatchObject({ remaining: 0, resetSeconds: 10, retryAfterSeconds: 1 })
  expect(onFallback).toHaveBeenCalledTimes(25)
  expect(logger.warn).toHaveBeenCalledTimes(1)
  passMicros(1_000_000)
  expect(await take(scope, 'simulate')).toMatchObject({ allowed: true, degraded: true })
  expect(await take(scope, 'simulate')).toMatchObject({ allowed: false, degraded: true })

  await proxy.comeBack()
  const other = { tenantId: newTenant() }
  await waitFor(async () => {
    passMicros(1_000_000)
    expect((await take(other, 'money')).degraded).toBe(false)
  })
  expect((await take(other, 'money')).degraded).toBe(false)
  expect(logger.info).toHaveBeenCalledTimes(1)
})

test('a Redis that hangs is asked once, then by a single request a second', async () => {
  const { proxy, connection, take, peek, passMicros } = await connectThroughProxy()
  const scope = { tenantId: newTenant() }
  connection.options.commandTimeout = 50
  proxy.hang()
  expect((await take(scope, 'reads')).degraded).toBe(true)
  await waitFor(() => expect(proxy.scriptCalls()).toBe(1))

  const many = () => Promise.all(Array.from({ length: 20 }, () => take(scope, 'reads')))
  passMicros(999_999)
  await many()
  await waitFor(() => expect(proxy.scriptCalls()).toBe(1))
  passMicros(1)
  await many()
  await waitFor(() => expect(proxy.scriptCalls()).toBe(2))
  expect(await peek(scope, 'reads')).toMatchObject({ allowed: true, degraded: true })
})

test('memory is bounded: the bucket unused for longest makes room', async () => {
  const { proxy, take } = await connectThroughProxy()
  await proxy.goDown()
  const takeBy = (source: string) => take({ source }, 'unverified')
  await takeBy('192.0.2.1')
  expect((await takeBy('192.0.2.1')).remaining).toBe(28)
  for (let host = 0; host < 10_000; host += 1) await takeBy(`2001:db8::${host.toString(16)}`)
  expect((await takeBy('192.0.2.1')).remaining).toBe(29)
})

test('the limits of a stack are those of the interface unless overridden', () => {
  const limits = limitsWith('reads=40/400, money=0.5/20')
  expect(limits.reads).toEqual({ burst: 400, intervalMicros: 25_000 })
  expect(limits.money).toEqual({ burst: 20, intervalMicros: 2_000_000 })
  expect(limits.valuation).toEqual(LIMIT_CLASSES.valuation.limit)
  expect(limitsWith('')).toEqual(limitsWith(' '))
})

test.each([
  ['reads', '"reads" must read class=rate/burst, for example reads=20/200.'],
  ['reads=20/200,', '"" must read class=rate/burst, for example reads=20/200.'],
  [
    'writes=1/1',
    /^"writes" is no class; the classes are portfolio_ingest, portfolio_flood, reads, /,
  ],
  ['toString=1/1', /^"toString" is no class/],
  ['reads=20/200,reads=1/1', '"reads" must be given only once.'],
  ['money=3/20', 'money: The rate 3/s must take a whole number of microseconds per token.'],
])('the limit %s is refused with a sentence', (text, sentence) => {
  expect(parseLimits(text)).toEqual(
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  )
})

import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { PRIORITIES } from '../../src/domain/work/topics.ts'
import {
  type Lane,
  laneId,
  laneOfWake,
  openQueues,
  producerRedisOptions,
  QUEUE_NAMES,
  QUEUE_PREFIX,
  QUEUE_SLOTS,
  type Queues,
  queueKey,
  readLane,
  startQueues,
} from '../../src/jobs/queues.ts'
import { waitFor } from '../support/process/patience.ts'
import { testRedisUrl } from '../support/stores/redis.ts'
import { startRedisProxy } from '../support/stores/redis-proxy.ts'

const webhook = (number: number): Lane => ({
  queue: 'deliveries',
  tenantId: 'ten',
  webhookId: `whk_${number}`,
})

const drawsOf = (tenantId: string, part = 0): Lane => ({
  queue: 'payments',
  tenantId,
  topic: 'release-draw',
  part,
})

const silent = pino({ level: 'silent' })

async function openAll(open: AsyncDisposableStack, logger = silent) {
  const redisUrl = await testRedisUrl()
  const proxy = open.use(await startRedisProxy(redisUrl))
  const observer = new Redis(redisUrl)
  open.defer(() => observer.disconnect())
  const producer = new Redis(proxy.url, producerRedisOptions)
  producer.on('error', () => undefined)
  open.defer(() => producer.disconnect())
  const queues = openQueues(producer, logger)
  open.defer(() => queues.close())
  await new Promise((resolve) => producer.once('ready', resolve))
  const key = (name: string, queue: Lane['queue'] = 'deliveries') =>
    `${QUEUE_PREFIX}:${queueKey(queue)}:${name}`
  const consume = (
    run: (lane: Lane) => Promise<'done' | 'more'>,
    over: Pick<Queues, 'add'> = queues,
  ) => {
    const redis = new Redis(proxy.url, {
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
    })
    redis.on('error', () => undefined)
    const consumers = startQueues(redis, { run, queues: over, logger })
    open.defer(async () => {
      await consumers.close()
      redis.disconnect()
    })
    return consumers
  }
  const waiting = (queue: Lane['queue'] = 'deliveries') => observer.llen(key('wait', queue))
  return { proxy, observer, queues, key, consume, waiting }
}

test('a queue holds one job for lanes that are added together', async () => {
  await using open = new AsyncDisposableStack()
  const { queues, waiting } = await openAll(open)
  queues.add([webhook(1)])
  queues.add([webhook(2), webhook(2)])
  queues.add([webhook(2), webhook(3), drawsOf('ten'), drawsOf('ten', 1), drawsOf('ten')])
  await waitFor(async () => {
    expect(await waiting()).toBe(3)
    expect(await waiting('payments')).toBe(2)
  })
  queues.add([webhook(1), drawsOf('ten', 2)])
  await waitFor(async () => expect(await waiting('payments')).toBe(3))
  expect(await waiting()).toBe(3)
})

test('every queue has a Cluster tag of its own and runs its jobs', async () => {
  await using open = new AsyncDisposableStack()
  const { queues, consume } = await openAll(open)
  expect(new Set(QUEUE_NAMES.map(queueKey)).size).toBe(QUEUE_NAMES.length)
  const ran: string[] = []
  consume(async (lane) => {
    ran.push(laneId(lane))
    return 'done'
  })
  const lanes = [
    webhook(1),
    drawsOf('ten'),
    ...['sell-collateral', 'accrue-interest', 'a topic of another release'].flatMap(
      (topic) => laneOfWake({ kind: 'work', tenantId: 'ten', topic, subjectId: 'fac_1' }) ?? [],
    ),
  ]
  expect(lanes.map(({ queue }) => queue)).toEqual(['deliveries', 'payments', 'sales', 'deadlines'])
  queues.add(lanes)
  await waitFor(() => expect(ran.toSorted()).toEqual(lanes.map(laneId).toSorted()))
})

test('a lane that is added while its job runs has another job after it, and never two at a time', async () => {
  await using open = new AsyncDisposableStack()
  const { queues, consume } = await openAll(open)
  let running = 0
  let most = 0
  let runs = 0
  const first = Promise.withResolvers<void>()
  consume(async () => {
    running += 1
    runs += 1
    most = Math.max(most, running)
    if (runs === 1) await first.promise
    running -= 1
    return 'done'
  })
  queues.add([webhook(1)])
  await waitFor(() => expect(runs).toBe(1))
  for (let again = 0; again < 3; again += 1) {
    queues.add([webhook(1)])
    await sleep(20)
  }
  first.resolve()
  await waitFor(() => expect(runs).toBe(2))
  await sleep(100)
  expect({ runs, most }).toEqual({ runs: 2, most: 1 })
})

test('a lane with more to do goes to the back of its queue', async () => {
  await using open = new AsyncDisposableStack()
  const { queues, consume, waiting } = await openAll(open)
  const { slots } = PRIORITIES.payments
  const busy = Array.from({ length: slots }, (_, at) => drawsOf(`busy_${at}`))
  const others = Array.from({ length: slots }, (_, at) => drawsOf(`other_${at}`))
  queues.add([...busy, ...others])
  await waitFor(async () => expect(await waiting('payments')).toBe(2 * slots))
  const ran: string[] = []
  consume(async ({ tenantId }) => {
    ran.push(tenantId)
    await sleep(50)
    return ran.length < 20 * slots ? 'more' : 'done'
  })
  await waitFor(() => expect(ran.length).toBeGreaterThanOrEqual(4 * slots))
  // Whoever has more to do waits until each of the others has had a turn.
  const firstTurns = new Set(ran.slice(0, 2 * slots))
  expect(firstTurns.size).toBe(2 * slots)
})

test('a process runs no more jobs of a queue at a time than it has slots', async () => {
  await using open = new AsyncDisposableStack()
  const { queues, consume, waiting } = await openAll(open)
  queues.add(Array.from({ length: 100 }, (_, at) => drawsOf(`ten_${at}`)))
  await waitFor(async () => expect(await waiting('payments')).toBe(100))
  let running = 0
  let most = 0
  let ran = 0
  consume(async () => {
    running += 1
    most = Math.max(most, running)
    await sleep(20)
    running -= 1
    ran += 1
    return 'done'
  })
  await waitFor(() => expect(ran).toBe(100))
  expect(most).toBe(QUEUE_SLOTS.payments)
})

test('a run that throws leaves its queue working, and its lane can be added again', async () => {
  await using open = new AsyncDisposableStack()
  const { queues, consume, observer, key } = await openAll(open)
  let runs = 0
  consume(async () => {
    runs += 1
    if (runs === 1) throw new Error('the database is away')
    return 'done'
  })
  queues.add([webhook(1)])
  await waitFor(() => expect(runs).toBe(1))
  queues.add([webhook(1)])
  await waitFor(() => expect(runs).toBe(2))
  await waitFor(async () => expect(await observer.keys(key('de:*'))).toEqual([]))
  expect(await observer.zcard(key('failed'))).toBe(0)
})

test('a job that another release wrote is passed over, and the ones behind it run', async () => {
  await using open = new AsyncDisposableStack()
  const { queues, consume, observer } = await openAll(open)
  const { Queue } = await import('bullmq')
  const foreign = new Queue(queueKey('payments'), {
    connection: observer,
    prefix: QUEUE_PREFIX,
  })
  open.defer(() => foreign.close())
  for (const data of [
    { tenantId: 'ten', topic: 'unheard-of', part: 0 },
    { tenantId: 'ten', topic: 'toString', part: 0 },
    { tenantId: 'ten', topic: 'release-draw', part: 8 },
    { tenantId: 'ten', topic: 'sell-collateral', part: 0 },
    { topic: 'release-draw' },
    null,
  ]) {
    expect(readLane('payments', data)).toBeUndefined()
    await foreign.add('foreign', data)
  }
  const ran: Lane[] = []
  consume(async (lane) => {
    ran.push(lane)
    return 'done'
  })
  queues.add([drawsOf('ten')])
  await waitFor(() => expect(ran).toEqual([drawsOf('ten')]))
})

test('adding never waits or throws without Redis, and the log has it once, and once that it is back', async () => {
  await using open = new AsyncDisposableStack()
  const lines: { msg: string }[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { proxy, queues, waiting } = await openAll(open, logger)
  queues.add([webhook(1)])
  await waitFor(async () => expect(await waiting()).toBe(1))
  await proxy.goDown()
  let slowest = 0
  for (let number = 2; number < 50; number += 1) {
    const startedAt = performance.now()
    queues.add([webhook(number), drawsOf(`ten_${number}`)])
    slowest = Math.max(slowest, performance.now() - startedAt)
    await sleep(5)
  }
  expect(slowest).toBeLessThan(50)
  await proxy.comeBack()
  await waitFor(async () => {
    queues.add([webhook(100), drawsOf('ten_100')])
    expect(await waiting()).toBeGreaterThan(1)
    expect(await waiting('payments')).toBeGreaterThan(0)
  })
  await waitFor(() =>
    expect(lines.map(({ msg }) => msg)).toEqual([
      'Redis takes no jobs; the sweep finds what is due',
      'Redis takes jobs again',
    ]),
  )
})

test('lanes are added again soon after the connection was lost without a reset', async () => {
  await using open = new AsyncDisposableStack()
  const { proxy, queues, waiting } = await openAll(open)
  proxy.loseOpen()
  queues.add([webhook(1)])
  await waitFor(
    async () => {
      queues.add([webhook(2)])
      expect(await waiting()).toBeGreaterThan(0)
    },
    { timeout: 10_000 },
  )
})

test('a Redis that hangs holds up the end of a process for a second', async () => {
  await using open = new AsyncDisposableStack()
  const { proxy, queues, waiting } = await openAll(open)
  queues.add([webhook(1)])
  await waitFor(async () => expect(await waiting()).toBe(1))
  proxy.hang()
  queues.add([webhook(2)])
  const startedAt = performance.now()
  await queues.close()
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})

test('more lanes than a process should hold are left to the sweep', async () => {
  await using open = new AsyncDisposableStack()
  const { queues, waiting } = await openAll(open)
  queues.add(Array.from({ length: 10_500 }, (_, number) => webhook(number)))
  await waitFor(async () => expect(await waiting()).toBe(10_000))
  await sleep(100)
  expect(await waiting()).toBe(10_000)
})

test('a deduplication key that no job belongs to stops no lane', async () => {
  await using open = new AsyncDisposableStack()
  const { queues, consume, observer, key } = await openAll(open)
  const run = vi.fn(async () => 'done' as const)
  consume(run)
  await observer.set(key(`de:${laneId(webhook(1))}`), '4711')
  queues.add([webhook(1)])
  await waitFor(() => expect(run).toHaveBeenCalledTimes(1))
})

test('jobs run again seconds after Redis forgot everything or was away', async () => {
  await using open = new AsyncDisposableStack()
  const { proxy, queues, consume, observer } = await openAll(open)
  let runs = 0
  consume(async () => {
    runs += 1
    return 'done'
  })
  queues.add([webhook(1)])
  await waitFor(() => expect(runs).toBe(1))
  await observer.flushdb()
  queues.add([webhook(1)])
  await waitFor(() => expect(runs).toBe(2))
  await proxy.goDown()
  await sleep(1_000)
  await proxy.comeBack()
  const backAt = performance.now()
  await waitFor(() => {
    queues.add([webhook(1)])
    expect(runs).toBeGreaterThan(2)
  })
  expect(performance.now() - backAt).toBeLessThan(8_000)
})

test('closing takes at most five seconds, with a job under way and Redis hanging', async () => {
  await using open = new AsyncDisposableStack()
  const { proxy, queues, consume } = await openAll(open)
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  open.defer(() => ended.resolve())
  const consumers = consume(async () => {
    started.resolve()
    await ended.promise
    return 'done'
  })
  queues.add([webhook(1)])
  await started.promise
  proxy.hang()
  const startedAt = performance.now()
  await consumers.close()
  expect(performance.now() - startedAt).toBeLessThan(6_000)
})

test('what Redis keeps of jobs long gone does not grow', async () => {
  await using open = new AsyncDisposableStack()
  const { queues, consume, observer, key } = await openAll(open)
  let runs = 0
  consume(async () => {
    runs += 1
    return 'done'
  })
  for (let number = 1; number <= 150; number += 1) {
    queues.add([webhook(number)])
    await waitFor(() => expect(runs).toBe(number), { interval: 2 })
  }
  await waitFor(async () => expect(await observer.llen(key('active'))).toBe(0))
  expect(await observer.xlen(key('events'))).toBeLessThan(350)
  const left = (await observer.keys(key('*'))).map((name) => name.slice(key('').length))
  expect(left.filter((name) => /^(\d+|d[en]:)/.test(name))).toEqual([])
})

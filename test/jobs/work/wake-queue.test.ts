import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import type { Wake } from '../../../src/db/database.ts'
import {
  deliveryWakesKey,
  pushDeliveryWakes,
  receiveDeliveryWakes,
} from '../../../src/jobs/deliveries/delivery-wakes.ts'
import {
  CLUSTER_QUEUE_PREFIXES,
  createWakeQueue,
  producerRedisOptions,
  QUEUE_NAME,
  QUEUE_PREFIX,
} from '../../../src/jobs/work/wake-queue.ts'
import { waitFor } from '../../support/process/patience.ts'
import { testRedisUrl } from '../../support/stores/redis.ts'
import { startRedisProxy } from '../../support/stores/redis-proxy.ts'

const ITEM = { tenantId: 'ten', subjectId: 'fac_1' }

const wake = (number: number): Wake => ({
  kind: 'deliveries',
  tenantId: 'ten',
  webhookId: `whk_${number}`,
})

async function openQueue(open: AsyncDisposableStack) {
  const redisUrl = await testRedisUrl()
  const proxy = open.use(await startRedisProxy(redisUrl))
  const observer = new Redis(redisUrl)
  open.defer(() => observer.disconnect())
  const producer = new Redis(proxy.url, producerRedisOptions)
  producer.on('error', () => undefined)
  open.defer(() => producer.disconnect())
  const queue = createWakeQueue(producer, pino({ level: 'silent' }))
  await new Promise((resolve) => producer.once('ready', resolve))
  const key = (name: string) => `${QUEUE_PREFIX}:${QUEUE_NAME}:${name}`
  return {
    proxy,
    queue,
    waiting: async () =>
      (await observer.llen(deliveryWakesKey(QUEUE_PREFIX))) + (await observer.llen(key('wait'))),
    sent: () => observer.lrange(deliveryWakesKey(QUEUE_PREFIX), 0, -1),
    streamLength: () => observer.xlen(key('events')),
  }
}

test('wakes that come together are sent once each', async () => {
  await using open = new AsyncDisposableStack()
  const { queue, waiting } = await openQueue(open)
  queue.send([wake(1)])
  queue.send([wake(2), wake(2)])
  queue.send([wake(2), wake(3)])
  await queue.close()
  expect(await waiting()).toBe(3)
})

test('wakes are sent again soon after the connection was lost without a reset', async () => {
  await using open = new AsyncDisposableStack()
  const { proxy, queue, waiting } = await openQueue(open)
  proxy.loseOpen()
  queue.send([wake(1)])
  await waitFor(
    async () => {
      queue.send([wake(2)])
      expect(await waiting()).toBeGreaterThan(0)
    },
    { timeout: 10_000 },
  )
  await queue.close()
})

test('who listens hears of work that its process asks for, and of no deliveries, without Redis too', async () => {
  await using open = new AsyncDisposableStack()
  const { queue, proxy } = await openQueue(open)
  const heard = vi.fn()
  queue.listen(heard)
  await proxy[Symbol.asyncDispose]()
  queue.send([wake(1)])
  expect(heard).not.toHaveBeenCalled()
  queue.send([{ kind: 'work', ...ITEM, topic: 'push-floor' }, wake(2)])
  expect(heard).toHaveBeenCalledTimes(1)
  await queue.close()
})

test('work of several topics that is requested together is one wake', async () => {
  await using open = new AsyncDisposableStack()
  const { queue, waiting } = await openQueue(open)
  queue.send([{ kind: 'work', ...ITEM, topic: 'push-floor' }])
  queue.send(
    ['push-floor', 'pay-refund', 'release-draw'].map((topic) => ({
      kind: 'work' as const,
      ...ITEM,
      topic,
    })),
  )
  await queue.close()
  expect(await waiting()).toBe(2)
})

test('a Redis that hangs does not hold up the end of a process', async () => {
  await using open = new AsyncDisposableStack()
  const { proxy, queue, waiting } = await openQueue(open)
  queue.send([wake(1)])
  await waitFor(async () => expect(await waiting()).toBe(1))
  proxy.hang()
  queue.send([wake(2)])
  await waitFor(async () => expect(await waiting()).toBe(2))
  queue.send([wake(3)])
  await queue.close()
  expect(await waiting()).toBe(2)
})

test('more wakes than a process should hold are left to the sweeper', async () => {
  await using open = new AsyncDisposableStack()
  const { queue, waiting } = await openQueue(open)
  queue.send(Array.from({ length: 10_500 }, (_, index) => wake(index)))
  await waitFor(async () => expect(await waiting()).toBe(10_000))
  await queue.close()
  expect(await waiting()).toBe(10_000)
})

test('what Redis keeps of jobs long gone does not grow', async () => {
  await using open = new AsyncDisposableStack()
  const { queue, waiting, streamLength } = await openQueue(open)
  for (let job = 1; job <= 150; job += 1) {
    queue.send([{ kind: 'work', ...ITEM, topic: 'push-floor' }])
    await waitFor(async () => expect(await waiting()).toBe(job), { interval: 2 })
  }
  await queue.close()
  expect(await streamLength()).toBeLessThan(250)
})

test('wakes that no worker takes grow no longer than a bound', async () => {
  await using open = new AsyncDisposableStack()
  const redis = new Redis(await testRedisUrl())
  open.defer(() => redis.disconnect())
  for (let round = 0; round < 3; round += 1) {
    const wakes = Array.from({ length: 4_000 }, (_, index) => ({
      tenantId: 'ten',
      webhookId: `whk_${4_000 * round + index}`,
    }))
    await pushDeliveryWakes(redis, QUEUE_PREFIX, wakes)
  }
  expect(await redis.llen(deliveryWakesKey(QUEUE_PREFIX))).toBe(10_000)
})

test('a wake reaches a worker', async () => {
  await using open = new AsyncDisposableStack()
  const redis = new Redis(await testRedisUrl())
  open.defer(() => redis.disconnect())
  const sent = [
    { tenantId: 'ten', webhookId: 'whk_1' },
    { tenantId: 'ten', webhookId: 'whk_2' },
  ]
  await pushDeliveryWakes(redis, QUEUE_PREFIX, sent)
  const received: unknown[] = []
  const receiver = receiveDeliveryWakes(redis, QUEUE_PREFIX, (found) => received.push(found))
  open.defer(() => receiver.close())
  await waitFor(() => expect(received).toEqual(sent))
})

test('of several receivers each wake reaches exactly one, and a lost connection ends none', async () => {
  await using open = new AsyncDisposableStack()
  const redisUrl = await testRedisUrl()
  const proxy = open.use(await startRedisProxy(redisUrl))
  const behind = new Redis(proxy.url, { maxRetriesPerRequest: null })
  behind.on('error', () => undefined)
  open.defer(() => behind.disconnect())
  const producer = new Redis(redisUrl)
  open.defer(() => producer.disconnect())
  const received: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const receiver = receiveDeliveryWakes(behind, QUEUE_PREFIX, ({ webhookId }) => {
      received.push(webhookId)
    })
    open.defer(() => receiver.close())
  }
  const push = async (from: number) => {
    for (let index = from; index < from + 300; index += 1) {
      await pushDeliveryWakes(producer, QUEUE_PREFIX, [
        { tenantId: 'ten', webhookId: `whk_${index}` },
      ])
    }
  }
  const allUntil = (count: number) => Array.from({ length: count }, (_, index) => `whk_${index}`)
  await push(0)
  await waitFor(() => expect(received.toSorted()).toEqual(allUntil(300).toSorted()))

  await proxy.goDown()
  await push(300)
  await proxy.comeBack()
  await waitFor(() => expect(received.toSorted()).toEqual(allUntil(600).toSorted()))
})

test.each([1, 2, 3, 6])('of %i masters of a Cluster each has as many queues', (masters) => {
  const perMaster = CLUSTER_QUEUE_PREFIXES.map((prefix) =>
    Math.floor((slotOf(prefix) * masters) / SLOTS),
  )
  const counts = Array.from(
    { length: masters },
    (_, master) => perMaster.filter((found) => found === master).length,
  )
  expect(counts).toEqual(counts.map(() => CLUSTER_QUEUE_PREFIXES.length / masters))
})

const SLOTS = 16_384

/** Which slot of a Cluster keys are in that begin so: CRC-16 of what the braces hold. */
function slotOf(prefix: string): number {
  let crc = 0
  for (const byte of Buffer.from(prefix.slice(1, -1))) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) {
      crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
    }
  }
  return crc % SLOTS
}

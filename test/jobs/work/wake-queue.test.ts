import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import type { Wake } from '../../../src/db/database.ts'
import {
  CLUSTER_QUEUE_PREFIXES,
  createWakeQueue,
  QUEUE_NAME,
  QUEUE_PREFIX,
} from '../../../src/jobs/work/wake-queue.ts'
import { testRedisUrl } from '../../support/stores/redis.ts'
import { startRedisProxy } from '../../support/stores/redis-proxy.ts'

const PATIENT = { timeout: 10_000 }

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
  const producer = new Redis(proxy.url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 })
  producer.on('error', () => undefined)
  open.defer(() => producer.disconnect())
  const queue = createWakeQueue(producer, pino({ level: 'silent' }))
  await new Promise((resolve) => producer.once('ready', resolve))
  const key = (name: string) => `${QUEUE_PREFIX}:${QUEUE_NAME}:${name}`
  return {
    proxy,
    queue,
    waiting: () => observer.llen(key('wait')),
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

test('work of several topics that is requested together is one wake', async () => {
  await using open = new AsyncDisposableStack()
  const { queue, waiting } = await openQueue(open)
  queue.send([wake(1)])
  queue.send([{ kind: 'work', topic: 'push-floor' }])
  queue.send(['push-floor', 'pay-refund', 'release-draw'].map((topic) => ({ kind: 'work', topic })))
  await queue.close()
  expect(await waiting()).toBe(2)
})

test('a Redis that hangs does not hold up the end of a process', async () => {
  await using open = new AsyncDisposableStack()
  const { proxy, queue, waiting } = await openQueue(open)
  queue.send([wake(1)])
  await vi.waitFor(async () => expect(await waiting()).toBe(1), PATIENT)
  proxy.hang()
  queue.send([wake(2)])
  await vi.waitFor(async () => expect(await waiting()).toBe(2), PATIENT)
  queue.send([wake(3)])
  await queue.close()
  expect(await waiting()).toBe(2)
})

test('more wakes than a process should hold are left to the sweeper', async () => {
  await using open = new AsyncDisposableStack()
  const { queue, waiting } = await openQueue(open)
  queue.send(Array.from({ length: 10_500 }, (_, index) => wake(index)))
  await vi.waitFor(async () => expect(await waiting()).toBe(10_000), PATIENT)
  await queue.close()
  expect(await waiting()).toBe(10_000)
})

test('what Redis keeps of jobs long gone does not grow', async () => {
  await using open = new AsyncDisposableStack()
  const { queue, waiting, streamLength } = await openQueue(open)
  for (let round = 0; round < 5; round += 1) {
    queue.send(Array.from({ length: 500 }, (_, index) => wake(500 * round + index)))
  }
  await queue.close()
  expect(await waiting()).toBe(2_500)
  expect(await streamLength()).toBeLessThan(500)
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

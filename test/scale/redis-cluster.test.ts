import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { Wake } from '../../src/db/database.ts'
import { createTokenBuckets, limiterRedisOptions } from '../../src/http/limits/token-buckets.ts'
import { deliveryWakesKey, receiveDeliveryWakes } from '../../src/jobs/deliveries/delivery-wakes.ts'
import { CLUSTER_QUEUE_PREFIXES, createWakeQueue } from '../../src/jobs/work/wake-queue.ts'
import { openRedis } from '../../src/redis/redis.ts'
import { testConfig } from '../support/process/config.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { type RedisCluster, startRedisCluster } from '../support/stores/redis-cluster.ts'

/** A process tries Redis again once a second. */
const UNHURRIED = { interval: 500 }

let owned: AsyncDisposableStack
let cluster: RedisCluster
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  const folder = join(owned.use(createTemporaryFolder()).path, 'cluster')
  mkdirSync(folder)
  cluster = await startRedisCluster(folder)
  owned.defer(() => cluster.stop())
})
afterAll(() => owned.disposeAsync())

const configure = (env: Record<string, string>) =>
  testConfig({ databaseUrl: 'postgres://localhost/none', redisUrl: cluster.url }, env)

async function connect(options: Parameters<typeof openRedis>[1] = {}) {
  const redis = openRedis(cluster.url, options)
  redis.on('error', () => undefined)
  owned.defer(() => redis.disconnect())
  const members = () => ('nodes' in redis ? redis.nodes('master').map(({ status }) => status) : [])
  await waitFor(() => {
    expect(members()).toEqual(['ready', 'ready', 'ready'])
    // Its members are connected to before it sends them anything.
    expect(redis.status).toBe('ready')
  })
  return redis
}

/** How many wakes wait in each list, for each master. */
async function countWaiting(): Promise<number[][]> {
  return await Promise.all(
    cluster.nodeUrls.map(async (url) => {
      const node = new Redis(url)
      const waiting = await node.keys(deliveryWakesKey('*'))
      const counts = await Promise.all(waiting.map((key) => node.llen(key)))
      node.disconnect()
      return counts
    }),
  )
}

const wake = (number: number): Wake => ({
  kind: 'deliveries',
  tenantId: 'ten',
  webhookId: `whk_${number}`,
})

describe('on a Redis Cluster', () => {
  test('the wakes of a single tenant spread over all masters of a Cluster, and none is lost or doubled', async () => {
    const redis = await connect({ enableOfflineQueue: false, maxRetriesPerRequest: 1 })
    const queue = createWakeQueue(redis, pino({ level: 'silent' }))
    queue.send(Array.from({ length: 600 }, (_, index) => wake(index)))
    await queue.close()
    const counts = await countWaiting()
    const perMaster = CLUSTER_QUEUE_PREFIXES.length / cluster.nodeUrls.length
    for (const master of counts) {
      expect(master).toHaveLength(perMaster)
      for (const count of master) expect(count).toBeGreaterThan(50)
    }
    expect(counts.flat().reduce((sum, count) => sum + count, 0)).toBe(600)

    const received: string[] = []
    for (const prefix of CLUSTER_QUEUE_PREFIXES) {
      const receiver = receiveDeliveryWakes(redis, prefix, ({ webhookId }) => {
        received.push(webhookId)
      })
      owned.defer(() => receiver.close())
    }
    await waitFor(() => expect(new Set(received).size).toBe(600))
    expect(received).toHaveLength(600)
  })

  test('a bucket in a Redis Cluster is one for all processes, on any master', async () => {
    const { limits } = configure({ RATE_LIMITS: 'money=0.001/20' })
    const buckets = await Promise.all(
      [1, 2].map(async () =>
        createTokenBuckets({
          redis: await connect({ ...limiterRedisOptions, commandTimeout: 10_000 }),
          limits,
          logger: pino({ level: 'warn' }),
        }),
      ),
    )
    /** What 60 takes of a new tenant's got, by both; only once Redis itself decides each of them. */
    const takeTogether = () =>
      waitFor(async () => {
        const tenantId = newId('ten')
        const taken = await Promise.all(
          Array.from({ length: 60 }, (_, index) => buckets[index % 2]?.take({ tenantId }, 'money')),
        )
        // A process that did not hear from Redis in time counts on its own: that proves nothing of it.
        expect(taken.filter((decision) => decision?.degraded)).toEqual([])
        return taken
      }, UNHURRIED)
    for (let tenant = 0; tenant < 6; tenant += 1) {
      const taken = await takeTogether()
      expect(taken.filter((decision) => decision?.allowed)).toHaveLength(20)
    }
  })
})

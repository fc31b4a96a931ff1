import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { laneOf } from '../../src/domain/work/lanes.ts'
import { TOPICS, type Topic } from '../../src/domain/work/topics.ts'
import { createTokenBuckets, limiterRedisOptions } from '../../src/http/limits/token-buckets.ts'
import {
  type Lane,
  laneId,
  openQueues,
  QUEUE_NAMES,
  QUEUE_PREFIX,
  queueKey,
  startQueues,
} from '../../src/jobs/queues.ts'
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

/** The keys of the queues that each master has. */
async function listQueueKeys(): Promise<string[][]> {
  return await Promise.all(
    cluster.nodeUrls.map(async (url) => {
      const node = new Redis(url)
      const keys = await node.keys(`${QUEUE_PREFIX}:*`)
      node.disconnect()
      return keys
    }),
  )
}

describe('on a Redis Cluster', () => {
  test('each queue is on one master of a Cluster, the queues are on several, and each lane runs once', async () => {
    const producer = await connect({ enableOfflineQueue: false, maxRetriesPerRequest: 1 })
    const queues = openQueues(producer, pino({ level: 'silent' }))
    owned.defer(() => queues.close())
    const lanes: Lane[] = Array.from({ length: 100 }, (_, at) => [
      { queue: 'deliveries' as const, tenantId: 'ten', webhookId: `whk_${at}` },
      ...(Object.keys(TOPICS) as Topic[]).map((topic) =>
        laneOf({ tenantId: `ten_${at}`, topic, subjectId: 'fac_1' }),
      ),
    ]).flat()
    queues.add(lanes)
    const expected = new Set(lanes.map(laneId))
    await waitFor(async () => {
      const keys = (await listQueueKeys()).flat()
      for (const queue of QUEUE_NAMES)
        expect(keys).toContain(`${QUEUE_PREFIX}:${queueKey(queue)}:wait`)
    }, UNHURRIED)
    const perMaster = await listQueueKeys()
    for (const queue of QUEUE_NAMES) {
      const own = (keys: string[]) => keys.some((key) => key.includes(queueKey(queue)))
      expect(perMaster.filter(own)).toHaveLength(1)
    }
    for (const keys of perMaster) expect(keys).not.toEqual([])

    const ran: string[] = []
    const run = async (lane: Lane) => {
      ran.push(laneId(lane))
      return 'done' as const
    }
    const consumer = await connect({ maxRetriesPerRequest: null })
    const consumers = startQueues(consumer, { run, queues, logger: pino({ level: 'silent' }) })
    owned.defer(() => consumers.close())
    await waitFor(() => expect(new Set(ran).size).toBe(expected.size))
    expect(ran).toHaveLength(expected.size)
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

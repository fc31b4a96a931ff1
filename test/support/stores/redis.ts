import { once } from 'node:events'
import type { Redis } from 'ioredis'
import { inject } from 'vitest'
import { openRedis } from '../../../src/redis/redis.ts'

/**
 * The address of a Redis database that no other test file uses at the same time, emptied now.
 * Published messages are the exception: they cross databases.
 */
export async function testRedisUrl(): Promise<string> {
  const url = new URL(inject('redisServerUrl'))
  // From 1 to the number of workers; database 0 stays free for other users of the server.
  url.pathname = `/${workerNumber()}`
  await emptyRedis(url.href)
  return url.href
}

/**
 * The same for what the service does with any Redis: a Cluster, in a run over such. What reads
 * Redis otherwise, or puts something between, takes `testRedisUrl`.
 */
export async function serviceRedisUrl(): Promise<string> {
  const url = inject('redisClusterUrls')[workerNumber() - 1]
  if (url === undefined) return await testRedisUrl()
  await emptyRedis(url)
  return url
}

function workerNumber(): number {
  const { VITEST_POOL_ID = '1' } = process.env
  return Number(VITEST_POOL_ID)
}

/** Forgets everything in a database, or in every master of a Cluster. */
export async function emptyRedis(url: string): Promise<void> {
  const redis = openRedis(url)
  try {
    if (redis.status !== 'ready') await once(redis, 'ready')
    const servers = redis.isCluster && 'nodes' in redis ? redis.nodes('master') : [redis as Redis]
    await Promise.all(servers.map((server) => server.flushdb()))
  } finally {
    redis.disconnect()
  }
}

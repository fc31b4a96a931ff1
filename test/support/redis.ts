import { Redis } from 'ioredis'
import { inject } from 'vitest'

/**
 * The address of a Redis database that no other test file uses at the same time, emptied now.
 * Published messages are the exception: they cross databases.
 */
export async function testRedisUrl(): Promise<string> {
  const { VITEST_POOL_ID = '1' } = process.env
  const url = new URL(inject('redisServerUrl'))
  // From 1 to the number of workers; database 0 stays free for whoever else uses the server.
  url.pathname = `/${VITEST_POOL_ID}`
  const redis = new Redis(url.href)
  await redis.flushdb()
  await redis.quit()
  return url.href
}

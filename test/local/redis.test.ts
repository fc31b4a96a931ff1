import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { startRedis } from '../../src/local/stores/redis.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

test('a machine without a Redis gets a store that runs scripts and blocks on lists', async () => {
  using folder = createTemporaryFolder()
  const store = await startRedis({ logFile: join(folder.path, 'redis.log'), packagedOnly: true })
  expect(store.kind).toBe('packaged Valkey')
  const redis = new Redis(store.url)
  expect(await redis.eval("return redis.call('INCRBY', KEYS[1], ARGV[1])", 1, 'count', 3)).toBe(3)
  const popped = redis.duplicate().blpop('list', 0)
  await redis.rpush('list', 'item')
  expect(await popped).toEqual(['list', 'item'])
  redis.disconnect()
  await store.child.stop()
})

import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
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

test.each([true, false])(
  'a store with a password serves none without it, and shows it to no other user (packaged: %s)',
  async (packagedOnly) => {
    using folder = createTemporaryFolder()
    const password = 'a-Password_1'
    const logFile = join(folder.path, 'redis.log')
    const store = await startRedis({ logFile, password, packagedOnly })
    onTestFinished(() => store.child.stop())
    const redis = new Redis(store.url)
    expect(await redis.ping()).toBe('PONG')
    const stranger = new Redis(new URL(store.url).port, { lazyConnect: true, retryStrategy: null })
    stranger.on('error', () => undefined)
    await expect(stranger.ping()).rejects.toThrow(/NOAUTH|closed/)
    const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(store.child.identity.pid)])
    expect(String(stdout)).not.toContain(password)
    expect(statSync(logFile).mode & 0o777).toBe(0o600)
    stranger.disconnect()
    redis.disconnect()
  },
)

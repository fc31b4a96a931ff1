import type { RedisClient } from './redis.ts'

const KEY = '{svc}:stack'

/** The user of REDIS_URL may not do what the service does. */
export class RedisUserRefused extends Error {
  override readonly name = 'RedisUserRefused'
}

/** Writes which database this Redis serves, where nothing is written; returns what is written. Throws
 * `RedisUserRefused`. */
export async function claimRedis(redis: RedisClient, owner: string): Promise<string> {
  try {
    // Asked for by the queues, and what most users lack who lack something.
    await redis.info('server')
    return await claim(redis, owner)
  } catch (error) {
    const refused = error instanceof Error ? /^NOPERM .*/.exec(error.message) : null
    if (!refused) throw error
    throw new RedisUserRefused(
      `the Redis user of REDIS_URL lacks a right (${refused[0].trim()}): docs/configuration.md has the rule that gives it what the service needs`,
    )
  }
}

async function claim(redis: RedisClient, owner: string): Promise<string> {
  await redis.set(KEY, owner, 'NX')
  return (await redis.get(KEY)) ?? owner
}

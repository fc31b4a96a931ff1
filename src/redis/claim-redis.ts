import type { RedisClient } from './redis.ts'

const KEY = '{svc}:stack'

/** Writes which database this Redis serves, where nothing is written; returns what is written. */
export async function claimRedis(redis: RedisClient, owner: string): Promise<string> {
  await redis.set(KEY, owner, 'NX')
  return (await redis.get(KEY)) ?? owner
}

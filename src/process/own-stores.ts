import { setTimeout } from 'node:timers/promises'
import { ForeignStack, readStack, type StackIdentity } from '../db/connections/stack-identity.ts'
import { isPasswordMissing, PASSWORD_MISSING } from '../db/errors.ts'
import { claimRedis, RedisUserRefused } from '../redis/claim-redis.ts'
import type { RedisClient } from '../redis/redis.ts'
import type { Resources } from './resources.ts'

const WAIT_MS = 2_000

type Stores = Pick<Resources, 'db' | 'queueRedis' | 'config' | 'logger'>

/** Throws where a store belongs to another stack. A store that does not answer is verified when it
 * does: each connection to the database by the pool, Redis whenever it is connected again. */
export async function verifyOwnStores(
  stores: Stores,
  onForeign: (error: ForeignStack) => void,
): Promise<void> {
  const { queueRedis, logger } = stores
  await verify(stores)
  queueRedis.on('ready', () => {
    verify(stores).catch((error: unknown) => {
      if (error instanceof ForeignStack) onForeign(error)
      else logger.warn({ err: error }, 'the stores could not be verified')
    })
  })
}

async function verify({ db, queueRedis, config, logger }: Stores): Promise<void> {
  const stack = await readStack(db).catch((error: unknown) => {
    if (error instanceof ForeignStack) throw error
    if (isPasswordMissing(error)) throw new Error(PASSWORD_MISSING)
    logger.warn({ err: error }, 'database connection lost')
    return undefined
  })
  if (stack) await verifyRedis(queueRedis, config.redisUrl, stack)
}

async function verifyRedis(redis: RedisClient, url: string, stack: StackIdentity): Promise<void> {
  const ours = describeStack(stack)
  const late = setTimeout(WAIT_MS, ours, { ref: false })
  // Without Redis there is nothing to mix up; a full one or a replica cannot be claimed.
  const claimed = claimRedis(redis, ours).catch((error: unknown) => {
    if (error instanceof RedisUserRefused) throw error
    return ours
  })
  const owner = await Promise.race([claimed, late])
  if (owner === ours) return
  throw new ForeignStack(
    `the Redis ${hostOf(url)} belongs to another stack (${owner}), and the database to ${ours}: set REDIS_URL to the Redis of this stack, or empty that one (FLUSHDB) if its stack is gone`,
  )
}

const describeStack = ({ name, instanceId }: StackIdentity) => `${name} ${instanceId}`

/** Without the password. */
const hostOf = (url: string) => url.replace(/^\w+(\+cluster)?:\/\/([^@/]*@)?/, '')

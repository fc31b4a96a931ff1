import type { FastifyInstance } from 'fastify'
import { type Db, hasTimeouts } from '../../db/database.ts'
import { readState } from '../../db/migrate.ts'
import type { RedisClient } from '../../redis/redis.ts'

export type Readiness = {
  ready: boolean
  database: string
  migrations: string
  timeouts: string
  redis: string
}

async function checkReadiness(db: Db, redis: RedisClient): Promise<Readiness> {
  const [migrated, bounded, pong] = await Promise.allSettled([
    readState(db),
    hasTimeouts(db),
    within(redis.ping(), 1_000),
  ])
  const database = migrated.status === 'fulfilled' ? 'ok' : 'unreachable'
  const migrations = migrated.status === 'fulfilled' ? migrated.value.kind : 'behind'
  const timeouts = bounded.status === 'fulfilled' && bounded.value ? 'in_force' : 'missing'
  const isRedisUp = pong.status === 'fulfilled'
  return {
    // Not ready would be wrong without Redis: limits are counted here, deliveries wait for the
    // sweeper.
    ready:
      database === 'ok' &&
      (migrations === 'at_head' || migrations === 'ahead') &&
      timeouts === 'in_force',
    database,
    migrations,
    timeouts,
    redis: isRedisUp ? 'ok' : 'unreachable',
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Unauthenticated, for the operator's probes. */
export function healthRoutes(
  app: FastifyInstance,
  context: { db: Db; queueRedis: RedisClient },
): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const readiness = await checkReadiness(context.db, context.queueRedis)
    return reply.code(readiness.ready ? 200 : 503).send(readiness)
  })
}

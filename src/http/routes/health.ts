import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { SILENT_MS } from '../../db/connections/session.ts'
import { type Db, hasTimeouts, readSilence, takesWrites } from '../../db/database.ts'
import { isPastDeadline } from '../../db/errors.ts'
import { readState } from '../../db/migrate/migrate.ts'
import type { RedisClient } from '../../redis/redis.ts'

export type Readiness = {
  ready: boolean
  database: string
  /** `unknown`, as `timeouts`: the database did not say. */
  migrations: string
  timeouts: string
  redis: string
  /** Why Redis is degraded, as it reports it: OOM, READONLY, MISCONF, … */
  redis_error?: string
  /** While some of several processes have never been ready. */
  processes?: 'starting'
}

/** A probe may wait no longer. */
const CHECK_MS = 2_000

const PROBE_KEY = '{svc}:ready'

type HealthContext = {
  db: Db
  queueRedis: RedisClient
  parent?: { areAllStarted(): boolean } | undefined
  logger: Pick<Logger, 'info' | 'warn'>
}

async function checkReadiness({ db, queueRedis, parent }: HealthContext): Promise<Readiness> {
  const [writable, migrated, bounded, written] = await Promise.allSettled([
    takesWrites(db),
    readState(db),
    hasTimeouts(db),
    within(queueRedis.set(PROBE_KEY, '', 'PX', 1_000), 1_000),
  ])
  const database = describeDatabase(writable, migrated)
  const migrations = migrated.status === 'fulfilled' ? migrated.value.kind : 'unknown'
  const isStarting = parent !== undefined && !parent.areAllStarted()
  const timeouts =
    bounded.status === 'rejected' ? 'unknown' : bounded.value ? 'in_force' : 'missing'
  return {
    // Not ready would be wrong without Redis: limits are counted here, deliveries wait for the
    // sweep.
    ready:
      database === 'ok' &&
      (migrations === 'at_head' || migrations === 'ahead') &&
      timeouts === 'in_force' &&
      !isStarting,
    database,
    migrations,
    timeouts,
    ...describeRedis(written),
    ...(isStarting && { processes: 'starting' }),
  }
}

function describeDatabase(
  writable: PromiseSettledResult<boolean>,
  migrated: PromiseSettledResult<unknown>,
): string {
  const failed = [writable, migrated].find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected' && isPastDeadline(failed.reason)) return 'silent'
  if (failed) return 'unreachable'
  return writable.status === 'fulfilled' && writable.value ? 'ok' : 'read_only'
}

/** A replica, a full server or one that cannot save answers, and refuses to write. */
function describeRedis(
  written: PromiseSettledResult<unknown>,
): Pick<Readiness, 'redis' | 'redis_error'> {
  if (written.status === 'fulfilled') return { redis: 'ok' }
  const { reason } = written
  const [code] = /^[A-Z]{3,}\b/.exec(reason instanceof Error ? reason.message : '') ?? []
  return code ? { redis: 'degraded', redis_error: code } : { redis: 'unreachable' }
}

class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

const UNKNOWN: Readiness = {
  ready: false,
  database: 'unreachable',
  migrations: 'unknown',
  timeouts: 'unknown',
  redis: 'unreachable',
}

/** Gives what `/readyz` answers, and the measure `svc_ready`. Takes no longer than CHECK_MS. Logs once that the
 * process is not ready and why, and once that it is again. */
export type ReadReadiness = () => Promise<Readiness>

export function createReadiness(context: HealthContext): ReadReadiness {
  let running: Promise<Readiness> | undefined
  let latest = UNKNOWN
  // One check at a time, whatever number of callers wait for it.
  const check = () => {
    running ??= checkReadiness(context)
      .then((readiness) => {
        latest = readiness
        return readiness
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
  /** While a check takes long, what the latest has found, until PostgreSQL is silent for too long. */
  const read = async (): Promise<Readiness> => {
    try {
      return await within(check(), CHECK_MS)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      if (readSilence(context.db) < SILENT_MS) return latest
      return { ...latest, ready: false, database: 'silent' }
    }
  }
  let unreadyFrom: number | undefined
  return async () => {
    const readiness = await read()
    if (!readiness.ready && unreadyFrom === undefined) {
      unreadyFrom = performance.now()
      context.logger.warn(readiness, 'not ready')
    } else if (readiness.ready && unreadyFrom !== undefined) {
      const unreadyMs = Math.round(performance.now() - unreadyFrom)
      unreadyFrom = undefined
      context.logger.info({ unreadyMs }, 'ready again')
    }
    return readiness
  }
}

/**
 * Unauthenticated, for the operator's probes. Nothing limits how often they are called: a probe may
 * come from the same address as everyone else, and a refusal would take the process out of service.
 */
export function healthRoutes(
  app: FastifyInstance,
  { build, readReadiness }: { build: string; readReadiness: ReadReadiness },
): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok', build }))
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const readiness = await readReadiness()
    return reply.code(readiness.ready ? 200 : 503).send(readiness)
  })
}

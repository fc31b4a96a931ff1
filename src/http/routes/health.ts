import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import { SILENT_MS } from '../../db/connections/session.ts'
import {
  type Db,
  hasTimeouts,
  readClock,
  readSilence,
  takesWrites,
  toDatabase,
} from '../../db/database.ts'
import { isPastDeadline, isReadOnly, sqlState } from '../../db/errors.ts'
import { readState } from '../../db/migrate/migrate.ts'
import { findTablesWithoutPartition } from '../../db/migrate/partitions.ts'
import { probeWrites } from '../../db/probe-writes.ts'
import type { RedisClient } from '../../redis/redis.ts'

export type Readiness = {
  ready: boolean
  database: 'ok' | 'read_only' | 'refuses_writes' | 'silent' | 'unreachable'
  /** The SQLSTATE with which it refuses a write. */
  database_error?: string
  /** `unknown`, as `timeouts`: the database did not say. */
  migrations: string
  timeouts: string
  /** `missing`: a table takes no row of today, and could not be made to. */
  partitions: 'in_place' | 'missing' | 'unknown'
  /** `off`: this process alone differs from the database and Redis. */
  clock: 'ok' | 'off' | 'unknown'
  redis: string
  /** Why Redis is degraded, as it reports it: OOM, READONLY, MISCONF, … */
  redis_error?: string
  /** While some of several processes have never been ready. */
  processes?: 'starting'
}

/** A probe may wait no longer. */
const CHECK_MS = 2_000

const PROBE_KEY = '{svc}:ready'

/** Requests are refused whose time differs by more. */
const CLOCK_OFF_MS = MINUTE_MS

/** Two of these, and a check of a proxy, are less than ten seconds. */
const WRITE_PROBE_MS = 5_000

type HealthContext = {
  db: Db
  queueRedis: RedisClient
  clock: Clock
  parent?: { areAllStarted(): boolean } | undefined
  logger: Pick<Logger, 'info' | 'warn'>
}

async function checkReadiness(
  context: HealthContext,
  probe: () => Promise<Probed>,
): Promise<Readiness> {
  const { db, queueRedis, parent } = context
  const [writable, migrated, bounded, written, compared] = await Promise.allSettled([
    takesWrites(db),
    readState(db),
    hasTimeouts(db),
    within(queueRedis.set(PROBE_KEY, '', 'PX', 1_000), 1_000),
    compareClocks(context),
  ])
  const reached = describeDatabase(writable, migrated)
  const migrations = migrated.status === 'fulfilled' ? migrated.value.kind : 'unknown'
  const isMigrated = migrations === 'at_head' || migrations === 'ahead'
  const isStarting = parent !== undefined && !parent.areAllStarted()
  const timeouts =
    bounded.status === 'rejected' ? 'unknown' : bounded.value ? 'in_force' : 'missing'
  const clock = compared.status === 'fulfilled' ? compared.value : 'unknown'
  const probed = reached === 'ok' && isMigrated ? await probe() : UNPROBED
  const { database = reached } = probed
  return {
    // Not ready would be wrong without Redis: limits are counted here, deliveries wait for the
    // sweep.
    ready:
      database === 'ok' &&
      isMigrated &&
      timeouts === 'in_force' &&
      probed.partitions === 'in_place' &&
      clock !== 'off' &&
      !isStarting,
    migrations,
    timeouts,
    ...probed,
    database,
    clock,
    ...describeRedis(written),
    ...(isStarting && { processes: 'starting' }),
  }
}

function describeDatabase(
  writable: PromiseSettledResult<boolean>,
  migrated: PromiseSettledResult<unknown>,
): Readiness['database'] {
  const failed = [writable, migrated].find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected' && isPastDeadline(failed.reason)) return 'silent'
  if (failed) return 'unreachable'
  return writable.status === 'fulfilled' && writable.value ? 'ok' : 'read_only'
}

/** Two clocks are needed to say that a third is wrong: measured by the database's alone, its wrong clock would take
 * every process out of service. */
async function compareClocks({ db, queueRedis, clock }: HealthContext): Promise<'ok' | 'off'> {
  const [database, [seconds = Number.NaN]] = await Promise.all([
    readClock(db),
    within(queueRedis.time(), 1_000),
  ])
  const [own, theirs, redis] = [clock().getTime(), database.getTime(), seconds * SECOND_MS]
  const differ = (one: number, other: number) => Math.abs(one - other) > CLOCK_OFF_MS
  return differ(own, theirs) && differ(own, redis) && !differ(theirs, redis) ? 'off' : 'ok'
}

type Probed = Pick<Readiness, 'partitions' | 'database_error'> &
  Partial<Pick<Readiness, 'database'>>

const UNPROBED: Probed = { partitions: 'unknown' }

/** Tries at most every five seconds whether the database takes a row, once it has: where no request comes, none
 * would show. What failed is tried again by each check. */
function createProbe({ db, clock }: HealthContext): () => Promise<Probed> {
  let triedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - triedAt < WRITE_PROBE_MS) return { partitions: 'in_place' }
    try {
      await probeWrites(db)
      if (!(await hasPartitions(db, clock))) return { partitions: 'missing' }
      triedAt = performance.now()
      return { partitions: 'in_place' }
    } catch (error) {
      return { ...UNPROBED, ...describeRefusal(error) }
    }
  }
}

async function hasPartitions(db: Db, clock: Clock): Promise<boolean> {
  const isMissing = async () => (await findTablesWithoutPartition(db, clock())).length > 0
  if (!(await isMissing())) return true
  // Rows without one fail until then. What hinders it is in the log of maintenance.
  await toDatabase(db)
    .makePartitions()
    .catch(() => false)
  return !(await isMissing())
}

function describeRefusal(error: unknown): Pick<Readiness, 'database' | 'database_error'> {
  if (isPastDeadline(error)) return { database: 'silent' }
  const state = sqlState(error)
  if (state === undefined || /^(08|57P0)/.test(state)) return { database: 'unreachable' }
  return isReadOnly(error)
    ? { database: 'read_only' }
    : { database: 'refuses_writes', database_error: state }
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
  partitions: 'unknown',
  clock: 'unknown',
  redis: 'unreachable',
}

/** Gives what `/readyz` answers, and the measure `svc_ready`. Takes no longer than CHECK_MS. Logs once that the
 * process is not ready and why, and once that it is again. */
export type ReadReadiness = () => Promise<Readiness>

export function createReadiness(context: HealthContext): ReadReadiness {
  let running: Promise<Readiness> | undefined
  let latest = UNKNOWN
  const probe = createProbe(context)
  // One check at a time, whatever number of callers wait for it.
  const check = () => {
    running ??= checkReadiness(context, probe)
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

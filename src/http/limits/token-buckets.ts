import type { RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { createBoundedCache } from '../../core/limits/bounded-cache.ts'
import {
  type BucketLimit,
  type BucketReading,
  capacityMicros,
  peekBucket,
  readBucket,
  takeToken,
} from '../../core/limits/gcra.ts'
import { type LimitClass, type Limits, mapClasses } from '../../core/limits/limit-classes.ts'
import type { RedisClient } from '../../redis/redis.ts'
import { createWriteTogether } from '../../redis/write-together.ts'
import { peekScript, takeScript } from './token-bucket-scripts.ts'

const BREAKER_MICROS = 1_000_000
const MAX_LOCAL_BUCKETS = 10_000

/** A tenant's bucket covers all its keys; what its people do in the console has others of the same
 * size. A person's covers all their sessions. A source is an address whose requests do not verify. */
export type BucketScope =
  | { readonly tenantId: string; readonly by?: 'console' }
  | { readonly personId: string }
  | { readonly source: string }

export type BucketDecision = BucketReading & {
  /** Decided by this process alone because Redis did not answer. */
  readonly degraded: boolean
}

export type TokenBuckets = {
  /** Takes one token. Never rejects; ends within the command timeout. */
  take(scope: BucketScope, limitClass: LimitClass): Promise<BucketDecision>
  /** Reads the bucket without taking. Never rejects. */
  peek(scope: BucketScope, limitClass: LimitClass): Promise<BucketDecision>
}

export type TokenBucketOptions = {
  /** Its own connection, opened with `limiterRedisOptions`. */
  readonly redis: RedisClient
  readonly limits: Limits
  readonly logger: Pick<Logger, 'warn' | 'info'>
  readonly metrics?: { onFallback(limitClass: LimitClass): void }
  /** Monotonic microseconds, of any origin. */
  readonly fallbackClock?: () => number
}

/**
 * Commands are sent once or not at all: one queued or re-sent after a reconnect would take a token
 * for a request already answered. The caller adds how long it waits for an answer.
 */
export const limiterRedisOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1_000,
  // Reopens a connection that was lost without a close.
  socketTimeout: 2_000,
  retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
  // After a failover the old primary refuses writes.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
} as const satisfies RedisOptions

/**
 * One bucket per tenant and class, shared through Redis. Without Redis each process counts alone,
 * from full buckets, and tries Redis again once a second.
 */
export function createTokenBuckets(options: TokenBucketOptions): TokenBuckets {
  const { limits, logger, metrics } = options
  const clock = options.fallbackClock ?? readMonotonicMicros
  const redis = defineScripts(options.redis)
  const writeTogether = createWriteTogether(options.redis)
  const scriptArguments = mapClasses((limitClass) => toScriptArguments(limits[limitClass]))
  const localFullAt = createBoundedCache<string, number>(MAX_LOCAL_BUCKETS)
  let retryAtMicros: number | undefined

  function ask(command: ScriptName, key: string, limitClass: LimitClass): Promise<BucketDecision> {
    if (retryAtMicros !== undefined) {
      if (clock() < retryAtMicros) return Promise.resolve(decideLocally(command, key, limitClass))
      // This request probes Redis; the others stay local until it returns or a second has passed.
      retryAtMicros = clock() + BREAKER_MICROS
    }
    const { interval, capacity } = scriptArguments[limitClass]
    writeTogether()
    return redis[command](key, interval, capacity).then(
      (answer) => {
        if (retryAtMicros !== undefined) closeBreaker()
        return decide(answer >= 0, Math.abs(answer), limits[limitClass])
      },
      (error: unknown) => {
        openBreaker(error)
        return decideLocally(command, key, limitClass)
      },
    )
  }

  function openBreaker(error: unknown): void {
    if (retryAtMicros === undefined) {
      logger.warn({ err: error }, 'Redis does not answer; rate limits are counted per process')
    }
    retryAtMicros = clock() + BREAKER_MICROS
  }

  function closeBreaker(): void {
    retryAtMicros = undefined
    logger.info('Redis answers again; rate limits are shared')
  }

  function decideLocally(command: ScriptName, key: string, limitClass: LimitClass): BucketDecision {
    metrics?.onFallback(limitClass)
    const limit = limits[limitClass]
    const fullAtMicros = localFullAt.get(key)
    if (command === 'peekBucket') {
      return { ...peekBucket(fullAtMicros, clock(), limit), degraded: true }
    }
    const { fullAtMicros: nextFullAt, ...reading } = takeToken(fullAtMicros, clock(), limit)
    if (reading.allowed) localFullAt.set(key, nextFullAt)
    return { ...reading, degraded: true }
  }

  return {
    take: (scope, limitClass) => ask('takeToken', bucketKey(scope, limitClass), limitClass),
    peek: (scope, limitClass) => ask('peekBucket', bucketKey(scope, limitClass), limitClass),
  }
}

type ScriptName = 'takeToken' | 'peekBucket'
type Script = (key: string, interval: string, capacity: string) => Promise<number>

function defineScripts(redis: RedisClient): Record<ScriptName, Script> {
  redis.defineCommand('takeToken', { numberOfKeys: 1, lua: takeScript })
  redis.defineCommand('peekBucket', { numberOfKeys: 1, lua: peekScript })
  return redis as unknown as Record<ScriptName, Script>
}

function toScriptArguments(limit: BucketLimit): { interval: string; capacity: string } {
  return { interval: String(limit.intervalMicros), capacity: String(capacityMicros(limit)) }
}

/** Braces choose the slot: all buckets of a tenant live on one node of a Redis Cluster. */
function bucketKey(scope: BucketScope, limitClass: LimitClass): string {
  if ('tenantId' in scope) {
    const kind = scope.by === undefined ? limitClass : `${scope.by}:${limitClass}`
    return `rl:{${scope.tenantId}}:${kind}`
  }
  if ('personId' in scope) return `rl:{${scope.personId}}:${limitClass}`
  return limitClass === 'unverified'
    ? `rl:src:{${scope.source}}`
    : `rl:src:{${scope.source}}:${limitClass}`
}

function decide(allowed: boolean, backlogMicros: number, limit: BucketLimit): BucketDecision {
  return { ...readBucket(allowed, backlogMicros, limit), degraded: false }
}

function readMonotonicMicros(): number {
  return Math.floor(performance.now() * 1_000)
}

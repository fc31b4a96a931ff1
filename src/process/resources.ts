import type { RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { ownEndpoints } from '../config/own-endpoints.ts'
import { type CursorCodec, createCursorCodec } from '../core/cursor.ts'
import { createSealer, type Sealer } from '../core/sealing.ts'
import { type Clock, systemClock } from '../core/time.ts'
import type { Tracing } from '../core/tracing.ts'
import { type ConnectionSlots, createConnectionSlots } from '../db/connections/connection-slots.ts'
import { createDatabase, type Db, readPool } from '../db/database.ts'
import { partitionMaker } from '../db/migrate/partitions.ts'
import { createKeyCache, type FindKey } from '../domain/auth/key-cache.ts'
import { createKeyOwners } from '../domain/auth/key-owners.ts'
import { createKeyUses, type KeyUses } from '../domain/auth/key-uses.ts'
import type { SendMail } from '../domain/mails/send-to-person.ts'
import type { TermsAt } from '../domain/margin/policy.ts'
import { createTermsAt } from '../domain/margin/versions/terms-at.ts'
import type { IdentityProvider } from '../domain/people/sign-in/identity-provider.ts'
import { createRequestLog, type RequestLog } from '../domain/request-log/request-log.ts'
import { purgeAged } from '../domain/tenants/each-tenant.ts'
import { type ClockFor, createClockFor, type InstantFor } from '../domain/tenants/tenant-clock.ts'
import { type AddressPolicy, createAddressPolicy } from '../domain/webhooks/address-policy.ts'
import type { WebhookSender } from '../domain/webhooks/webhook-sender.ts'
import type { ResolveHost } from '../domain/webhooks/webhook-url.ts'
import type { DeadlineHandlers } from '../domain/work/deadlines.ts'
import {
  createTokenBuckets,
  limiterRedisOptions,
  type TokenBuckets,
} from '../http/limits/token-buckets.ts'
import { createReadiness, type ReadReadiness } from '../http/routes/health.ts'
import { laneOfWake, openQueues, producerRedisOptions, type Queues } from '../jobs/queues.ts'
import { createMailer } from '../providers/mail/mailer.ts'
import { createOidcProvider } from '../providers/oidc/oidc-provider.ts'
import { createHostResolver } from '../providers/webhooks/host-resolver.ts'
import { traceSender } from '../providers/webhooks/traced-sender.ts'
import { createWebhookSender } from '../providers/webhooks/webhook-sender.ts'
import { openRedis, type RedisClient } from '../redis/redis.ts'
import { openLogOutput } from '../telemetry/log-output.ts'
import { createLogger, type ProcessKind } from '../telemetry/logger.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { observePool } from '../telemetry/observe.ts'
import { readBuild } from './build.ts'
import { chooseProviders, type Providers } from './choose-providers.ts'
import { createDeadlineHandlers } from './deadline-handlers.ts'
import type { Parent } from './many/parent.ts'

/** A request waits this long for a connection, as a portfolio does for a token. */
const REQUEST_WAIT_MS = 10_000

/** Where there are few, the requests of one tenant leave so many connections to the others. */
const LEFT_BY_A_TENANT = 2

/** Created once per process and passed on. */
export type Resources = Omit<Providers, 'close'> & {
  config: Config
  kind: ProcessKind
  /** Which release this is. */
  build: string
  clock: Clock
  clockFor: ClockFor
  logger: Logger
  metrics: Metrics
  db: Db
  /** Shares the connections of `db`: between tenants, or in a worker between classes of work. */
  slots: ConnectionSlots
  /** Retries without end: for blocking reads of the queue. */
  queueRedis: RedisClient
  queues: Pick<Queues, 'add' | 'takeTurn'>
  buckets: TokenBuckets
  findKey: FindKey
  keyUses: KeyUses
  identityProvider: IdentityProvider | undefined
  deskIdentityProvider: IdentityProvider | undefined
  requestLog: RequestLog
  sealer: Sealer
  cursors: CursorCodec
  /** The lending and margin policy in force. */
  termsAt: TermsAt
  /** Whether prices come in rounds, each of which evaluates every debt. */
  hasRounds: boolean
  /** Domain time and real time of a tenant, now. */
  instant: InstantFor
  deadlineHandlers: DeadlineHandlers
  /** Deletes stored decisions of sandbox providers on earlier calls; returns their number. */
  forgetSandboxCalls(before: Date): Promise<number>
  addressPolicy: AddressPolicy
  resolveHost: ResolveHost
  sender: WebhookSender
  /** Undefined where no mail server is configured. */
  sendMail: SendMail | undefined
  /** Undefined where traces are off. */
  tracing: Tracing | undefined
  /** Undefined where this process is not one of several. */
  parent: Parent | undefined
  /** Serves `/readyz` on each port, and `svc_ready`. */
  readReadiness: ReadReadiness
  /** Closes everything in reverse order. */
  dispose(): Promise<void>
}

export type ResourceOverrides = {
  /** Default: `api`. */
  kind?: ProcessKind
  clock?: Clock
  resolveHost?: ResolveHost
  logger?: Logger
  deadlineHandlers?: DeadlineHandlers
  tracing?: Tracing | undefined
  parent?: Parent | undefined
  /** By default an API's, shared between tenants. */
  connections?: { total: number; slots: ConnectionSlots }
}

/** Connections open in the background, as they are needed. */
export function createResources(config: Config, overrides: ResourceOverrides = {}): Resources {
  const clock = overrides.clock ?? systemClock
  const { kind = 'api', tracing } = overrides
  const build = readBuild()
  const metrics = createMetrics()
  metrics.buildInfo.set({ kind, build }, 1)
  const onDropped = (lines: number) => metrics.logLinesDropped.inc(lines)
  const logger = overrides.logger ?? createLogger({ ...config, kind }, openLogOutput(onDropped))
  logger.info({ build }, 'starting')

  const producerRedis = connectRedis(config.redisUrl, logger, producerRedisOptions)
  const queues = openQueues(producerRedis, logger)
  const { total, slots } = overrides.connections ?? shareBetweenTenants(config)
  const sealer = createSealer(config.encryptionKeys)
  const db = createDatabase({
    slots,
    sealer,
    stack: config.stack,
    connectionString: config.databaseUrl,
    maxConnections: total,
    onCommit: (wakes) => queues.add(wakes.flatMap((wake) => laneOfWake(wake) ?? [])),
    onIdleError: (error) => logger.warn({ err: error }, 'database connection lost'),
    makePartitions: partitionMaker(clock, config.eventRetentionDays),
    tracing,
  })
  observePool(metrics, () => {
    const pool = readPool(db)
    return { ...pool, waiting: pool.waiting + slots.waiting() }
  })
  const limiterRedis = connectRedis(config.redisUrl, logger, {
    ...limiterRedisOptions,
    commandTimeout: config.limiterAnswerMs,
  })
  const queueRedis = connectRedis(config.redisUrl, logger, { maxRetriesPerRequest: null })
  const addressPolicy = createAddressPolicy(config.webhookAllowCidrs, ownEndpoints(config))
  const resolveHost = overrides.resolveHost ?? createHostResolver()
  const posting = createWebhookSender({
    policy: addressPolicy,
    resolve: resolveHost,
    deadlineMs: config.deliveryDeadlineSeconds * 1_000,
    ...{ proxy: config.webhookProxy, bindAddress: config.webhookBindAddress },
  })
  const sender = traceSender(tracing, posting)

  const { outboundProxy } = config
  const mailer = config.mail && createMailer({ ...config.mail, proxy: outboundProxy })

  const keyUses = createKeyUses({
    db,
    clock,
    onError: (error) => logger.warn({ err: error }, 'last uses of keys were not written'),
  })
  const clockFor = createClockFor(config.stack, clock)
  const isSandbox = config.stack === 'sandbox'
  const chosen = chooseProviders(config, { db, clock, clockFor, logger, metrics, tracing })
  const { close: closeProviders, ...providers } = chosen
  const termsAt = createTermsAt(config, clock)
  const margin = { prices: providers.prices, termsAt, hasRounds: !isSandbox }

  const requestLog = createRequestLog(db, {
    clock,
    findOwner: createKeyOwners(db),
    onDropped: (reason, entries) => metrics.requestsUnlogged.inc({ reason }, entries),
    onError: (error) => logger.warn({ err: error }, 'requests were not written to the log'),
  })

  const instant: InstantFor = async (tenantId) => {
    return { now: await clockFor(db, tenantId), realNow: clock() }
  }

  return {
    config,
    ...{ kind, build },
    clock,
    clockFor,
    instant,
    logger,
    metrics,
    db,
    slots,
    queueRedis,
    queues,
    buckets: createTokenBuckets({
      redis: limiterRedis,
      limits: config.limits,
      logger,
      metrics: {
        onFallback: (limitClass) => metrics.limiterFallbacks.inc({ class: limitClass }),
      },
    }),
    findKey: createKeyCache(db, { cacheSeconds: config.keyCacheSeconds, clock }),
    keyUses,
    identityProvider: config.console.oidc && createOidcProvider(config.console.oidc, outboundProxy),
    deskIdentityProvider: config.desk.oidc && createOidcProvider(config.desk.oidc, outboundProxy),
    requestLog,
    sealer,
    cursors: createCursorCodec(config.encryptionKeys),
    ...providers,
    ...margin,
    deadlineHandlers:
      overrides.deadlineHandlers ??
      createDeadlineHandlers({
        ...{ db, custodian: providers.custodian, isSandbox, instant, sealer },
        ...margin,
      }),
    forgetSandboxCalls: (before) => purgeAged(db, 'sandbox_calls', before),
    addressPolicy,
    resolveHost,
    sender,
    sendMail: mailer?.send,
    tracing,
    parent: overrides.parent,
    readReadiness: createReadiness({ db, queueRedis, clock, parent: overrides.parent, logger }),
    async dispose() {
      await keyUses.close()
      await requestLog.close()
      await sender.close()
      await mailer?.close()
      await closeProviders()
      await queues.close()
      for (const redis of [queueRedis, limiterRedis, producerRedis]) redis.disconnect()
      await db.destroy()
      // Last, because closing the others makes spans too.
      await tracing
        ?.close()
        .catch((error: unknown) => logger.warn({ err: error }, 'traces are lost'))
    },
  }
}

function connectRedis(
  url: string,
  logger: Logger,
  options: Omit<RedisOptions, 'replyMapping'>,
): RedisClient {
  const redis = openRedis(url, {
    retryStrategy: (attempt: number) => Math.min(attempt * 50, 1_000),
    ...options,
  })
  let isDown = false
  redis.on('error', (error: Error) => {
    if (!isDown) logger.warn({ err: error }, 'redis connection lost')
    isDown = true
  })
  redis.on('ready', () => {
    isDown = false
  })
  return redis
}

function shareBetweenTenants({ databaseConnections, tenantConnections }: Config) {
  const total = databaseConnections.api
  const perName = Math.max(1, Math.min(tenantConnections, total - LEFT_BY_A_TENANT))
  return { total, slots: createConnectionSlots({ total, perName, waitMs: REQUEST_WAIT_MS }) }
}

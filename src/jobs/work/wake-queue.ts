import { setTimeout } from 'node:timers/promises'
import { Queue } from 'bullmq'
import type { RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import type { DeliveryWake, Wake } from '../../db/wakes.ts'
import type { RedisClient } from '../../redis/redis.ts'
import { pushDeliveryWakes } from '../deliveries/delivery-wakes.ts'

export const QUEUE_NAME = 'wakes'
export const CLAIM_WORK = 'claim-work'
/** For a single server. The braces keep a queue's keys on one member of a Cluster. */
export const QUEUE_PREFIX = '{svc}'

/** For a Cluster: slots evenly spread, so that two, three or six masters carry equally many. */
export const CLUSTER_QUEUE_PREFIXES = ['140', '0', '51', '142', '2', '53'].map(
  (number) => `{wakes-${number}}`,
)

/** All processes of a stack must use the same. */
export function queuePrefixes(redis: RedisClient): readonly string[] {
  return redis.isCluster ? CLUSTER_QUEUE_PREFIXES : [QUEUE_PREFIX]
}

/** The first wake of a burst is sent at once, the others after this pause. */
const JOBS_PAUSE_MS = 20
const DELIVERIES_PAUSE_MS = 1

/** The sweeper finds the work of wakes beyond this number. */
const MAX_WAITING = 10_000

const CLOSE_MS = 1_000

/** For the connection of a `WakeQueue`. One that was lost without a reset answers nothing, so it is opened
 * again. */
export const producerRedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: 3_000,
  socketTimeout: 3_000,
} as const satisfies RedisOptions

export type WakeQueue = {
  /** Never throws and never waits; the sweeper finds the work of a lost wake. */
  send(wakes: readonly Wake[]): void
  /** Of work that this process asks for: at once, and without Redis too. */
  listen(onWork: () => void): void
  close(): Promise<void>
}

type WorkWake = Extract<Wake, { kind: 'work' }>

type Sender<W> = { send(wakes: readonly W[]): void; close(): Promise<void> }

export function createWakeQueue(redis: RedisClient, logger: Logger): WakeQueue {
  const prefixes = queuePrefixes(redis)
  const common = { redis, logger, maxWaiting: Math.floor(MAX_WAITING / prefixes.length) }
  const jobSenders = prefixes.map((prefix) => createJobSender(prefix, common))
  const deliverySenders = prefixes.map((prefix) =>
    createSender<DeliveryWake>({
      ...common,
      pauseMs: DELIVERIES_PAUSE_MS,
      keyOf: ({ webhookId }) => webhookId,
      post: (wakes) => pushDeliveryWakes(redis, prefix, wakes),
    }),
  )
  let onWork: (() => void) | undefined
  return {
    listen(listener) {
      onWork = listener
    },
    send(wakes) {
      const works = ofKind(wakes, 'work')
      if (works.length > 0) onWork?.()
      // The topic chooses the queue of a Cluster: a lost master then holds up few topics.
      spread(jobSenders, works, ({ topic }) => topic)
      spread(deliverySenders, ofKind(wakes, 'deliveries'), ({ webhookId }) => webhookId)
    },
    async close() {
      await Promise.all([...jobSenders, ...deliverySenders].map((sender) => sender.close()))
    },
  }
}

function ofKind<K extends Wake['kind']>(wakes: readonly Wake[], kind: K) {
  return wakes.filter((wake): wake is Extract<Wake, { kind: K }> => wake.kind === kind)
}

/** Equal wakes take the same queue, where they become one. */
function spread<W>(
  senders: readonly Sender<W>[],
  wakes: readonly W[],
  nameOf: (wake: W) => string,
): void {
  const byQueue = Map.groupBy(wakes, (wake) => hash(nameOf(wake)) % senders.length)
  for (const [index, ofQueue] of byQueue) senders[index]?.send(ofQueue)
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}

type Common = { redis: RedisClient; logger: Logger; maxWaiting: number }

function createJobSender(prefix: string, common: Common): Sender<WorkWake> {
  const queue = new Queue(QUEUE_NAME, {
    connection: common.redis,
    prefix,
    // Postgres knows what was done: jobs are not kept.
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    // Without this BullMQ would keep 10,000 events that are never read.
    streams: { events: { maxLen: 100 } },
  })
  queue.on('error', () => undefined)
  const sender = createSender<WorkWake>({
    ...common,
    pauseMs: JOBS_PAUSE_MS,
    // One for all: a claim takes what is ready of every topic.
    keyOf: ({ kind }) => kind,
    post: (wakes) =>
      queue.addBulk(wakes.map(({ topic }) => ({ name: CLAIM_WORK, data: { topic } }))),
  })
  return {
    send: sender.send,
    async close() {
      await sender.close()
      await queue.close()
    },
  }
}

type SenderOptions<W> = Common & {
  pauseMs: number
  /** Wakes with one key are sent as one. */
  keyOf(wake: W): string
  post(wakes: readonly W[]): Promise<unknown>
}

function createSender<W>(options: SenderOptions<W>): Sender<W> {
  const { redis, logger, maxWaiting, pauseMs, keyOf, post } = options
  const waiting = new Map<string, W>()
  let sending: Promise<void> | undefined
  let failing = false

  const sendAll = async () => {
    while (waiting.size > 0) {
      const wakes = [...waiting.values()]
      waiting.clear()
      await Promise.all([sendBatch(wakes), setTimeout(pauseMs)])
    }
    sending = undefined
  }

  const sendBatch = async (wakes: readonly W[]) => {
    try {
      // Otherwise BullMQ keeps them and blocks its close until Redis is back.
      if (redis.status !== 'ready') throw new Error('Redis is not connected')
      await post(wakes)
      failing = false
    } catch (error) {
      if (!failing) logger.warn({ err: error }, 'wakes are not sent; the sweeper finds the work')
      failing = true
    }
  }

  return {
    send(wakes) {
      for (const wake of wakes) {
        if (waiting.size >= maxWaiting) break
        waiting.set(keyOf(wake), wake)
      }
      sending ??= sendAll()
    },
    async close() {
      await Promise.race([sending, setTimeout(CLOSE_MS, undefined, { ref: false })])
    },
  }
}

import { setTimeout } from 'node:timers/promises'
import { Queue } from 'bullmq'
import type { Logger } from 'pino'
import type { Wake } from '../../db/database.ts'
import type { RedisClient } from '../../redis/redis.ts'

/** The name of every queue that carries wake-ups; what stands before it tells them apart. */
export const QUEUE_NAME = 'wakes'
/** Of the one queue on a single server. The braces keep a queue's keys on one member of a Cluster. */
export const QUEUE_PREFIX = '{svc}'

/**
 * Of the queues on a Cluster. Their slots lie evenly apart, so that two, three or six masters carry as
 * many each; one that is away takes its own share along, which the sweeper then finds.
 */
export const CLUSTER_QUEUE_PREFIXES = ['140', '0', '51', '142', '2', '53'].map(
  (number) => `{wakes-${number}}`,
)

/** What the queues in this Redis begin with. Every process of a stack has to name the same. */
export function queuePrefixes(redis: RedisClient): readonly string[] {
  return redis.isCluster ? CLUSTER_QUEUE_PREFIXES : [QUEUE_PREFIX]
}

/** Wakes of one job that come within this time are sent as one. */
const COALESCE_MS = 5

/** So many wakes wait for Redis at most; the sweeper finds what the others were about. */
const MAX_WAITING = 10_000

/** How long an ending process waits for Redis to take the last wakes. */
const CLOSE_MS = 1_000

export type WakeQueue = {
  /** Sends wakes on, soon and without waiting. Never throws; a lost wake is found by the sweeper. */
  send(wakes: readonly Wake[]): void
  close(): Promise<void>
}

type WakeJob = { name: string; data: Record<string, string> }

/** The name and payload under which a wake runs: see jobs/registry.ts. */
function toJob(wake: Wake): WakeJob {
  switch (wake.kind) {
    case 'work':
      // Which work is asked for, the worker finds in the database: wakes of a topic are one.
      return { name: 'claim-work', data: { topic: wake.topic } }
    case 'deliveries':
      return {
        name: 'deliver-webhook',
        data: { tenantId: wake.tenantId, webhookId: wake.webhookId },
      }
    default: {
      const unreachable: never = wake
      return unreachable
    }
  }
}

/** Sends the wakes of committed transactions to the worker through BullMQ. */
export function createWakeQueue(redis: RedisClient, logger: Logger): WakeQueue {
  const prefixes = queuePrefixes(redis)
  const maxWaiting = Math.floor(MAX_WAITING / prefixes.length)
  const senders = prefixes.map((prefix) => createSender(redis, prefix, maxWaiting, logger))
  return {
    send(wakes) {
      const jobs = Map.groupBy(wakes.map(toKeyedJob), ([key]) => hash(key) % senders.length)
      for (const [index, ofQueue] of jobs) senders[index]?.send(ofQueue)
    },
    async close() {
      await Promise.all(senders.map((sender) => sender.close()))
    },
  }
}

type KeyedJob = readonly [key: string, job: WakeJob]

function toKeyedJob(wake: Wake): KeyedJob {
  const job = toJob(wake)
  return [JSON.stringify(job), job]
}

/** FNV-1a: the same wake always takes the same queue, where it is sent once for many. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}

/** Sends to one queue, by itself: one that hangs does not hold up the others. */
function createSender(redis: RedisClient, prefix: string, maxWaiting: number, logger: Logger) {
  const queue = new Queue(QUEUE_NAME, {
    connection: redis,
    prefix,
    // A job is a hint: whether it was done, Postgres knows. Nothing of it is kept.
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    // Nobody reads the queue's event stream, of which BullMQ would keep 10,000 entries.
    streams: { events: { maxLen: 100 } },
  })
  queue.on('error', () => undefined)
  const waiting = new Map<string, WakeJob>()
  let sending: Promise<void> | undefined
  let failing = false

  /** Sends what waits, one batch at a time: a Redis that hangs is not asked again and again. */
  const sendAll = async () => {
    while (waiting.size > 0) {
      const jobs = [...waiting.values()]
      waiting.clear()
      // The first of a burst goes at once; those that follow it within the pause go together.
      await Promise.all([sendBatch(jobs), setTimeout(COALESCE_MS)])
    }
    sending = undefined
  }

  const sendBatch = async (jobs: WakeJob[]) => {
    try {
      // BullMQ would keep them, and whoever closes it waiting, until Redis is there.
      if (redis.status !== 'ready') throw new Error('Redis is not connected')
      await queue.addBulk(jobs)
      failing = false
    } catch (error) {
      if (!failing) logger.warn({ err: error }, 'wakes are not sent; the sweeper finds the work')
      failing = true
    }
  }

  return {
    send(jobs: readonly KeyedJob[]) {
      for (const [key, job] of jobs) if (waiting.size < maxWaiting) waiting.set(key, job)
      sending ??= sendAll()
    },
    async close() {
      await Promise.race([sending, setTimeout(CLOSE_MS, undefined, { ref: false })])
      await queue.close()
    },
  }
}

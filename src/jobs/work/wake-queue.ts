import { setTimeout } from 'node:timers/promises'
import { Queue } from 'bullmq'
import type { Logger } from 'pino'
import type { Wake } from '../../db/database.ts'
import type { RedisClient } from '../../redis/redis.ts'

export const QUEUE_NAME = 'wakes'
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

/** The first wake of a burst is sent at once. */
const COALESCE_MS = 20

/** The sweeper finds the work of wakes beyond this number. */
const MAX_WAITING = 10_000

const CLOSE_MS = 1_000

export type WakeQueue = {
  /** Never throws and never waits; the sweeper finds the work of a lost wake. */
  send(wakes: readonly Wake[]): void
  close(): Promise<void>
}

type WakeJob = { name: string; data: Record<string, string> }

function toJob(wake: Wake): WakeJob {
  switch (wake.kind) {
    case 'work':
      // The topic chooses the queue of a Cluster: a lost master then holds up few topics.
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

export function createWakeQueue(redis: RedisClient, logger: Logger): WakeQueue {
  const prefixes = queuePrefixes(redis)
  const maxWaiting = Math.floor(MAX_WAITING / prefixes.length)
  const senders = prefixes.map((prefix) => createSender(redis, prefix, maxWaiting, logger))
  return {
    send(wakes) {
      const jobs = Map.groupBy(
        wakes.map(toJob),
        (job) => hash(JSON.stringify(job)) % senders.length,
      )
      for (const [index, ofQueue] of jobs) senders[index]?.send(ofQueue)
    },
    async close() {
      await Promise.all(senders.map((sender) => sender.close()))
    },
  }
}

/** Wakes with one key are sent as one: a claim takes what is ready of every topic. */
function keyOf(job: WakeJob): string {
  return job.name === 'claim-work' ? job.name : JSON.stringify(job)
}

/** FNV-1a: equal wakes take the same queue, where they become one. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}

function createSender(redis: RedisClient, prefix: string, maxWaiting: number, logger: Logger) {
  const queue = new Queue(QUEUE_NAME, {
    connection: redis,
    prefix,
    // Postgres knows what was done: jobs are not kept.
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    // Without this BullMQ would keep 10,000 events that are never read.
    streams: { events: { maxLen: 100 } },
  })
  queue.on('error', () => undefined)
  const waiting = new Map<string, WakeJob>()
  let sending: Promise<void> | undefined
  let failing = false

  const sendAll = async () => {
    while (waiting.size > 0) {
      const jobs = [...waiting.values()]
      waiting.clear()
      // The first of a burst goes at once; the others go together after the pause.
      await Promise.all([sendBatch(jobs), setTimeout(COALESCE_MS)])
    }
    sending = undefined
  }

  const sendBatch = async (jobs: WakeJob[]) => {
    try {
      // Otherwise BullMQ keeps them and blocks its close until Redis is back.
      if (redis.status !== 'ready') throw new Error('Redis is not connected')
      await queue.addBulk(jobs)
      failing = false
    } catch (error) {
      if (!failing) logger.warn({ err: error }, 'wakes are not sent; the sweeper finds the work')
      failing = true
    }
  }

  return {
    send(jobs: readonly WakeJob[]) {
      for (const job of jobs) if (waiting.size < maxWaiting) waiting.set(keyOf(job), job)
      sending ??= sendAll()
    },
    async close() {
      await Promise.race([sending, setTimeout(CLOSE_MS, undefined, { ref: false })])
      await queue.close()
    },
  }
}

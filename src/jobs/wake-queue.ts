import { setTimeout } from 'node:timers/promises'
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Wake } from '../db/database.ts'

/** One queue carries every wake-up. The braces keep its keys on one node of a Redis Cluster. */
export const QUEUE_NAME = 'wakes'
export const QUEUE_PREFIX = '{svc}'

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

/** The name and payload under which a wake runs: see jobs/registry.ts. */
function toJob(wake: Wake): { name: string; data: Record<string, string> } {
  const { tenantId } = wake
  switch (wake.kind) {
    case 'outbox':
      return { name: wake.topic, data: { tenantId, subjectId: wake.subjectId } }
    case 'deliveries':
      return { name: 'deliver-webhook', data: { tenantId, webhookId: wake.webhookId } }
    default: {
      const unreachable: never = wake
      return unreachable
    }
  }
}

/** Sends the wakes of committed transactions to the worker through BullMQ. */
export function createWakeQueue(redis: Redis, logger: Logger): WakeQueue {
  const queue = new Queue(QUEUE_NAME, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    // A job is a hint: whether it was done, Postgres knows. Nothing of it is kept.
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    // Nobody reads the queue's event stream, of which BullMQ would keep 10,000 entries.
    streams: { events: { maxLen: 100 } },
  })
  queue.on('error', () => undefined)
  const waiting = new Map<string, { name: string; data: Record<string, string> }>()
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

  const sendBatch = async (jobs: { name: string; data: Record<string, string> }[]) => {
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
    send(wakes) {
      for (const wake of wakes) {
        const job = toJob(wake)
        if (waiting.size < MAX_WAITING) waiting.set(JSON.stringify(job), job)
      }
      if (waiting.size > 0) sending ??= sendAll()
    },
    async close() {
      await Promise.race([sending, setTimeout(CLOSE_MS, undefined, { ref: false })])
      await queue.close()
    },
  }
}

import { setImmediate, setTimeout } from 'node:timers/promises'
import { type Job, Queue, Worker } from 'bullmq'
import type { RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Wake } from '../db/wakes.ts'
import { isTopic, laneOf, PARTS, type WorkLane } from '../domain/work/lanes.ts'
import { PRIORITIES, type Priority, TOPICS } from '../domain/work/topics.ts'
import type { RedisClient } from '../redis/redis.ts'

export type DeliveryLane = { queue: 'deliveries'; tenantId: string; webhookId: string }

export type Lane = WorkLane | DeliveryLane

export type QueueName = Priority | 'deliveries'

/** How many jobs of each queue a worker runs at the same time. A lane of deliveries waits for its endpoint
 * without a connection to the database. */
export const QUEUE_SLOTS: Readonly<Record<QueueName, number>> = {
  ...(Object.fromEntries(
    Object.entries(PRIORITIES).map(([name, { slots }]) => [name, slots]),
  ) as Record<Priority, number>),
  deliveries: 1_000,
}

export const QUEUE_NAMES = Object.keys(QUEUE_SLOTS) as QueueName[]

export const QUEUE_PREFIX = 'svc'

/** In braces, which keep the keys of a queue on one member of a Cluster. */
export const queueKey = (queue: QueueName) => `{${queue}}`

/** Equal ids are one job. */
export function laneId(lane: Lane): string {
  if (lane.queue === 'deliveries') return `${lane.tenantId}/${lane.webhookId}`
  if (lane.queue === 'deadlines') return lane.tenantId
  return `${lane.tenantId}/${lane.topic}/${lane.part}`
}

/** Undefined for work of another release: its worker's sweep finds it. */
export function laneOfWake(wake: Wake): Lane | undefined {
  if (wake.kind !== 'work') {
    return { queue: 'deliveries', tenantId: wake.tenantId, webhookId: wake.webhookId }
  }
  const { topic } = wake
  return isTopic(topic) ? laneOf({ ...wake, topic }) : undefined
}

const tenantId = z.string()
const payloads = {
  deliveries: z.object({ tenantId, webhookId: z.string() }),
  deadlines: z.object({ tenantId }),
  work: z.object({
    tenantId,
    topic: z.custom<keyof typeof TOPICS>((topic) => typeof topic === 'string' && topic in TOPICS),
    part: z.int().min(0).lt(PARTS),
  }),
}

/** Undefined for a job of another release: with a topic that this one does not know or runs elsewhere. */
export function readLane(queue: QueueName, data: unknown): Lane | undefined {
  if (queue === 'deliveries' || queue === 'deadlines') {
    const { success, data: ids } = payloads[queue].safeParse(data)
    return success ? ({ queue, ...ids } as Lane) : undefined
  }
  const { success, data: ids } = payloads.work.safeParse(data)
  if (!success || TOPICS[ids.topic].priority !== queue) return undefined
  return { queue, ...ids } as Lane
}

/** The sweep finds lanes beyond this number. */
const MAX_WAITING = 10_000

const MOST_AT_ONCE = 500

const TURN_WAIT_MS = 250

const PRODUCER_CLOSE_MS = 1_000
const CONSUMERS_CLOSE_MS = 5_000

/** For the connection of `openQueues`. One that was lost without a reset answers nothing, so it is opened
 * again. */
export const producerRedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: 3_000,
  socketTimeout: 3_000,
} as const satisfies RedisOptions

export type Queues = {
  /** Never throws and never waits; the sweep finds a lane that could not be added. A lane whose job
   * waits is not added twice; one whose job runs has another after it. */
  add(lanes: readonly Lane[]): void
  /** True for the first of the processes that ask within so many milliseconds. For each of them if Redis does
   * not answer soon. */
  takeTurn(name: string, ms: number): Promise<boolean>
  /** Within a second. */
  close(): Promise<void>
}

export function openQueues(redis: RedisClient, logger: Logger): Queues {
  const connection = watch(redis, logger)
  const senders = new Map(
    QUEUE_NAMES.map((queue) => [queue, openSender(redis, queue, connection)] as const),
  )
  return {
    add(lanes) {
      for (const lane of lanes) senders.get(lane.queue)?.add(lane)
    },
    async takeTurn(name, ms) {
      if (redis.status !== 'ready') return true
      const taken = redis.set(`${QUEUE_PREFIX}:turn:${name}`, 1, 'PX', ms, 'NX')
      const isFirst = taken.then((answer) => answer === 'OK').catch(() => true)
      return await Promise.race([isFirst, setTimeout(TURN_WAIT_MS, true, { ref: false })])
    },
    async close() {
      const closed = Promise.allSettled([...senders.values()].map((sender) => sender.close()))
      await Promise.race([closed, setTimeout(PRODUCER_CLOSE_MS, undefined, { ref: false })])
    },
  }
}

/** Logs once that Redis takes no jobs, and once that it does again. */
function watch(redis: RedisClient, logger: Logger) {
  const failing = new Set<QueueName>()
  return {
    failed(queue: QueueName, error: unknown) {
      if (failing.size === 0) {
        logger.warn({ err: error, queue }, 'Redis takes no jobs; the sweep finds what is due')
      }
      failing.add(queue)
    },
    succeeded(queue: QueueName) {
      if (failing.size === 0) return
      // Members of a Cluster fail alone.
      if (redis.isCluster) failing.delete(queue)
      else failing.clear()
      if (failing.size === 0) logger.info('Redis takes jobs again')
    },
  }
}

function openSender(redis: RedisClient, name: QueueName, connection: ReturnType<typeof watch>) {
  const queue = new Queue(queueKey(name), {
    connection: redis,
    prefix: QUEUE_PREFIX,
    // PostgreSQL knows what was done: jobs are not kept.
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    // Without this BullMQ would keep 10,000 events that are never read.
    streams: { events: { maxLen: 100 } },
    // The version is asked once, and a queue whose question got no answer never adds anything.
    skipVersionCheck: true,
  })
  queue.on('error', () => undefined)
  const waiting = new Map<string, Lane>()
  let sending: Promise<void> | undefined

  const send = async (lanes: readonly [string, Lane][]) => {
    try {
      // Otherwise BullMQ keeps them and blocks its close until Redis is back.
      if (redis.status !== 'ready') throw new Error('Redis is not connected')
      await queue.addBulk(lanes.map(([id, lane]) => toJob(id, lane)))
      connection.succeeded(name)
    } catch (error) {
      connection.failed(name, error)
    }
  }

  const sendAll = async () => {
    await setImmediate()
    while (waiting.size > 0) {
      const lanes = [...waiting.entries().take(MOST_AT_ONCE)]
      for (const [id] of lanes) waiting.delete(id)
      await send(lanes)
    }
    sending = undefined
  }

  return {
    add(lane: Lane) {
      if (waiting.size >= MAX_WAITING) return
      waiting.set(laneId(lane), lane)
      sending ??= sendAll()
    },
    async close() {
      await sending
      await queue.close()
    },
  }
}

function toJob(id: string, { queue, ...data }: Lane) {
  return { name: queue, data, opts: { deduplication: { id, keepLastIfActive: true } } }
}

export type Consumers = {
  /** Takes no more jobs. Within five seconds, without Redis too; what runs then ends by itself. */
  close(): Promise<void>
}

/** Runs the jobs of every queue. A lane whose run returns `more` goes to the back of its queue, which is
 * what makes it fair. */
export function startQueues(redis: RedisClient, options: LaneRuns): Consumers {
  const consumers = QUEUE_NAMES.map((queue) => startConsumer(redis, queue, options))
  return { close: () => closeAll(consumers, redis) }
}

/** `more`: something may be left. `capped`: the lane got no place, and was not looked at. */
export type Outcome = 'done' | 'more' | 'capped'

export type LaneRuns = {
  run(lane: Lane): Promise<Outcome>
  queues: Pick<Queues, 'add'>
  logger: Logger
}

/** Never throws: what fails is logged, and the sweep finds its lane again. */
export async function runLane(
  lane: Lane,
  { run, logger }: Pick<LaneRuns, 'run' | 'logger'>,
): Promise<Outcome> {
  try {
    return await run(lane)
  } catch (error) {
    logger.error({ ...lane, err: error }, 'job failed')
    return 'done'
  }
}

async function runJob(queue: QueueName, data: unknown, runs: LaneRuns): Promise<void> {
  const lane = readLane(queue, data)
  if (!lane) runs.logger.warn({ queue, job: data }, 'a job of another release is left to it')
  else if ((await runLane(lane, runs)) === 'more') runs.queues.add([lane])
}

function startConsumer(connection: RedisClient, queue: QueueName, runs: LaneRuns): Worker {
  const run = ({ data }: Job) => runJob(queue, data, runs)
  const worker = new Worker(queueKey(queue), run, {
    connection,
    prefix: QUEUE_PREFIX,
    concurrency: QUEUE_SLOTS[queue],
    // The jobs of a killed worker are taken over within 15 s; the sweep is faster for what was waiting.
    lockDuration: 10_000,
    stalledInterval: 5_000,
    // A run may happen twice, so a stall fails no job.
    maxStalledCount: 1_000_000,
    runRetryDelay: 1_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  })
  // Failures are logged where they happen; an error event without a listener ends the process.
  worker.on('error', () => undefined)
  return worker
}

/** BullMQ's close waits for Redis without limit; without Redis there is nothing to wait for. */
async function closeAll(consumers: readonly Worker[], redis: RedisClient): Promise<void> {
  const isConnected = redis.status === 'ready'
  const gone = new Promise<void>((resolve) => redis.once('close', () => resolve()))
  const closed = Promise.allSettled(consumers.map((consumer) => consumer.close(!isConnected)))
  await Promise.race([closed, gone, setTimeout(CONSUMERS_CLOSE_MS, undefined, { ref: false })])
}

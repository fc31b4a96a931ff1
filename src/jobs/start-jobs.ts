import { setTimeout } from 'node:timers/promises'
import { type Job, Worker } from 'bullmq'
import type { Sealer } from '../core/sealing.ts'
import { SECOND_MS } from '../core/time.ts'
import { evaluateAll } from '../domain/margin/evaluation/evaluate-all.ts'
import type { FinishedAttempt } from '../domain/webhooks/deliver.ts'
import type { WebhookSender } from '../domain/webhooks/webhook-sender.ts'
import type { RedisClient } from '../redis/redis.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { auditUntil } from './audit.ts'
import { createDeliveryLanes, type DeliveryLanes } from './deliveries/delivery-lanes.ts'
import { beatUntil } from './heartbeat.ts'
import type { JobContext } from './job-context.ts'
import { maintainUntil } from './maintenance.ts'
import { measureUntil } from './measure.ts'
import { makeRoundsUntil } from './price-rounds.ts'
import { runJob } from './registry.ts'
import { SWEEPS, sweepUntil } from './sweeper.ts'
import { QUEUE_NAME, queuePrefixes } from './work/wake-queue.ts'
import { DELIVERIES } from './work/work-connections.ts'
import { createWorkHandlers } from './work/work-handlers.ts'
import { createWorkLoop } from './work/work-loop.ts'

export type JobResources = Omit<JobContext, 'lanes' | 'work'> & {
  queueRedis: RedisClient
  sealer: Sealer
  sender: WebhookSender
  metrics: Metrics
}

/** Jobs at once in one worker, of all queues together. */
const CONCURRENCY = 32

/** How long a worker says goodbye to its queues. */
const CLOSE_MS = 5_000

/**
 * Starts everything the worker does: its heartbeat, the queues' consumers, the sweeper, the maintenance,
 * measuring and, where prices come from exchanges, their rounds. `drain` takes nothing new and resolves
 * once jobs, sweeps, rounds and attempts under way have ended.
 */
export function startJobs(resources: JobResources): { drain(): Promise<void> } {
  const { config, metrics, queueRedis } = resources
  const delivering = createDeliveryLanes({
    ...resources,
    random: Math.random,
    deadlineMs: config.deliveryDeadlineSeconds * 1_000,
    perWebhook: config.deliveriesPerWebhook,
    perTenant: config.deliveriesPerTenant,
    onAttempt: (attempt) => countAttempt(metrics, attempt),
    onSecretShut: (keyId) => metrics.secretsShut.inc({ key_id: keyId }),
  })
  const lanes: DeliveryLanes = {
    ...delivering,
    // What a lane does follows from a wake, and takes its connections from the share of deliveries.
    wake: (...webhook) => resources.slots.run(DELIVERIES, () => delivering.wake(...webhook)),
  }
  const context: JobContext = { ...resources, lanes, work: { wake: () => work.wake() } }
  const work = createWorkLoop(context, createWorkHandlers(context))
  const running = new Set<Promise<void>>()
  const run = ({ name, data }: Job) => {
    const ended = runJob(context, name, data).finally(() => running.delete(ended))
    running.add(ended)
    return ended
  }
  const prefixes = queuePrefixes(queueRedis)
  const consumers = prefixes.map((prefix) => {
    const concurrency = Math.ceil(CONCURRENCY / prefixes.length)
    return startConsumer(queueRedis, prefix, concurrency, run)
  })

  const stop = new AbortController()
  const onSwept = (sweep: string) => metrics.lastSweep.setToCurrentTime({ sweep })
  // From the start on: a worker none of whose sweeps ever succeeds must be seen.
  for (const sweep of [...SWEEPS, 'maintenance', 'measures']) onSwept(sweep)
  const loops = [
    beatUntil(stop.signal, context),
    sweepUntil(stop.signal, { ...context, work }, onSwept),
    maintainUntil(stop.signal, context, () => onSwept('maintenance')),
    measureUntil(stop.signal, context, () => onSwept('measures')),
    auditUntil(stop.signal, context),
  ]
  if (resources.quoteSources.length > 0) loops.push(makeRounds(stop.signal, context, metrics))
  return {
    async drain() {
      stop.abort()
      // Lanes end at once: no job or sweep that takes its time lets them start more meanwhile.
      await Promise.all([lanes.drain(), work.drain(), closeAll(consumers, queueRedis), ...loops])
      await Promise.allSettled(running)
    },
  }
}

function makeRounds(stop: AbortSignal, context: JobContext, metrics: Metrics): Promise<void> {
  return makeRoundsUntil(stop, context, {
    periodMs: context.config.priceRoundSeconds * SECOND_MS,
    onRound: async (report) => {
      for (const [asset, outcome] of report) metrics.priceRounds.inc({ asset, outcome })
      // Where an earlier round is still being judged, the next one's judgement covers this one too.
      await evaluateAll(context, stop)
    },
    onError: (error) => context.logger.error({ err: error }, 'price round failed'),
  })
}

function startConsumer(
  connection: RedisClient,
  prefix: string,
  concurrency: number,
  run: (job: Job) => Promise<void>,
): Worker {
  const consumer = new Worker(QUEUE_NAME, run, {
    connection,
    prefix,
    concurrency,
    // A killed worker's jobs are picked up within seconds; losing one loses nothing.
    lockDuration: 10_000,
    stalledInterval: 5_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  })
  // Failures are logged where they happen; unheard, an error event would end the process.
  consumer.on('error', () => undefined)
  return consumer
}

/**
 * Stops taking jobs from the queues. BullMQ waits for Redis as long as it takes, even to say goodbye;
 * when Redis is gone there is nothing to take and nothing to give back, so nothing to wait for.
 */
async function closeAll(consumers: readonly Worker[], redis: RedisClient): Promise<void> {
  const isConnected = redis.status === 'ready'
  const gone = new Promise<void>((resolve) => redis.once('close', () => resolve()))
  const closed = Promise.all(consumers.map((consumer) => consumer.close(!isConnected)))
  // Of a Cluster a single member may be gone. Jobs under way are waited for by themselves.
  await Promise.race([closed, gone, setTimeout(CLOSE_MS, undefined, { ref: false })])
}

function countAttempt(metrics: Metrics, { outcome }: FinishedAttempt): void {
  const answer =
    outcome.status === undefined ? outcome.error : `${Math.floor(outcome.status / 100)}xx`
  metrics.deliveryAttempts.inc({ outcome: outcome.succeeded ? 'delivered' : answer })
  metrics.deliverySeconds.observe(outcome.durationMs / 1_000)
}

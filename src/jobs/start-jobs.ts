import { setTimeout } from 'node:timers/promises'
import { type Job, Worker } from 'bullmq'
import { SECOND_MS } from '../core/time.ts'
import { evaluateAll } from '../domain/margin/evaluation/evaluate-all.ts'
import type { FinishedAttempt } from '../domain/webhooks/deliveries/deliver.ts'
import type { WebhookSender } from '../domain/webhooks/webhook-sender.ts'
import type { RedisClient } from '../redis/redis.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { runAudits } from './audit.ts'
import { createDeliveryLanes, type DeliveryLanes } from './deliveries/delivery-lanes.ts'
import { receiveDeliveryWakes } from './deliveries/delivery-wakes.ts'
import { runHeartbeat } from './heartbeat.ts'
import type { JobContext } from './job-context.ts'
import { runLenderMails } from './lender-mails.ts'
import { runLtvPoints } from './ltv-points.ts'
import { runMaintenance } from './maintenance.ts'
import { runMeasures } from './measure.ts'
import { runPriceRounds } from './price-rounds.ts'
import { runJob } from './registry.ts'
import { runSweeper, SWEEPS } from './sweeper.ts'
import { QUEUE_NAME, queuePrefixes, type WakeQueue } from './work/wake-queue.ts'
import { DELIVERIES } from './work/work-connections.ts'
import { createWorkHandlers } from './work/work-handlers.ts'
import { createWorkLoop } from './work/work-loop.ts'

export type JobResources = Omit<JobContext, 'lanes' | 'work'> & {
  queueRedis: RedisClient
  wakes: Pick<WakeQueue, 'listen'>
  sender: WebhookSender
  metrics: Metrics
}

const CONCURRENCY = 32

const CLOSE_MS = 5_000

/** `drain` takes nothing new and resolves once all work has ended. */
export function startJobs(resources: JobResources): { drain(): Promise<void> } {
  const { config, metrics, queueRedis } = resources
  const delivering = createDeliveryLanes({
    ...resources,
    random: Math.random,
    deadlineMs: config.deliveryDeadlineSeconds * 1_000,
    perWebhook: config.deliveriesPerWebhook,
    perTenant: config.deliveriesPerTenant,
    onAttempt: (attempt) => countAttempt(metrics, attempt),
    onUnknownKey: (keyId) => metrics.secretsShut.inc({ key_id: keyId }),
  })
  const lanes: DeliveryLanes = {
    ...delivering,
    // A lane runs in the context of its wake, and takes connections from the deliveries' share.
    wake: (...webhook) => resources.slots.run(DELIVERIES, () => delivering.wake(...webhook)),
  }
  const context: JobContext = { ...resources, lanes, work: { wake: () => work.wake() } }
  const work = createWorkLoop(context, createWorkHandlers(context))
  // Work that follows from a run starts here at once where there is room.
  resources.wakes.listen(() => work.wake())
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
  const receivers = prefixes.map((prefix) =>
    receiveDeliveryWakes(queueRedis, prefix, ({ tenantId, webhookId }) =>
      lanes.wake(tenantId, webhookId),
    ),
  )

  const stop = new AbortController()
  const onSwept = (sweep: string) => metrics.lastSweep.setToCurrentTime({ sweep })
  // Set at the start, so that a worker whose sweeps never succeed raises the alarm.
  for (const sweep of [...SWEEPS, 'maintenance', 'measures']) onSwept(sweep)
  const loops = [
    runHeartbeat(stop.signal, context),
    runSweeper(stop.signal, { ...context, work }, onSwept),
    runMaintenance(stop.signal, context, () => onSwept('maintenance')),
    runMeasures(stop.signal, context, () => onSwept('measures')),
    runAudits(stop.signal, context),
    runLtvPoints(stop.signal, context),
  ]
  if (resources.sendMail) loops.push(runLenderMails(stop.signal, context))
  if (resources.quoteSources.length > 0) loops.push(makeRounds(stop.signal, context, metrics))
  return {
    async drain() {
      stop.abort()
      for (const receiver of receivers) receiver.close()
      // All at once: lanes must not start more while a slow job or sweep ends.
      await Promise.all([lanes.drain(), work.drain(), closeAll(consumers, queueRedis), ...loops])
      await Promise.allSettled(running)
    },
  }
}

function makeRounds(stop: AbortSignal, context: JobContext, metrics: Metrics): Promise<void> {
  return runPriceRounds(stop, context, {
    periodMs: context.config.priceRoundSeconds * SECOND_MS,
    onRound: async (report) => {
      for (const [asset, outcome] of report) metrics.priceRounds.inc({ asset, outcome })
      // An evaluation that still runs covers an earlier round; the next covers this one too.
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
    // A killed worker's jobs are picked up within seconds; a lost one is found by the sweeper.
    lockDuration: 10_000,
    stalledInterval: 5_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  })
  // Failures are logged where they happen; an error event without a listener ends the process.
  consumer.on('error', () => undefined)
  return consumer
}

/** BullMQ's close waits for Redis without limit; without Redis there is nothing to wait for. */
async function closeAll(consumers: readonly Worker[], redis: RedisClient): Promise<void> {
  const isConnected = redis.status === 'ready'
  const gone = new Promise<void>((resolve) => redis.once('close', () => resolve()))
  const closed = Promise.all(consumers.map((consumer) => consumer.close(!isConnected)))
  // The limit is for a Cluster with one member gone. `running` covers jobs under way.
  await Promise.race([closed, gone, setTimeout(CLOSE_MS, undefined, { ref: false })])
}

function countAttempt(metrics: Metrics, { outcome }: FinishedAttempt): void {
  const answer = outcome.status === undefined ? outcome.error : statusClass(outcome.status)
  metrics.deliveryAttempts.inc({ outcome: outcome.succeeded ? 'delivered' : answer })
  metrics.deliverySeconds.observe(outcome.durationMs / 1_000)
}

/** Receivers answer any three digits. */
function statusClass(status: number): string {
  return status >= 300 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other'
}

import { SECOND_MS } from '../core/time.ts'
import { evaluateAll } from '../domain/margin/evaluation/evaluate-all.ts'
import type { FinishedAttempt } from '../domain/webhooks/deliveries/deliver.ts'
import { findWebhooksWithDue } from '../domain/webhooks/deliveries/find-due.ts'
import type { WebhookSender } from '../domain/webhooks/webhook-sender.ts'
import type { RedisClient } from '../redis/redis.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { runAudits } from './audit.ts'
import { createDeliveryLanes, type DeliveryLanes } from './deliveries/delivery-lanes.ts'
import { runHeartbeat } from './heartbeat.ts'
import type { JobContext } from './job-context.ts'
import { runLenderMails } from './lender-mails.ts'
import { runLtvPoints } from './ltv-points.ts'
import { runMaintenance } from './maintenance.ts'
import { runMeasures } from './measure.ts'
import { runPriceRounds } from './price-rounds.ts'
import { type Lane, type Queues, startQueues } from './queues.ts'
import { type DueLane, runSweeps } from './sweep.ts'
import { createWorkSweep } from './work/sweep-work.ts'
import { DELIVERIES } from './work/work-connections.ts'
import { createWorkHandlers } from './work/work-handlers.ts'
import { createWorkLanes } from './work/work-lanes.ts'

export type JobResources = Omit<JobContext, 'lanes'> & {
  queueRedis: RedisClient
  queues: Pick<Queues, 'add'>
  sender: WebhookSender
  metrics: Metrics
}

/** `drain` takes nothing new and resolves once all work has ended. */
export function startJobs(resources: JobResources): { drain(): Promise<void> } {
  const { config, metrics, queueRedis, queues } = resources
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
  const context: JobContext = { ...resources, lanes }
  const handlers = createWorkHandlers(context)
  const work = createWorkLanes(context, handlers, (lane) => queues.add([lane]))
  const run = async (lane: Lane) => {
    if (lane.queue !== 'deliveries') return await work.run(lane)
    lanes.wake(lane.tenantId, lane.webhookId)
    return 'done'
  }
  const running = { ...resources, run }
  const consumers = startQueues(queueRedis, running)

  const stop = new AbortController()
  const sweeps = {
    deliveries: () => findDeliveries(context),
    work: createWorkSweep(context, [...handlers.keys()]),
  }
  const onSwept = (sweep: string) => metrics.lastSweep.setToCurrentTime({ sweep })
  // Set at the start, so that a worker whose sweeps never succeed raises the alarm.
  for (const sweep of [...Object.keys(sweeps), 'maintenance', 'measures']) onSwept(sweep)
  const loops = [
    runHeartbeat(stop.signal, context),
    runSweeps(stop.signal, running, sweeps, onSwept),
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
      // All at once: lanes must not start more while a slow job or sweep ends.
      await Promise.all([lanes.drain(), work.drain(), consumers.close(), ...loops])
    },
  }
}

async function findDeliveries({ db, clock }: JobContext): Promise<DueLane[]> {
  const found = await findWebhooksWithDue(db, clock())
  // It waits for no job's lock: running it begins it in the background.
  return found.map((webhook) => ({
    lane: { queue: 'deliveries', ...webhook },
    waitedMs: Number.POSITIVE_INFINITY,
  }))
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

function countAttempt(metrics: Metrics, { outcome }: FinishedAttempt): void {
  const answer = outcome.status === undefined ? outcome.error : statusClass(outcome.status)
  metrics.deliveryAttempts.inc({ outcome: outcome.succeeded ? 'delivered' : answer })
  metrics.deliverySeconds.observe(outcome.durationMs / 1_000)
}

/** Receivers answer any three digits. */
function statusClass(status: number): string {
  return status >= 300 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other'
}

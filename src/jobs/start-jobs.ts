import { SECOND_MS } from '../core/time.ts'
import type { FinishedAttempt } from '../domain/deliveries/attempt.ts'
import { findLanesBehind } from '../domain/deliveries/behind.ts'
import { evaluateAll } from '../domain/margin/evaluation/evaluate-all.ts'
import type { WebhookSender } from '../domain/webhooks/webhook-sender.ts'
import type { RedisClient } from '../redis/redis.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { runAudits } from './audit.ts'
import { createLanes } from './deliveries/lane.ts'
import { runHeartbeat } from './heartbeat.ts'
import type { JobContext } from './job-context.ts'
import { runLenderMails } from './lender-mails.ts'
import { runLtvPoints } from './ltv-points.ts'
import { runMaintenance } from './maintenance.ts'
import { runMeasures } from './measure.ts'
import { runPriceRounds } from './price-rounds.ts'
import { type Lane, type Queues, startQueues } from './queues.ts'
import { runReconciliation } from './reconcile.ts'
import { runSweeps, type Sweep } from './sweep.ts'
import { createWorkSweep } from './work/sweep-work.ts'
import { DELIVERIES } from './work/work-connections.ts'
import { createWorkHandlers } from './work/work-handlers.ts'
import { createWorkLanes } from './work/work-lanes.ts'

export type JobResources = JobContext & {
  queueRedis: RedisClient
  queues: Pick<Queues, 'add' | 'takeTurn'>
  sender: WebhookSender
  metrics: Metrics
}

/** `drain` takes nothing new and resolves once all work has ended. */
export function startJobs(resources: JobResources): { drain(): Promise<void> } {
  const { config, metrics, queueRedis, queues } = resources
  const deliveries = createLanes({
    ...resources,
    random: Math.random,
    deadlineMs: config.deliveryDeadlineSeconds * 1_000,
    perWebhook: config.deliveriesPerWebhook,
    perTenant: config.deliveriesPerTenant,
    again: (lane) => queues.add([{ queue: 'deliveries', ...lane }]),
    onAttempt: (attempt) => countAttempt(metrics, attempt),
    onUnknownKey: (keyId) => metrics.secretsShut.inc({ key_id: keyId }),
  })
  const handlers = createWorkHandlers(resources)
  const work = createWorkLanes(resources, handlers, (lane) => queues.add([lane]))
  const run = async (lane: Lane) => {
    if (lane.queue !== 'deliveries') return await work.run(lane)
    const { tenantId, webhookId } = lane
    // A lane takes connections from the deliveries' share.
    return await resources.slots.run(DELIVERIES, () => deliveries.run({ tenantId, webhookId }))
  }
  const running = { ...resources, run }
  const consumers = startQueues(queueRedis, running)

  const stop = new AbortController()
  const sweeps: Record<string, Sweep> = {
    deliveries: async (add) => {
      const found = await findLanesBehind(resources.db, resources.clock())
      // Jobs that would find no place, each second, would keep everyone waiting.
      const due = found.filter((lane) => !deliveries.waitsForPlace(lane))
      add(
        due.map(({ waitedMs, ...lane }) => ({ lane: { queue: 'deliveries', ...lane }, waitedMs })),
      )
    },
    work: createWorkSweep(resources, [...handlers.keys()]),
  }
  const onSwept = (sweep: string) => metrics.lastSweep.setToCurrentTime({ sweep })
  // Set at the start, so that a worker whose sweeps never succeed raises the alarm.
  for (const sweep of [...Object.keys(sweeps), 'maintenance', 'measures']) onSwept(sweep)
  const loops = [
    runHeartbeat(stop.signal, resources),
    runSweeps(stop.signal, running, sweeps, onSwept),
    runMaintenance(stop.signal, resources, () => onSwept('maintenance')),
    runMeasures(stop.signal, resources, () => onSwept('measures')),
    runAudits(stop.signal, resources),
    runLtvPoints(stop.signal, resources),
    runReconciliation(stop.signal, resources),
  ]
  if (resources.sendMail) loops.push(runLenderMails(stop.signal, resources))
  if (resources.quoteSources.length > 0) loops.push(makeRounds(stop.signal, resources, metrics))
  return {
    async drain() {
      stop.abort()
      // All at once: lanes must not start more while a slow job or sweep ends.
      await Promise.all([deliveries.drain(), work.drain(), consumers.close(), ...loops])
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

function countAttempt(metrics: Metrics, { outcome }: FinishedAttempt): void {
  const answer = outcome.status === undefined ? outcome.error : statusClass(outcome.status)
  metrics.deliveryAttempts.inc({ outcome: outcome.succeeded ? 'delivered' : answer })
  metrics.deliverySeconds.observe(outcome.durationMs / 1_000)
}

/** Receivers answer any three digits. */
function statusClass(status: number): string {
  return status >= 300 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other'
}

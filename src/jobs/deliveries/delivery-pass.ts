import type { Logger } from 'pino'
import type { Sealer } from '../../core/sealing.ts'
import type { Clock } from '../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { isRepeated } from '../../db/errors.ts'
import {
  cancelSome,
  claimDeliveries,
  type FinishedAttempt,
  type LeasedDelivery,
  type LockedWebhook,
  lockForDelivery,
  lockFreeForDelivery,
  settle,
} from '../../domain/webhooks/deliveries/deliver.ts'
import {
  isRecordedAlone,
  recordAttempts,
  recordTogether,
} from '../../domain/webhooks/deliveries/record-attempts.ts'
import type { WebhookSender } from '../../domain/webhooks/webhook-sender.ts'
import { type DeliveryLane, FIRST_STRIDE } from './delivery-lane.ts'
import type { DeliverySlots } from './delivery-slots.ts'

export type DeliveryPassOptions = {
  db: Db
  sender: WebhookSender
  sealer: Sealer
  clock: Clock
  /** In [0, 1), for the schedule's jitter. */
  random: () => number
  deadlineMs: number
  distributed: boolean
  logger: Logger
  onAttempt?: (attempt: FinishedAttempt) => void
}

/** After 10 s the database ends the transaction of a claim. */
const START_WITHIN_MS = 2_000

const SETTLE_EVERY_MS = 1_000

/** What one pass takes of a lane. */
export type Step = {
  lane: DeliveryLane
  attempts: FinishedAttempt[]
  spare: number
  outcome: 'done' | 'locked' | 'alone' | 'disabled'
  hasClaimed: boolean
}

type LockedStep = Step & { webhook: LockedWebhook }

export type DeliveryPass = {
  /** Leaves out webhooks that are locked, and those that need a transaction of their own. */
  together(tx: Tx, steps: readonly Step[]): Promise<void>
  /** Waits for the webhook's lock where attempts are to be recorded. */
  alone(tx: Tx, step: Step): Promise<void>
}

/** Records what has ended and claims what is due. Claims come last in a transaction: changes of a
 * webhook commit before the claim or after the starts. */
export function createDeliveryPass(
  options: DeliveryPassOptions,
  slots: DeliverySlots<DeliveryLane>,
): DeliveryPass {
  const { clock, deadlineMs, distributed, logger, random, sealer } = options
  const maySettle = createSettleGate()

  async function attempt(lane: DeliveryLane, delivery: LeasedDelivery): Promise<void> {
    try {
      const startedAt = clock()
      const outcome = await options.sender.send(delivery, startedAt)
      lane.finished.push({ delivery, startedAt, endedAt: clock(), outcome })
    } catch (error) {
      const { tenantId, webhookId, eventId } = delivery
      logger.error({ tenantId, webhookId, eventId, err: error }, 'delivery sender failed')
    } finally {
      slots.release(lane, 1)
      lane.signal()
    }
  }

  async function claim(tx: Tx, steps: readonly LockedStep[]): Promise<void> {
    const claiming = steps.filter(({ spare }) => spare > 0)
    if (claiming.length === 0) return
    for (const { lane } of claiming) lane.awake = false
    const now = clock()
    const limits = claiming.map(({ webhook, spare }) => ({ ...webhook, limit: spare }))
    const claimed = await claimDeliveries(tx, limits, { deadlineMs, now, distributed }, sealer)
    const waitedMs = clock().getTime() - now.getTime()
    if (waitedMs > START_WITHIN_MS) throw new Error(`a claim took ${waitedMs} ms`)
    const claimedOf = Map.groupBy(claimed, ({ webhookId }) => webhookId)
    for (const step of claiming) {
      const { lane, spare } = step
      const ours = claimedOf.get(lane.webhookId) ?? []
      lane.hold.end()
      lane.awake ||= ours.length === spare
      lane.stride = ours.length === spare ? 2 * lane.stride : FIRST_STRIDE
      step.spare -= ours.length
      step.hasClaimed = true
      for (const delivery of ours) void attempt(lane, delivery)
    }
  }

  async function settleIdle(tx: Tx, steps: readonly LockedStep[]): Promise<void> {
    const idle = steps.filter(
      ({ lane, attempts, spare }) =>
        !lane.awake && lane.inFlight === spare && maySettle(lane, attempts.length > 0),
    )
    await settle(
      tx,
      idle.map(({ webhook }) => webhook),
    )
  }

  return {
    async together(tx, steps) {
      const webhooks = await lockFreeForDelivery(
        tx,
        steps.map(({ lane }) => lane),
      )
      const webhookOf = new Map(webhooks.map((webhook) => [webhook.webhookId, webhook]))
      const ready: LockedStep[] = []
      for (const step of steps) {
        const webhook = webhookOf.get(step.lane.webhookId)
        step.outcome = 'done'
        if (!webhook) step.outcome = 'locked'
        else if (isRecordedAlone({ webhook, attempts: step.attempts })) step.outcome = 'alone'
        else ready.push(Object.assign(step, { webhook }))
      }
      await recordTogether(tx, ready, { random, distributed })
      await claim(tx, ready)
      await settleIdle(tx, ready)
    },

    async alone(tx, step) {
      const { lane, attempts } = step
      const webhook =
        attempts.length > 0
          ? await lockForDelivery(tx, lane)
          : (await lockFreeForDelivery(tx, [lane]))[0]
      if (!webhook) {
        step.outcome = 'locked'
        return
      }
      const locked = Object.assign(step, { webhook })
      const recording = { random, now: clock(), distributed }
      const { disabled } = await recordAttempts(tx, webhook, attempts, recording)
      if (disabled) {
        step.outcome = 'disabled'
        lane.awake = true
      } else if (!webhook.isActive) {
        lane.awake = await cancelSome(tx, webhook)
      } else {
        await claim(tx, [locked])
        await settleIdle(tx, [locked])
      }
    },
  }
}

/** A settled webhook is skipped by the sweep; settling each once a second is enough. */
function createSettleGate() {
  const settled = new Set<string>()
  let settledSince = 0
  return ({ webhookId }: DeliveryLane, hasAttempted: boolean): boolean => {
    if (performance.now() - settledSince > SETTLE_EVERY_MS) {
      settled.clear()
      settledSince = performance.now()
    }
    if (hasAttempted && settled.has(webhookId)) return false
    settled.add(webhookId)
    return true
  }
}

/** Takes what has ended and free slots of each lane, and gives back what the pass leaves. */
export async function runSteps(
  { db, logger, onAttempt }: DeliveryPassOptions,
  slots: DeliverySlots<DeliveryLane>,
  steps: readonly Step[],
  run: (tx: Tx) => Promise<void>,
): Promise<void> {
  try {
    await inTransaction(db, (tx) => run(tx).catch((error) => throwOnce(error, steps)))
  } catch (error) {
    // Unrecorded attempts are repeated: keep them until the lease no longer allows the write.
    for (const { lane, attempts } of steps) {
      lane.finished.unshift(...attempts)
      lane.awake = true
    }
    throw error
  } finally {
    for (const { lane, spare } of steps) slots.release(lane, spare)
  }
  for (const { lane, attempts, outcome } of steps) {
    if (outcome === 'locked' || outcome === 'alone') {
      lane.finished.unshift(...attempts)
      continue
    }
    if (outcome === 'disabled') {
      const { tenantId, webhookId } = lane
      logger.warn({ tenantId, webhookId }, 'webhook disabled')
    }
    for (const finished of attempts) {
      onAttempt?.(finished)
      logAttempt(logger, finished)
    }
  }
}

/** Once requests to endpoints have begun, a repeated pass would send the same deliveries again. */
function throwOnce(error: unknown, steps: readonly Step[]): never {
  const isSent = steps.some(({ hasClaimed }) => hasClaimed)
  if (!isSent || !isRepeated(error)) throw error
  throw new Error('a delivery pass failed after its claims', { cause: error })
}

function logAttempt(logger: Logger, { delivery, outcome }: FinishedAttempt): void {
  logger[outcome.succeeded ? 'debug' : 'info'](
    {
      tenantId: delivery.tenantId,
      webhookId: delivery.webhookId,
      eventId: delivery.eventId,
      attempt: delivery.attempt,
      status: outcome.status,
      error: outcome.error,
      durationMs: outcome.durationMs,
    },
    'delivery attempt',
  )
}

import type { Logger } from 'pino'
import { inTransaction, type Tx } from '../../db/database.ts'
import { isRepeated } from '../../db/errors.ts'
import type { FinishedAttempt } from '../../domain/webhooks/deliveries/deliver.ts'
import type { DeliveryLane } from './delivery-lane.ts'
import type { DeliveryPassOptions } from './delivery-pass.ts'
import type { DeliverySlots } from './delivery-slots.ts'
import type { Step } from './delivery-step.ts'

const FAILED_AFTER_CLAIMS = 'a delivery pass failed after its claims'

/** Takes what has ended and free slots of each lane, and gives back what the pass leaves. */
export async function runSteps(
  { db, logger, onAttempt }: DeliveryPassOptions,
  slots: DeliverySlots<DeliveryLane>,
  steps: readonly Step[],
  run: (tx: Tx) => Promise<void>,
): Promise<void> {
  try {
    await inTransaction(db, (tx) => {
      // Its COMMIT failed, with which records and leases are sent.
      if (steps.some(({ hasClaimed }) => hasClaimed)) throw new Error(FAILED_AFTER_CLAIMS)
      return run(tx).catch((error) => throwOnce(error, steps))
    })
  } catch (error) {
    // Attempts are kept until their lease no longer allows the record. That of those without a lease never
    // does: they are kept for the log and `onAttempt`, and repeated.
    for (const { lane, attempts, unleased, hasClaimed } of steps) {
      lane.finished.unshift(...attempts, ...unleased)
      lane.awake = true
      lane.leasesFirst ||= hasClaimed
    }
    throw error
  } finally {
    for (const { lane, spare } of steps) slots.release(lane, spare)
  }
  for (const { lane, attempts, unleased, outcome, hasClaimed } of steps) {
    if (hasClaimed) lane.leasesFirst = false
    if (outcome === 'locked' || outcome === 'alone') {
      lane.finished.unshift(...attempts)
      continue
    }
    if (outcome === 'disabled') {
      const { tenantId, webhookId } = lane
      logger.warn({ tenantId, webhookId }, 'webhook disabled')
    }
    for (const finished of [...attempts, ...unleased]) {
      onAttempt?.(finished)
      logAttempt(logger, finished)
    }
  }
}

/** Once requests to endpoints have begun, a repeated pass would send the same deliveries again. */
function throwOnce(error: unknown, steps: readonly Step[]): never {
  const isSent = steps.some(({ hasClaimed }) => hasClaimed)
  if (!isSent || !isRepeated(error)) throw error
  throw new Error(FAILED_AFTER_CLAIMS, { cause: error })
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

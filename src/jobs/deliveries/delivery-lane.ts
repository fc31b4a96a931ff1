import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Sealer } from '../../core/sealing.ts'
import type { Clock } from '../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import {
  cancelSome,
  claimDeliveries,
  type FinishedAttempt,
  type LeasedDelivery,
  type LockedWebhook,
  recordAttempts,
  settle,
} from '../../domain/webhooks/deliver.ts'
import type { WebhookSender } from '../../domain/webhooks/webhook-sender.ts'
import { type Backoff, createBackoff } from './backoff.ts'
import type { DeliverySlots, SlotHolder } from './delivery-slots.ts'

export type DeliveryLaneOptions = {
  db: Db
  sender: WebhookSender
  sealer: Sealer
  clock: Clock
  /** In [0, 1), for the schedule's jitter. */
  random: () => number
  deadlineMs: number
  logger: Logger
  onAttempt?: (attempt: FinishedAttempt) => void
}

export type ClaimTurn = { granted: Promise<'granted'>; release: () => void }

export type DeliveryLane = SlotHolder & {
  webhookId: string
  finished: FinishedAttempt[]
  awake: boolean
  hold: Backoff
  pause: Backoff
  claimTurn: ClaimTurn | undefined
}

/** After 10 s the database ends the transaction of a claim. */
const START_WITHIN_MS = 2_000

/** Ended attempts wait this long for others, to be recorded together. */
const GATHER_MS = 1

const FIRST_HOLD_MS = 1_000
const LONGEST_HOLD_MS = 60_000

const FIRST_BUSY_MS = 20
const LONGEST_BUSY_MS = 1_000

const SETTLE_EVERY_MS = 1_000

export function createDeliveryLane(tenantId: string, webhookId: string): DeliveryLane {
  return {
    tenantId,
    webhookId,
    inFlight: 0,
    finished: [],
    awake: true,
    hold: createBackoff(FIRST_HOLD_MS, LONGEST_HOLD_MS),
    pause: createBackoff(FIRST_BUSY_MS, LONGEST_BUSY_MS),
    claimTurn: undefined,
    signal: () => undefined,
  }
}

/** One transaction, because a failure may disable the webhook. */
export type RecordAndClaim = (
  lane: DeliveryLane,
  lock: (tx: Tx, lane: DeliveryLane) => Promise<LockedWebhook | undefined>,
) => Promise<void>

export function createDeliveryPasses(
  options: DeliveryLaneOptions,
  slots: DeliverySlots<DeliveryLane>,
  mayClaim: (lane: DeliveryLane) => boolean,
): RecordAndClaim {
  const { clock, db, deadlineMs, logger, random, sealer } = options

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

  /**
   * Last in the transaction: changes of the webhook commit before the claim or after the starts.
   */
  async function claim(
    tx: Tx,
    lane: DeliveryLane,
    webhook: LockedWebhook,
    limit: number,
  ): Promise<LeasedDelivery[]> {
    const now = clock()
    lane.awake = false
    if (!webhook.isActive) {
      lane.awake = await cancelSome(tx, webhook)
      return []
    }
    const claimed = await claimDeliveries(tx, webhook, { limit, deadlineMs, now }, sealer)
    lane.hold.end()
    const waitedMs = clock().getTime() - now.getTime()
    if (waitedMs > START_WITHIN_MS) throw new Error(`a claim took ${waitedMs} ms`)
    if (claimed.length === limit) lane.awake = true
    for (const delivery of claimed) void attempt(lane, delivery)
    return claimed
  }

  const settled = new Set<string>()
  let settledSince = 0

  /** A settled webhook is skipped by the sweep. */
  function maySettle({ webhookId }: DeliveryLane, hasAttempted: boolean): boolean {
    if (performance.now() - settledSince > SETTLE_EVERY_MS) {
      settled.clear()
      settledSince = performance.now()
    }
    if (hasAttempted && settled.has(webhookId)) return false
    settled.add(webhookId)
    return true
  }

  return async (lane, lock) => {
    const takeSlots = () => (mayClaim(lane) ? slots.take(lane) : 0)
    const isEarly = lane.finished.length > 0 && lane.finished.length < lane.inFlight
    // Before the pause, while this lane's own slots are free.
    let spare = takeSlots()
    if (isEarly) await setTimeout(GATHER_MS)
    const attempts = lane.finished.splice(0)
    let disabled = false
    let isBusy = false
    try {
      await inTransaction(db, async (tx) => {
        const webhook = await lock(tx, lane)
        isBusy = webhook === undefined
        if (!webhook) return
        lane.pause.end()
        const record = await recordAttempts(tx, webhook, attempts, { random, now: clock() })
        disabled = record.disabled
        if (disabled) {
          lane.awake = true
          return
        }
        spare += takeSlots()
        const claimed = spare > 0 ? (await claim(tx, lane, webhook, spare)).length : 0
        spare -= claimed
        const isIdle = !lane.awake && claimed === 0 && lane.inFlight === spare
        if (isIdle && maySettle(lane, attempts.length > 0)) await settle(tx, webhook)
      })
    } catch (error) {
      // Unrecorded attempts are repeated: keep them until the lease no longer allows the write.
      lane.finished.unshift(...attempts)
      lane.awake = true
      throw error
    } finally {
      slots.release(lane, spare)
    }
    if (isBusy) {
      lane.finished.unshift(...attempts)
      lane.pause.begin(() => lane.signal())
      return
    }
    if (disabled) {
      const { tenantId, webhookId } = lane
      logger.warn({ tenantId, webhookId }, 'webhook disabled')
    }
    for (const finished of attempts) {
      options.onAttempt?.(finished)
      logAttempt(logger, finished)
    }
  }
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

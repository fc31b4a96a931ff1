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
import { createGrowingPause, type GrowingPause } from '../growing-pause.ts'
import type { PlaceHolder, Places } from './delivery-places.ts'

/** What a lane delivers with. */
export type DeliveryLaneOptions = {
  db: Db
  sender: WebhookSender
  sealer: Sealer
  clock: Clock
  /** In [0, 1): the jitter of the schedule. */
  random: () => number
  deadlineMs: number
  logger: Logger
  onAttempt?: (attempt: FinishedAttempt) => void
}

/** One webhook's deliveries, as one process sees them. */
export type DeliveryLane = PlaceHolder & {
  webhookId: string
  finished: FinishedAttempt[]
  /** Something may be due that the last claim has not seen. */
  awake: boolean
  /** While it claims nothing because its secret cannot be opened. */
  hold: GrowingPause
  /** While it does not ask for its webhook's lock, which somebody else held. */
  pause: GrowingPause
  /** Resolves when this lane may claim; undefined while it has not asked to. */
  turnToClaim: Promise<'claim'> | undefined
}

/**
 * What was claimed longer ago than this is given back unsent: by then the database may have ended
 * the transaction that claimed it, which it does after 10 s.
 */
const START_WITHIN_MS = 2_000

/**
 * How long what has ended waits for the greater part that is still in flight: endpoints that answer
 * fast are recorded many at a time, and those that are slow hold up nothing.
 */
const GATHER_MS = 1

/**
 * How long a lane claims nothing whose secret no configured key opens. It takes an operator to bring
 * a key back and a tenant to replace the secret: what they did is seen within the longest.
 */
const FIRST_HOLD_MS = 1_000
const LONGEST_HOLD_MS = 60_000

/**
 * How long a lane leaves a webhook alone whose lock it did not get. It may be another worker's turn,
 * which is over at once, or a change that waits for other webhooks of its tenant.
 */
const FIRST_BUSY_MS = 20
const LONGEST_BUSY_MS = 1_000

/** How often at most a webhook is settled after an attempt: about as often as the sweep comes. */
const SETTLE_EVERY_MS = 1_000

/** A lane that is awake and has done nothing yet. */
export function createDeliveryLane(tenantId: string, webhookId: string): DeliveryLane {
  return {
    tenantId,
    webhookId,
    inFlight: 0,
    finished: [],
    awake: true,
    hold: createGrowingPause(FIRST_HOLD_MS, LONGEST_HOLD_MS),
    pause: createGrowingPause(FIRST_BUSY_MS, LONGEST_BUSY_MS),
    turnToClaim: undefined,
    signal: () => undefined,
  }
}

/**
 * Records what has ended and claims more, together: a failure may have disabled the webhook. `lock`
 * says whether to wait for the webhook; whoever does not, and does not get it, pauses.
 */
export type RecordAndClaim = (
  lane: DeliveryLane,
  lock: (tx: Tx, lane: DeliveryLane) => Promise<LockedWebhook | undefined>,
) => Promise<void>

/** The turns of lanes at their webhooks, as far as there are places and they may claim. */
export function createDeliveryPasses(
  options: DeliveryLaneOptions,
  places: Places<DeliveryLane>,
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
      places.giveBack(lane, 1)
      lane.signal()
    }
  }

  /**
   * Claims what there are places for and starts it at once. The attempts are begun, not waited for,
   * with the webhook locked: what deletes or disables it, or replaces the secret, commits either
   * before the claim, which then knows, or after the starts. Nothing may follow in the transaction.
   * Where the webhook is not active, cancels a batch of what is left instead.
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
    if (waitedMs > START_WITHIN_MS) throw new Error(`a claim has waited for ${waitedMs} ms`)
    // A full claim may have left some behind.
    if (claimed.length === limit) lane.awake = true
    for (const delivery of claimed) void attempt(lane, delivery)
    return claimed
  }

  /** Webhooks settled since `settledSince`. */
  const settled = new Set<string>()
  let settledSince = 0

  /**
   * Whether to have the sweep leave an idle webhook alone. Where events come often that would be
   * written with each of them: after an attempt it is done once a period, else the sweep comes back.
   */
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
    const takePlaces = () => (mayClaim(lane) ? places.take(lane) : 0)
    const isEarly = lane.finished.length > 0 && lane.finished.length < lane.inFlight
    // At once, while those are free that this lane's own attempts have left.
    let spare = takePlaces()
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
          // It may have left some to be cancelled.
          lane.awake = true
          return
        }
        spare += takePlaces()
        const claimed = spare > 0 ? (await claim(tx, lane, webhook, spare)).length : 0
        spare -= claimed
        const isIdle = !lane.awake && claimed === 0 && lane.inFlight === spare
        if (isIdle && maySettle(lane, attempts.length > 0)) await settle(tx, webhook)
      })
    } catch (error) {
      // Unrecorded they would be made again: keep them until the lease no longer lets us write.
      lane.finished.unshift(...attempts)
      lane.awake = true
      throw error
    } finally {
      places.giveBack(lane, spare)
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

/** A line for each attempt that failed; the others are counted, and kept as attempts, like these. */
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

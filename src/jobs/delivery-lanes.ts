import { clearTimeout, setTimeout as setTimer } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { SealedShut, type Sealer } from '../core/sealing.ts'
import type { Clock } from '../core/time.ts'
import { type Db, inTransaction, type Tx } from '../db/database.ts'
import {
  cancelSome,
  claimDeliveries,
  type FinishedAttempt,
  type LeasedDelivery,
  type LockedWebhook,
  lockForDelivery,
  recordAttempts,
  tryLockForDelivery,
} from '../domain/webhooks/deliver.ts'
import type { WebhookSender } from '../domain/webhooks/webhook-sender.ts'
import { createPlaces, type PlaceHolder } from './delivery-places.ts'
import { createGate } from './gate.ts'

export type DeliveryLanesOptions = {
  db: Db
  sender: WebhookSender
  sealer: Sealer
  clock: Clock
  /** In [0, 1): the jitter of the schedule. */
  random: () => number
  deadlineMs: number
  /** Attempts in flight at most, in this process. */
  perWebhook: number
  perTenant: number
  logger: Logger
  onAttempt?: (attempt: FinishedAttempt) => void
  /** A lane could claim nothing, because no configured key opens the secret that this one sealed. */
  onSecretShut?: (keyId: string) => void
}

export type DeliveryLanes = {
  /** Looks for due deliveries of this webhook now, or as soon as its caps allow. Returns at once. */
  wake(tenantId: string, webhookId: string): void
  /** Claims nothing more and resolves once every attempt under way has ended and is recorded. */
  drain(): Promise<void>
}

type Lane = PlaceHolder & {
  webhookId: string
  finished: FinishedAttempt[]
  /** Something may be due that the last claim has not seen. */
  awake: boolean
  /** Set while it claims nothing because its secret cannot be opened. */
  hold: NodeJS.Timeout | undefined
  nextHoldMs: number
  /** Set while it does not ask for its webhook's lock, which somebody else held. */
  pause: NodeJS.Timeout | undefined
  nextPauseMs: number
  /** Resolves when this lane may claim; undefined while it has not asked to. */
  turnToClaim: Promise<'claim'> | undefined
}

/**
 * Lanes that claim at the same time. Fewer than there are connections: however many webhooks have
 * something due at once, what has been sent is recorded without waiting behind their claims.
 */
const CLAIMS_AT_ONCE = 6

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

/** Pauses of a lane whose turns fail: the database is away. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

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

/**
 * Delivers each webhook's due events in a lane of its own: claim, post side by side up to the cap,
 * record what has ended and claim again in one transaction. An endpoint that hangs fills its own lane
 * and nothing else; a lane that waits for a cap holds no slot of any queue.
 */
export function createDeliveryLanes(options: DeliveryLanesOptions): DeliveryLanes {
  const lanes = new Map<string, Lane>()
  const running = new Set<Promise<void>>()
  const places = createPlaces<Lane>(options)
  const gate = createGate(CLAIMS_AT_ONCE)
  let draining = false

  const mayClaim = (lane: Lane) => lane.awake && !draining && lane.hold === undefined

  /** Has a lane claim nothing for a while: what it has in flight it still records. */
  function holdBack(lane: Lane, { keyId, message }: SealedShut): void {
    const { tenantId, webhookId, nextHoldMs } = lane
    options.onSecretShut?.(keyId)
    options.logger.error(
      { tenantId, webhookId, keyId, reason: message },
      'deliveries wait for an encryption key: give it to every API and worker in ENCRYPTION_KEYS and restart them, or have the tenant create a new signing secret',
    )
    lane.nextHoldMs = Math.min(2 * nextHoldMs, LONGEST_HOLD_MS)
    lane.hold = setTimer(() => {
      lane.hold = undefined
      lane.signal()
    }, nextHoldMs)
  }

  /** Has a lane give its turn to others: whoever holds the webhook's lock may do so for long. */
  function pauseBusy(lane: Lane): void {
    lane.pause = setTimer(() => {
      lane.pause = undefined
      lane.signal()
    }, lane.nextPauseMs)
    lane.nextPauseMs = Math.min(2 * lane.nextPauseMs, LONGEST_BUSY_MS)
  }

  function endPause(lane: Lane): void {
    clearTimeout(lane.pause)
    lane.pause = undefined
    lane.nextPauseMs = FIRST_BUSY_MS
  }

  async function attempt(lane: Lane, delivery: LeasedDelivery): Promise<void> {
    try {
      const startedAt = options.clock()
      const outcome = await options.sender.send(delivery, startedAt)
      lane.finished.push({ delivery, startedAt, endedAt: options.clock(), outcome })
    } catch (error) {
      const { tenantId, webhookId, eventId } = delivery
      options.logger.error({ tenantId, webhookId, eventId, err: error }, 'delivery sender failed')
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
    lane: Lane,
    webhook: LockedWebhook,
    limit: number,
  ): Promise<LeasedDelivery[]> {
    const { clock, deadlineMs, sealer } = options
    const now = clock()
    lane.awake = false
    if (!webhook.isActive) {
      lane.awake = await cancelSome(tx, webhook)
      return []
    }
    const claimed = await claimDeliveries(tx, webhook, { limit, deadlineMs, now }, sealer)
    lane.nextHoldMs = FIRST_HOLD_MS
    const waitedMs = clock().getTime() - now.getTime()
    if (waitedMs > START_WITHIN_MS) throw new Error(`a claim has waited for ${waitedMs} ms`)
    // A full claim may have left some behind.
    if (claimed.length === limit) lane.awake = true
    for (const delivery of claimed) void attempt(lane, delivery)
    return claimed
  }

  /**
   * Records what has ended and claims more, together: a failure may have disabled the webhook. `lock`
   * says whether to wait for the webhook; whoever does not, and does not get it, pauses.
   */
  async function recordAndClaim(
    lane: Lane,
    lock: (tx: Tx, lane: Lane) => Promise<LockedWebhook | undefined>,
  ): Promise<void> {
    const { db, random, clock } = options
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
        endPause(lane)
        const record = await recordAttempts(tx, webhook, attempts, random, clock())
        disabled = record.disabled
        if (disabled) {
          // It may have left some to be cancelled.
          lane.awake = true
          return
        }
        spare += takePlaces()
        if (spare > 0) spare -= (await claim(tx, lane, webhook, spare)).length
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
      pauseBusy(lane)
      return
    }
    if (disabled) {
      const { tenantId, webhookId } = lane
      options.logger.warn({ tenantId, webhookId }, 'webhook disabled')
    }
    for (const finished of attempts) {
      options.onAttempt?.(finished)
      logAttempt(options.logger, finished)
    }
  }

  /** Claims when the gate lets it, unless an attempt ends before: with its record goes a claim too. */
  async function claimInTurn(lane: Lane, signalled: Promise<'signal'>): Promise<void> {
    lane.turnToClaim ??= gate.enter().then(() => 'claim')
    if ((await Promise.race([lane.turnToClaim, signalled])) === 'signal') return
    try {
      await recordAndClaim(lane, tryLockForDelivery)
    } finally {
      leaveGate(lane)
    }
  }

  /** Its turn at the gate, if it has one or waits for one, is for those who can use it. */
  function leaveGate(lane: Lane): void {
    void lane.turnToClaim?.then(gate.leave)
    lane.turnToClaim = undefined
  }

  /** One turn of a lane: false when there is nothing left for it to do. */
  async function turn(lane: Lane): Promise<boolean> {
    const signalled = new Promise<'signal'>((resolve) => {
      lane.signal = () => resolve('signal')
    })
    const claims = mayClaim(lane)
    // Whoever has nothing to claim any more must not keep others from their turn.
    if (!claims || lane.pause) places.leaveLine(lane)
    if (claims && !lane.pause && lane.finished.length === 0 && places.isFree(lane)) {
      await claimInTurn(lane, signalled)
      return true
    }
    leaveGate(lane)
    if (lane.finished.length > 0) {
      await recordAndClaim(lane, lockForDelivery)
    } else if (lane.inFlight > 0 || claims || (lane.hold && !draining)) {
      await signalled
    } else {
      // At once, so that a wake from here on opens a new lane and is not lost.
      clearTimeout(lane.hold)
      clearTimeout(lane.pause)
      lanes.delete(lane.webhookId)
      return false
    }
    return true
  }

  async function run(lane: Lane): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    for (;;) {
      try {
        if (!(await turn(lane))) return
        pauseMs = FIRST_PAUSE_MS
      } catch (error) {
        leaveGate(lane)
        places.leaveLine(lane)
        if (error instanceof SealedShut) {
          holdBack(lane, error)
          continue
        }
        const { tenantId, webhookId } = lane
        options.logger.error({ tenantId, webhookId, err: error }, 'delivery lane failed a turn')
        await setTimeout(pauseMs)
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      }
    }
  }

  function openLane(tenantId: string, webhookId: string): void {
    const lane: Lane = {
      tenantId,
      webhookId,
      inFlight: 0,
      finished: [],
      awake: true,
      hold: undefined,
      nextHoldMs: FIRST_HOLD_MS,
      pause: undefined,
      nextPauseMs: FIRST_BUSY_MS,
      turnToClaim: undefined,
      signal: () => undefined,
    }
    lanes.set(webhookId, lane)
    const done = run(lane).finally(() => running.delete(done))
    running.add(done)
  }

  return {
    wake(tenantId, webhookId) {
      if (draining) return
      const lane = lanes.get(webhookId)
      if (lane) {
        lane.awake = true
        lane.signal()
      } else {
        openLane(tenantId, webhookId)
      }
    },
    async drain() {
      draining = true
      for (const lane of lanes.values()) lane.signal()
      await Promise.all(running)
    },
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

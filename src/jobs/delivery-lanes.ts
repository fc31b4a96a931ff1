import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Sealer } from '../core/sealing.ts'
import type { Clock } from '../core/time.ts'
import type { Db } from '../db/database.ts'
import {
  claimDeliveries,
  type FinishedAttempt,
  type LeasedDelivery,
  recordAttempts,
} from '../domain/webhooks/deliver.ts'
import type { WebhookSender } from '../domain/webhooks/webhook-sender.ts'
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
}

export type DeliveryLanes = {
  /** Looks for due deliveries of this webhook now, or as soon as its caps allow. Returns at once. */
  wake(tenantId: string, webhookId: string): void
  /** Claims nothing more and resolves once every attempt under way has ended and is recorded. */
  drain(): Promise<void>
}

type Lane = {
  tenantId: string
  webhookId: string
  inFlight: number
  finished: FinishedAttempt[]
  /** Something may be due that the last claim has not seen. */
  awake: boolean
  /** Resolves when this lane may claim; undefined while it has not asked to. */
  turnToClaim: Promise<'claim'> | undefined
  signal: () => void
}

/**
 * Lanes that claim at the same time. Fewer than there are connections: however many webhooks have
 * something due at once, what has been sent is recorded without waiting behind their claims.
 */
const CLAIMS_AT_ONCE = 6

/** Pauses of a lane whose turns fail: the database is away, or its secret cannot be opened. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/**
 * Delivers each webhook's due events in a lane of its own: claim, post side by side up to the cap,
 * record what has ended in one transaction, claim again. An endpoint that hangs fills its own lane
 * and nothing else; a lane that waits for a cap holds no slot of any queue.
 */
export function createDeliveryLanes(options: DeliveryLanesOptions): DeliveryLanes {
  const lanes = new Map<string, Lane>()
  const running = new Set<Promise<void>>()
  const inFlightOf = new Map<string, number>()
  /** Lanes that wait for a place under their tenant's cap, by tenant, the longest first. */
  const waitingOf = new Map<string, Set<Lane>>()
  const gate = createGate(CLAIMS_AT_ONCE)
  let draining = false

  /**
   * Places for attempts, taken before the claim: the tenant's other lanes claim meanwhile. Where the
   * tenant's cap is full, or others wait for it already, the lane joins the end of their line.
   */
  function takePlaces(lane: Lane): number {
    const own = options.perWebhook - lane.inFlight
    if (own <= 0) return 0
    const taken = inFlightOf.get(lane.tenantId) ?? 0
    const free = options.perTenant - taken
    const next = nextInLine(lane.tenantId) ?? lane
    if (free <= 0 || next !== lane) {
      const line = waitingOf.get(lane.tenantId) ?? new Set()
      waitingOf.set(lane.tenantId, line.add(lane))
      return 0
    }
    leaveLine(lane)
    const places = Math.min(own, free)
    lane.inFlight += places
    inFlightOf.set(lane.tenantId, taken + places)
    if (places < free) nextInLine(lane.tenantId)?.signal()
    return places
  }

  function givePlaces(lane: Lane, places: number): void {
    if (places === 0) return
    lane.inFlight -= places
    const left = (inFlightOf.get(lane.tenantId) ?? 0) - places
    if (left > 0) inFlightOf.set(lane.tenantId, left)
    else inFlightOf.delete(lane.tenantId)
    nextInLine(lane.tenantId)?.signal()
  }

  function nextInLine(tenantId: string): Lane | undefined {
    const [next] = waitingOf.get(tenantId) ?? []
    return next
  }

  function leaveLine(lane: Lane): void {
    const line = waitingOf.get(lane.tenantId)
    line?.delete(lane)
    if (line?.size === 0) waitingOf.delete(lane.tenantId)
  }

  async function attempt(lane: Lane, delivery: LeasedDelivery): Promise<void> {
    try {
      const startedAt = options.clock()
      // Held up since the claim, by a paused process or a slow database: left to the next claim.
      if (startedAt > delivery.startBy) return
      const outcome = await options.sender.send(delivery, startedAt)
      lane.finished.push({ delivery, startedAt, endedAt: options.clock(), outcome })
    } catch (error) {
      const { tenantId, webhookId, eventId } = delivery
      options.logger.error({ tenantId, webhookId, eventId, err: error }, 'delivery sender failed')
    } finally {
      givePlaces(lane, 1)
      lane.signal()
    }
  }

  async function claim(lane: Lane): Promise<void> {
    const limit = draining ? 0 : takePlaces(lane)
    if (limit === 0) return
    lane.awake = false
    let claimed: LeasedDelivery[] = []
    try {
      const { db, clock, deadlineMs, sealer } = options
      // One connection for all of it, waited for before the lease begins to run.
      claimed = await db
        .connection()
        .execute((held) => claimDeliveries(held, lane, { limit, deadlineMs, now: clock() }, sealer))
      // A full claim may have left some behind.
      if (claimed.length === limit) lane.awake = true
      for (const delivery of claimed) void attempt(lane, delivery)
    } catch (error) {
      lane.awake = true
      throw error
    } finally {
      givePlaces(lane, limit - claimed.length)
    }
  }

  async function record(lane: Lane): Promise<void> {
    const attempts = lane.finished.splice(0)
    if (attempts.length === 0) return
    try {
      const { db, random, clock } = options
      const { disabled } = await recordAttempts(db, lane, attempts, random, clock())
      if (disabled) {
        options.logger.warn(
          { tenantId: lane.tenantId, webhookId: lane.webhookId },
          'webhook disabled',
        )
      }
    } catch (error) {
      // Unrecorded they would be made again: keep them until the lease no longer lets us write.
      lane.finished.unshift(...attempts)
      throw error
    }
    for (const finished of attempts) {
      options.onAttempt?.(finished)
      logAttempt(options.logger, finished)
    }
  }

  /** Claims when the gate lets it, unless an attempt ends before: its record comes first. */
  async function claimInTurn(lane: Lane, signalled: Promise<'signal'>): Promise<void> {
    lane.turnToClaim ??= gate.enter().then(() => 'claim')
    if ((await Promise.race([lane.turnToClaim, signalled])) === 'signal') return
    lane.turnToClaim = undefined
    try {
      await claim(lane)
    } finally {
      gate.leave()
    }
  }

  /** One turn of a lane: false when there is nothing left for it to do. */
  async function turn(lane: Lane): Promise<boolean> {
    const signalled = new Promise<'signal'>((resolve) => {
      lane.signal = () => resolve('signal')
    })
    // A failure may disable the webhook: it is recorded before more is claimed.
    if (lane.finished.some(({ outcome }) => !outcome.succeeded)) await record(lane)
    const claims = lane.awake && !draining
    // Otherwise side by side, for neither needs the other: what has ended is still leased.
    const ended = await Promise.allSettled([record(lane), claims && claimInTurn(lane, signalled)])
    for (const part of ended) if (part.status === 'rejected') throw part.reason
    if (lane.finished.length > 0) return true
    if (lane.inFlight === 0 && (draining || !lane.awake)) {
      // At once, so that a wake from here on opens a new lane and is not lost.
      lanes.delete(lane.webhookId)
      return false
    }
    await signalled
    return true
  }

  async function run(lane: Lane): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    for (;;) {
      try {
        if (!(await turn(lane))) return
        pauseMs = FIRST_PAUSE_MS
      } catch (error) {
        const { tenantId, webhookId } = lane
        options.logger.error({ tenantId, webhookId, err: error }, 'delivery lane failed a turn')
        // Its turn at the gate is for those who can use it.
        void lane.turnToClaim?.then(gate.leave)
        lane.turnToClaim = undefined
        leaveLine(lane)
        nextInLine(lane.tenantId)?.signal()
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

function logAttempt(logger: Logger, { delivery, outcome }: FinishedAttempt): void {
  logger.info(
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

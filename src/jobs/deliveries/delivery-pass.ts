import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Sealer } from '../../core/sealing.ts'
import type { Clock } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { EARLY_WAKE_HOLDS_MS } from '../../db/wakes.ts'
import {
  cancelSome,
  claimDeliveries,
  type FinishedAttempt,
  type LeasedDelivery,
  type LockedWebhook,
  leaseDeliveries,
  lockAndClaim,
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
import type { LockedStep, Step } from './delivery-step.ts'
import { createPromptAnswers } from './prompt-answers.ts'

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

/** `ms`: by `performance.now()`. */
type Clocks = { now: Date; ms: number }

export type DeliveryPass = {
  /** Leaves out webhooks that are locked, and those that need a transaction of their own. `onWait`: it
   * waits, for some milliseconds: for what is about to commit, or for endpoints. */
  together(tx: Tx, steps: readonly Step[], onWait: () => void): Promise<void>
  /** Waits for the webhook's lock where attempts are to be recorded. */
  alone(tx: Tx, step: Step): Promise<void>
}

/** Claims what is due and records what has ended, under the webhooks' locks: their changes commit before
 * the claim or after the starts. What must not wait for a record is claimed first. */
export function createDeliveryPass(
  options: DeliveryPassOptions,
  slots: DeliverySlots<DeliveryLane>,
): DeliveryPass {
  const { clock, deadlineMs, distributed, logger, random, sealer } = options
  const maySettle = createSettleGate()
  const answers = createPromptAnswers()

  async function attempt(lane: DeliveryLane, delivery: LeasedDelivery): Promise<void> {
    try {
      const startedAt = clock()
      const outcome = await options.sender.send(delivery, startedAt)
      const finished = { delivery, startedAt, endedAt: clock(), outcome }
      lane.finished.push(finished)
      answers.note(finished)
    } catch (error) {
      const { tenantId, webhookId, eventId } = delivery
      logger.error({ tenantId, webhookId, eventId, err: error }, 'delivery sender failed')
    } finally {
      slots.release(lane, 1)
      lane.signal()
    }
  }

  const readClocks = (): Clocks => ({ now: clock(), ms: performance.now() })

  function start(steps: readonly Step[], claimed: readonly LeasedDelivery[], began: Clocks): void {
    const waitedMs = clock().getTime() - began.now.getTime()
    if (waitedMs > START_WITHIN_MS) throw new Error(`a claim took ${waitedMs} ms`)
    const claimedOf = Map.groupBy(claimed, ({ webhookId }) => webhookId)
    for (const step of steps) {
      const { lane, spare } = step
      const ours = claimedOf.get(lane.webhookId) ?? []
      lane.hold.end()
      lane.awake ||= ours.length === spare
      lane.stride = ours.length === spare ? 2 * lane.stride : FIRST_STRIDE
      noteFound(lane, ours, began.ms)
      lane.awake ||= lane.awaited.size > 0
      step.spare -= ours.length
      step.hasClaimed = true
      for (const delivery of ours) {
        const ended = attempt(lane, delivery)
        if (!delivery.hasLease) step.begun.set(delivery, ended)
      }
    }
  }

  /** At the end, and before another claim of the same lanes, which would find the same deliveries. */
  async function leaseBegun(tx: Tx, steps: readonly Step[]): Promise<void> {
    const begun = steps.flatMap((step) => [...step.begun.keys()])
    for (const step of steps) step.begun.clear()
    await leaseDeliveries(tx, begun)
  }

  async function claim(tx: Tx, steps: readonly LockedStep[]): Promise<void> {
    const claiming = steps.filter(({ spare, hasClaimed }) => spare > 0 && !hasClaimed)
    if (claiming.length > 0) await claimNow(tx, claiming)
  }

  /** Again and again, for some milliseconds, until what is about to commit is there. */
  async function claimEarly(
    tx: Tx,
    steps: readonly LockedStep[],
    onWait: () => void,
  ): Promise<void> {
    const until = performance.now() + EARLY_WAKE_HOLDS_MS
    while (performance.now() < until) {
      const missing = steps.filter(
        ({ lane, spare, hasClaimed }) => hasClaimed && spare > 0 && lane.awaited.size > 0,
      )
      if (missing.length === 0) return
      onWait()
      await claimNow(tx, missing)
    }
  }

  async function claimNow(tx: Tx, steps: readonly LockedStep[]): Promise<void> {
    for (const { lane } of steps) lane.awake = false
    const began = readClocks()
    const limits = steps.map(({ webhook, spare }) => ({ ...webhook, limit: spare }))
    const leasesFirst = steps.some(({ lane }) => lane.leasesFirst)
    const claim = { deadlineMs, now: began.now, leasesFirst, distributed }
    await leaseBegun(tx, steps)
    start(steps, await claimDeliveries(tx, limits, claim, sealer), began)
  }

  /** Locks those that are free. Claims for those whose attempts can be recorded afterwards. */
  async function lockAndStart(tx: Tx, steps: readonly Step[]): Promise<LockedWebhook[]> {
    const began = readClocks()
    const { now } = began
    const claiming = new Set(
      distributed ? [] : steps.filter((step) => step.spare > 0 && mayRecordLater(step, now)),
    )
    const wanted = steps.map((step) => {
      const { tenantId, webhookId } = step.lane
      return { tenantId, webhookId, limit: claiming.has(step) ? step.spare : 0 }
    })
    if (claiming.size === 0) return await lockFreeForDelivery(tx, wanted)
    for (const { lane } of claiming) lane.awake = false
    const leasesFirst = steps.some(({ lane }) => lane.leasesFirst)
    const terms = { deadlineMs, now, leasesFirst }
    const { webhooks, claimed } = await lockAndClaim(tx, wanted, terms, sealer)
    const active = new Set(webhooks.flatMap((each) => (each.isActive ? each.webhookId : [])))
    const started: Step[] = []
    for (const step of claiming) {
      if (active.has(step.lane.webhookId)) started.push(step)
      else step.lane.awake = true
    }
    start(started, claimed, began)
    return webhooks
  }

  async function settleIdle(tx: Tx, steps: readonly LockedStep[]): Promise<void> {
    const idle = steps.filter(
      ({ lane, attempts, ended, spare }) =>
        !lane.awake &&
        lane.inFlight === spare &&
        maySettle(lane, attempts.length + ended.length > 0),
    )
    await settle(
      tx,
      idle.map(({ webhook }) => webhook),
    )
  }

  return {
    async together(tx, steps, onWait) {
      const webhooks = await lockAndStart(tx, steps)
      const webhookOf = new Map(webhooks.map((webhook) => [webhook.webhookId, webhook]))
      const ready: LockedStep[] = []
      for (const step of steps) {
        const webhook = webhookOf.get(step.lane.webhookId)
        step.outcome = 'done'
        if (!webhook) step.outcome = 'locked'
        else if (isRecordedAlone({ webhook, attempts: step.attempts })) step.outcome = 'alone'
        else ready.push(Object.assign(step, { webhook }))
      }
      await claimEarly(tx, ready, onWait)
      // Requests on connections that were idle are written in the next turn: before all else.
      if (steps.some(({ hasClaimed }) => hasClaimed)) await nextTurn()
      await answers.wait(ready, onWait)
      await recordTogether(tx, ready, { random, distributed })
      await claim(tx, ready)
      await leaseBegun(tx, steps)
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
        await leaseBegun(tx, [locked])
        await settleIdle(tx, [locked])
      }
    },
  }
}

/** Success neither disables nor delays what is claimed next. An attempt whose lease has ended would be
 * claimed again. */
const mayRecordLater = ({ attempts }: Step, now: Date) =>
  attempts.every(({ outcome, delivery }) => outcome.succeeded && delivery.leasedUntil > now)

/** An event that is still missing from a claim that began after its time has a wake to follow. */
function noteFound(lane: DeliveryLane, claimed: readonly LeasedDelivery[], beganMs: number): void {
  for (const { eventId } of claimed) if (lane.awaited.delete(eventId)) lane.found = eventId
  for (const [eventId, until] of lane.awaited) if (beganMs > until) lane.awaited.delete(eventId)
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

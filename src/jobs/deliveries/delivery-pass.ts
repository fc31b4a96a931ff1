import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Sealer } from '../../core/sealing.ts'
import type { Clock } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import {
  cancelSome,
  claimDeliveries,
  type FinishedAttempt,
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
import { createAttempts } from './begin-attempts.ts'
import type { DeliveryLane } from './delivery-lane.ts'
import type { DeliverySlots } from './delivery-slots.ts'
import { type LockedStep, mayRecordLater, type Step } from './delivery-step.ts'
import { createPromptEndpoints } from './prompt-endpoints.ts'
import { createSettleGate } from './settle-gate.ts'

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

export type DeliveryPass = {
  /** Leaves out webhooks that are locked, and those that need a transaction of their own. Calls `onWait`
   * before it waits some milliseconds: for a commit under way, or for endpoints. */
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
  const { clock, deadlineMs, distributed, random, sealer } = options
  const maySettle = createSettleGate()
  const endpoints = createPromptEndpoints()
  const begin = createAttempts(options, slots, endpoints)

  /** Leases what this pass has begun and not recorded. Call it at the end, and before a second claim of the
   * same lanes, which would find it again. */
  async function leaseBegun(tx: Tx, steps: readonly Step[]): Promise<void> {
    const begun = steps.flatMap((step) => [...step.begun.keys()])
    for (const step of steps) step.begun.clear()
    leaseDeliveries(tx, begun)
  }

  async function claim(tx: Tx, steps: readonly LockedStep[]): Promise<void> {
    const claiming = steps.filter(({ spare, hasClaimed }) => spare > 0 && !hasClaimed)
    if (claiming.length > 0) await claimNow(tx, claiming)
  }

  async function claimNow(tx: Tx, steps: readonly LockedStep[]): Promise<void> {
    for (const { lane } of steps) lane.awake = false
    const began = clock()
    const limits = steps.map(({ webhook, spare }) => ({ ...webhook, limit: spare }))
    const leasesFirst = steps.some(({ lane }) => lane.leasesFirst)
    const claim = { deadlineMs, now: began, leasesFirst, distributed }
    begin(steps, await claimDeliveries(tx, limits, claim, sealer), began)
  }

  /** Locks those that are free. Claims for those whose attempts can be recorded afterwards. */
  async function lockAndStart(tx: Tx, steps: readonly Step[]): Promise<LockedWebhook[]> {
    const now = clock()
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
    begin(started, claimed, now)
    return webhooks
  }

  async function settleIdle(tx: Tx, steps: readonly LockedStep[]): Promise<void> {
    const idle = steps.filter(
      ({ lane, attempts, unleased, spare }) =>
        !lane.awake &&
        lane.inFlight === spare &&
        maySettle(lane, attempts.length + unleased.length > 0),
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
      // Requests on connections that were idle are written in the next turn: before all else.
      if (steps.some(({ hasClaimed }) => hasClaimed)) await nextTurn()
      await endpoints.waitAndTake(ready, onWait)
      await recordTogether(tx, ready, { random, distributed })
      await claim(tx, ready)
      // Of all: one that is recorded alone may have begun attempts too.
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

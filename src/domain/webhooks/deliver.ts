import { randomUUID } from 'node:crypto'
import type { Sealer } from '../../core/sealing.ts'
import { addMs, SECOND_MS } from '../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { countFailures, settleDelivery } from './decide-outcome.ts'
import {
  type ClaimedRow,
  claimDue,
  commitDurably,
  lockLeased,
  selectOldestDue,
  selectWebhooksWithDue,
  writeOutcomes,
} from './delivery-queries.ts'
import { lockWebhook, updateFailureCounter } from './queries.ts'
import { readSecret } from './signing-secret.ts'
import type { DeliveryOutcome } from './webhook-sender.ts'
import { disableWebhook } from './webhooks.ts'

/** A delivery that this process alone may attempt, until its lease runs out. */
export type LeasedDelivery = {
  tenantId: string
  webhookId: string
  eventId: string
  recordedAt: Date
  lease: string
  /** An attempt that starts by then ends before the lease does, even at its deadline. */
  startBy: Date
  url: string
  body: Buffer
  /** Number of the attempt to make, counting from 1. */
  attempt: number
  /** The signing secret as read after the claim; undefined when the tenant has none. */
  secret: string | undefined
  failures: number
  nextAttemptAt: Date | undefined
  requested: boolean
}

export type FinishedAttempt = {
  delivery: LeasedDelivery
  startedAt: Date
  endedAt: Date
  outcome: DeliveryOutcome
}

/** A lease outlives an attempt's deadline by this: time to start it and to record its outcome. */
export const LEASE_MARGIN_MS = 3 * SECOND_MS

/**
 * Claims up to `limit` due deliveries of one webhook for attempts that start now. Disabling and
 * deleting cancel the same rows, so no claim follows them; the secret is read after the claim has
 * committed, so no claim that follows a replacement carries the old one. Times are real time.
 */
export async function claimDeliveries(
  db: Db,
  webhook: { tenantId: string; webhookId: string },
  claim: { limit: number; deadlineMs: number; now: Date },
  sealer: Sealer,
): Promise<LeasedDelivery[]> {
  const { tenantId, webhookId } = webhook
  const lease = randomUUID()
  const startBy = addMs(claim.now, LEASE_MARGIN_MS)
  const until = addMs(startBy, claim.deadlineMs)
  const { now, limit } = claim
  const rows = await claimDue(db, tenantId, webhookId, { lease, now, until, limit })
  if (rows.length === 0) return []
  const secret = await readSecret(db, tenantId, sealer)
  return rows.map((row) => ({ ...toLeased(row), tenantId, webhookId, lease, startBy, secret }))
}

function toLeased(row: ClaimedRow) {
  return {
    eventId: row.event_id,
    recordedAt: row.recorded_at,
    url: row.url,
    body: Buffer.from(row.body),
    attempt: row.attempts + 1,
    failures: row.failures,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    requested: row.retry_requested,
  }
}

/**
 * Records ended attempts of one webhook in one transaction: attempt rows, delivery states, next
 * times, the failure counter, and the disabling at exactly 100. Attempts whose lease has passed to
 * somebody else change nothing.
 */
export async function recordAttempts(
  db: Db,
  webhook: { tenantId: string; webhookId: string },
  attempts: readonly FinishedAttempt[],
  random: () => number,
  now: Date,
): Promise<{ recorded: number; disabled: boolean }> {
  return await inTransaction(db, async (tx) => {
    const { tenantId, webhookId } = webhook
    const before = await lockWebhook(tx, tenantId, webhookId)
    if (!before) throw new Error(`webhook ${webhookId} has deliveries but no row`)
    const held = await lockLeased(
      tx,
      tenantId,
      webhookId,
      attempts.map((attempt) => attempt.delivery),
    )
    const stateOf = new Map(held.map((row) => [leaseName(row.event_id, row.lease), row.state]))
    const stateNow = ({ eventId, lease }: LeasedDelivery) => stateOf.get(leaseName(eventId, lease))
    const ours = attempts.filter((attempt) => stateNow(attempt.delivery) !== undefined)
    if (ours.length === 0) return { recorded: 0, disabled: false }

    const outcomes = ours.map((attempt) => {
      const state = stateNow(attempt.delivery) ?? 'cancelled'
      return toOutcomeRow(attempt, state, random())
    })
    await writeOutcomes(tx, tenantId, webhookId, outcomes)

    const counter = countFailures(
      { failedAttempts: before.consecutive_failed_attempts, isActive: before.state === 'active' },
      ours.map((attempt) => attempt.outcome),
    )
    if (counter.failedAttempts !== before.consecutive_failed_attempts) {
      await updateFailureCounter(tx, tenantId, webhookId, counter.failedAttempts)
    }
    if (counter.disable) {
      await disableWebhook(tx, tenantId, webhookId, now)
      await commitDurably(tx)
    }
    return { recorded: ours.length, disabled: counter.disable }
  })
}

/** A process that was paused may hold two attempts of one event: an old lease's and a new one's. */
const leaseName = (eventId: string, lease: string) => `${eventId} ${lease}`

function toOutcomeRow(
  { delivery, startedAt, endedAt, outcome }: FinishedAttempt,
  state: Parameters<typeof settleDelivery>[0]['state'],
  random: number,
) {
  const { succeeded } = outcome
  const { requested, failures, nextAttemptAt } = delivery
  const after = settleDelivery(
    { succeeded, requested, endedAt, failures, nextAttemptAt, state },
    random,
  )
  return {
    eventId: delivery.eventId,
    recordedAt: delivery.recordedAt,
    number: delivery.attempt,
    startedAt,
    status: outcome.status ?? null,
    error: outcome.error ?? null,
    durationMs: outcome.durationMs,
    responseExcerpt: outcome.bodyExcerpt,
    requested,
    state: after.state,
    failures: after.failures,
    nextAttemptAt: after.nextAttemptAt ?? null,
  }
}

/** A 2xx that came outside the log (a simulation) sets the failure counter to 0 as any other does. */
export async function resetFailureCounter(
  tx: Tx,
  tenantId: string,
  webhookId: string,
): Promise<void> {
  await lockWebhook(tx, tenantId, webhookId)
  await updateFailureCounter(tx, tenantId, webhookId, 0)
}

/** Every webhook that has a delivery due at `now`, or one whose lease ran out. */
export async function findWebhooksWithDue(
  db: Db,
  now: Date,
): Promise<{ tenantId: string; webhookId: string }[]> {
  const rows = await selectWebhooksWithDue(db, now)
  return rows.map((row) => ({ tenantId: row.tenant_id, webhookId: row.webhook_id }))
}

/** For how long the delivery that is due for longest has waited, in milliseconds; 0 without any. */
export async function measureOldestDelivery(db: Db, now: Date): Promise<number> {
  const dueAt = await selectOldestDue(db)
  return dueAt ? Math.max(0, now.getTime() - dueAt.getTime()) : 0
}

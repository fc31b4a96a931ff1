import { randomUUID } from 'node:crypto'
import type { Sealer } from '../../core/sealing.ts'
import { addMs, SECOND_MS } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import type { DeliveryState } from '../../db/schema/events.ts'
import { countFailures, settleDelivery } from './decide-outcome.ts'
import { clearDue, lowerDue, settleDue } from './due-queries.ts'
import {
  CANCEL_BATCH,
  type ClaimedRow,
  cancelPending,
  claimDue,
  commitDurably,
  type LaneRow,
  lockLane,
  type OutcomeRow,
  tryLockLane,
  writeOutcomes,
} from './lane-queries.ts'
import { lockWebhook, updateFailureCounter } from './queries.ts'
import { openSecret } from './signing-secret.ts'
import type { DeliveryOutcome } from './webhook-sender.ts'
import { disableWebhook } from './webhooks.ts'

export type LeasedDelivery = {
  tenantId: string
  webhookId: string
  eventId: string
  recordedAt: Date
  lease: string
  url: string
  body: Buffer
  attempt: number
  leasedUntil: Date
  secret: string | undefined
  failures: number
  nextAttemptAt: Date | undefined
  requested: boolean
  traceparent: string | undefined
  state: DeliveryState
}

export type FinishedAttempt = {
  delivery: LeasedDelivery
  startedAt: Date
  endedAt: Date
  outcome: DeliveryOutcome
}

export type LockedWebhook = {
  tenantId: string
  webhookId: string
  url: string
  isActive: boolean
  failedAttempts: number
}

type WebhookName = { tenantId: string; webhookId: string }

/** Time to start an attempt and record its outcome, beyond the attempt's deadline. */
const LEASE_MARGIN_MS = 3 * SECOND_MS

/** Until the transaction ends no one else disables, deletes, claims or records at this webhook, and
 * no one replaces the secret. */
export async function lockForDelivery(tx: Tx, webhook: WebhookName): Promise<LockedWebhook> {
  const row = await lockLane(tx, webhook.tenantId, webhook.webhookId)
  if (!row) throw new Error(`webhook ${webhook.webhookId} has deliveries but no row`)
  return toLocked(webhook, row)
}

export async function tryLockForDelivery(
  tx: Tx,
  webhook: WebhookName,
): Promise<LockedWebhook | undefined> {
  const row = await tryLockLane(tx, webhook.tenantId, webhook.webhookId)
  return row && toLocked(webhook, row)
}

function toLocked({ tenantId, webhookId }: WebhookName, row: LaneRow): LockedWebhook {
  return {
    tenantId,
    webhookId,
    url: row.url,
    isActive: row.state === 'active',
    failedAttempts: row.consecutive_failed_attempts,
  }
}

/** Attempts must start before the transaction ends: then none starts after the commit of a deletion,
 * a disabling or another secret. An inactive webhook claims nothing. `now` is after the lock. */
export async function claimDeliveries(
  tx: Tx,
  webhook: LockedWebhook,
  claim: { limit: number; deadlineMs: number; now: Date },
  sealer: Sealer,
): Promise<LeasedDelivery[]> {
  const { tenantId, webhookId, url, isActive } = webhook
  if (!isActive) return []
  const lease = randomUUID()
  const until = addMs(claim.now, LEASE_MARGIN_MS + claim.deadlineMs)
  const { now, limit } = claim
  const rows = await claimDue(tx, tenantId, webhookId, { lease, now, until, limit })
  const [first] = rows
  if (!first) return []
  const secret = first.sealed === null ? undefined : openSecret(first.sealed, tenantId, sealer)
  const held = { tenantId, webhookId, url, lease, leasedUntil: until, secret }
  return rows.map((row) => ({ ...toLeased(row), ...held }))
}

/** Returns whether there may be more. Batches are small so that the lock is soon free. */
export async function cancelSome(tx: Tx, webhook: LockedWebhook): Promise<boolean> {
  const { tenantId, webhookId, isActive } = webhook
  if (isActive) throw new Error(`webhook ${webhookId} is active`)
  const hasMore = (await cancelPending(tx, tenantId, webhookId)) === CANCEL_BATCH
  if (!hasMore) await clearDue(tx, tenantId, webhookId)
  return hasMore
}

export async function settle(tx: Tx, webhook: LockedWebhook): Promise<void> {
  if (webhook.isActive) await settleDue(tx, webhook.tenantId, webhook.webhookId)
}

function toLeased(row: ClaimedRow) {
  return {
    eventId: row.event_id,
    recordedAt: row.recorded_at,
    body: Buffer.from(row.body),
    attempt: row.attempts + 1,
    failures: row.failures,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    requested: row.retry_requested,
    traceparent: row.traceparent ?? undefined,
    state: row.state,
  }
}

/** Attempts that lost their lease to another worker change nothing. */
export async function recordAttempts(
  tx: Tx,
  webhook: LockedWebhook,
  attempts: readonly FinishedAttempt[],
  { random, now }: { random: () => number; now: Date },
): Promise<{ recorded: number; disabled: boolean }> {
  if (attempts.length === 0) return { recorded: 0, disabled: false }
  const { tenantId, webhookId, isActive, failedAttempts } = webhook
  const outcomes = attempts.map((attempt) => toOutcomeRow(attempt, isActive, random()))
  const written = await writeOutcomes(tx, tenantId, webhookId, outcomes)
  const leases = new Set(written.map((row) => leaseName(row.event_id, row.lease)))
  const ours = attempts.filter(({ delivery }) =>
    leases.has(leaseName(delivery.eventId, delivery.lease)),
  )

  const counter = countFailures(
    { failedAttempts, isActive },
    ours.map((attempt) => attempt.outcome),
  )
  if (counter.failedAttempts !== failedAttempts) {
    await updateFailureCounter(tx, tenantId, webhookId, counter.failedAttempts)
  }
  if (counter.disable) {
    await disableWebhook(tx, tenantId, webhookId, now)
    await commitDurably(tx)
  } else {
    await keepDue(tx, webhook, ours, outcomes)
  }
  return { recorded: ours.length, disabled: counter.disable }
}

/** A webhook is due when a lease ends at the latest. An attempt that is due again before that makes
 * it due earlier: a requested retry, or a long deadline. */
async function keepDue(
  tx: Tx,
  { tenantId, webhookId }: LockedWebhook,
  attempts: readonly FinishedAttempt[],
  outcomes: readonly OutcomeRow[],
): Promise<void> {
  const nextOf = new Map(outcomes.map((row) => [leaseName(row.eventId, row.lease), row]))
  const earlier = attempts.flatMap(({ delivery }) => {
    const next = nextOf.get(leaseName(delivery.eventId, delivery.lease))?.nextAttemptAt
    return next && next < delivery.leasedUntil ? [next.getTime()] : []
  })
  if (earlier.length === 0) return
  await lowerDue(tx, tenantId, webhookId, new Date(Math.min(...earlier)))
}

/** A paused process may hold two attempts of one event, under an old lease and a new one. */
const leaseName = (eventId: string, lease: string) => `${eventId} ${lease}`

function toOutcomeRow(
  { delivery, startedAt, endedAt, outcome }: FinishedAttempt,
  isActive: boolean,
  random: number,
) {
  const { succeeded } = outcome
  const { requested, failures, nextAttemptAt } = delivery
  const state = !isActive && delivery.state === 'pending' ? 'cancelled' : delivery.state
  const after = settleDelivery(
    { succeeded, requested, endedAt, failures, nextAttemptAt, state },
    random,
  )
  return {
    eventId: delivery.eventId,
    recordedAt: delivery.recordedAt,
    lease: delivery.lease,
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

/** A 2xx outside the log (a simulation) resets the counter too. */
export async function resetFailureCounter(
  tx: Tx,
  tenantId: string,
  webhookId: string,
): Promise<void> {
  await lockWebhook(tx, tenantId, webhookId)
  await updateFailureCounter(tx, tenantId, webhookId, 0)
}

import { addMs } from '../../../core/time.ts'
import type { Tx } from '../../../db/database.ts'
import { appendEvents } from '../../events/append-event.ts'
import { requestFailureMails } from '../failure-mails.ts'
import { disabledNotice, failingNotices, mayGiveNotice } from '../failure-notices.ts'
import { lockWebhook, updateFailureCounters } from '../queries.ts'
import { disableWebhook } from '../webhooks.ts'
import { countFailures, DISABLE_AT, RETRY_DELAYS_MS, settleDelivery } from './decide-outcome.ts'
import type { FinishedAttempt, LockedWebhook } from './deliver.ts'
import { lowerDue } from './due-queries.ts'
import { commitDurably } from './lane-queries.ts'
import { type OutcomeRow, sendOutcomes, writeOutcomes } from './outcome-queries.ts'

type Recording = { random: () => number; distributed: boolean }

/** Attempts that lost their lease to another worker change nothing. */
export async function recordAttempts(
  tx: Tx,
  webhook: LockedWebhook,
  attempts: readonly FinishedAttempt[],
  { random, now, distributed }: Recording & { now: Date },
): Promise<{ recorded: number; disabled: boolean }> {
  if (attempts.length === 0) return { recorded: 0, disabled: false }
  const { tenantId, webhookId, isActive, failedAttempts } = webhook
  const outcomes = attempts.map((attempt) => toOutcomeRow(attempt, isActive, random()))
  const wasWritten = await write(tx, outcomes, distributed)
  const ours = attempts.filter(({ delivery }) => wasWritten(delivery))

  const counter = countFailures(
    { failedAttempts, isActive },
    ours.map((attempt) => attempt.outcome),
  )
  if (counter.failedAttempts !== failedAttempts) {
    await updateFailureCounters(tx, [{ ...webhook, failedAttempts: counter.failedAttempts }])
  }
  const rowOf = new Map(outcomes.map((row) => [leaseName(row), row]))
  const recorded = ours.flatMap((attempt) => {
    const row = rowOf.get(leaseName(attempt.delivery))
    return row ? [{ attempt, row }] : []
  })
  const { failedAttempts: failed } = counter
  const notices = failingNotices(webhook, recorded, { failedAttempts: failed, now })
  if (counter.disable) {
    await disableWebhook(tx, tenantId, webhookId, now)
    notices.push(disabledNotice(webhook, now))
  }
  if (notices.length > 0) {
    await commitDurably(tx)
    await appendEvents(tx, tenantId, notices)
    await requestFailureMails(tx, tenantId, notices, now)
  }
  if (!counter.disable) await keepDue(tx, webhook, recorded)
  return { recorded: ours.length, disabled: counter.disable }
}

export type WebhookAttempts = {
  webhook: LockedWebhook
  attempts: readonly FinishedAttempt[]
  /** Claimed in this transaction and recorded without a lease. They ended after `attempts`. */
  unleased?: readonly FinishedAttempt[]
}

/** Disabling, cancelling, notices and an earlier due instant take more locks, which many webhooks must
 * not hold together. */
export function isRecordedAlone({ webhook, attempts, unleased = [] }: WebhookAttempts): boolean {
  const all = [...attempts, ...unleased]
  if (!webhook.isActive || webhook.failedAttempts + all.length >= DISABLE_AT) return true
  if (mayGiveNotice(webhook, all)) return true
  return all.some(
    ({ delivery, endedAt }) =>
      delivery.requested || delivery.leasedUntil > addMs(endedAt, RETRY_DELAYS_MS[0]),
  )
}

/** As `recordAttempts`, for webhooks that are not recorded alone. */
export async function recordTogether(
  tx: Tx,
  records: readonly WebhookAttempts[],
  { random, distributed }: Recording,
): Promise<void> {
  const toOutcome = (attempt: FinishedAttempt, lease: string | null) => ({
    row: { ...toOutcomeRow(attempt, true, random()), lease },
    succeeded: attempt.outcome.succeeded,
  })
  const recorded = records.map(({ webhook, attempts, unleased = [] }) => ({
    webhook,
    outcomes: [
      ...attempts.map((attempt) => toOutcome(attempt, attempt.delivery.lease)),
      ...unleased.map((attempt) => toOutcome(attempt, attempt.delivery.leaseBefore)),
    ],
  }))
  const rows = recorded.flatMap(({ outcomes }) => outcomes.map(({ row }) => row))
  if (rows.length === 0) return
  const areCounted = recorded.some(
    ({ webhook, outcomes }) =>
      webhook.failedAttempts > 0 || outcomes.some(({ succeeded }) => !succeeded),
  )
  if (!areCounted && !distributed) {
    sendOutcomes(tx, rows)
    return
  }
  const wasWritten = await write(tx, rows, distributed)
  const counters = recorded.flatMap(({ webhook, outcomes }) => {
    const ours = outcomes.filter(({ row }) => wasWritten(row))
    const { failedAttempts } = countFailures(webhook, ours)
    return failedAttempts === webhook.failedAttempts ? [] : [{ ...webhook, failedAttempts }]
  })
  if (counters.length > 0) await updateFailureCounters(tx, counters)
}

type LeaseOfDelivery = Pick<OutcomeRow, 'webhookId' | 'eventId' | 'lease'>

async function write(
  tx: Tx,
  outcomes: readonly OutcomeRow[],
  distributed: boolean,
): Promise<(delivery: LeaseOfDelivery) => boolean> {
  const rows = await writeOutcomes(tx, outcomes, distributed)
  const written = new Set(
    rows.map((row) =>
      leaseName({ webhookId: row.webhook_id, eventId: row.event_id, lease: row.lease }),
    ),
  )
  return (delivery) => written.has(leaseName(delivery))
}

/** A webhook is due when a lease ends at the latest. An attempt that is due again before that makes
 * it due earlier: a requested retry, or a long deadline. */
async function keepDue(
  tx: Tx,
  { tenantId, webhookId }: LockedWebhook,
  recorded: readonly { attempt: FinishedAttempt; row: OutcomeRow }[],
): Promise<void> {
  const earlier = recorded.flatMap(({ attempt: { delivery }, row: { nextAttemptAt: next } }) => {
    return next && next < delivery.leasedUntil ? [next.getTime()] : []
  })
  if (earlier.length === 0) return
  await lowerDue(tx, tenantId, webhookId, new Date(Math.min(...earlier)))
}

/** A paused process may hold two attempts of one event, under an old lease and a new one. */
const leaseName = ({ webhookId, eventId, lease }: LeaseOfDelivery) =>
  `${webhookId} ${eventId} ${lease}`

function toOutcomeRow(
  { delivery, startedAt, endedAt, outcome }: FinishedAttempt,
  isActive: boolean,
  random: number,
): OutcomeRow {
  const { succeeded, retryAfterMs } = outcome
  const { requested, failures, nextAttemptAt } = delivery
  const state = !isActive && delivery.state === 'pending' ? 'cancelled' : delivery.state
  const after = settleDelivery(
    { succeeded, requested, endedAt, failures, nextAttemptAt, state, retryAfterMs },
    random,
  )
  return {
    tenantId: delivery.tenantId,
    webhookId: delivery.webhookId,
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
  await updateFailureCounters(tx, [{ tenantId, webhookId, failedAttempts: 0 }])
}

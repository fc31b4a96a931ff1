import { Refusal } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import type { Clock } from '../../core/time.ts'
import { type Db, type Tx, wakeAfterCommit } from '../../db/database.ts'
import { purge } from '../../db/purge.ts'
import { lockSequence } from '../events/queries.ts'
import type { LogView } from '../events/read-log.ts'
import { clearDue, lowerDue } from './due-queries.ts'
import { CANCEL_BATCH, cancelPending } from './lane-queries.ts'
import {
  deleteEndedWebhooks,
  insertWebhook,
  lockWebhook,
  selectWebhook,
  selectWebhooks,
  updateWebhookState,
} from './queries.ts'

/** Where a tenant wants its events (interface, Webhook). */
export type Webhook = {
  id: string
  url: string
  /** Empty: all of them. */
  eventTypes: string[]
  label: string | undefined
  state: 'active' | 'disabled'
  consecutiveFailedAttempts: number
  /** Events with a higher number can be replayed through this webhook. */
  registeredSequence: bigint
}

export type WebhookRegistration = {
  url: string
  eventTypes: readonly string[]
  label: string | undefined
}

/**
 * Registers a webhook and returns its id: it is sent every event committed after this transaction
 * (interface, Register webhook). The URL has been checked by the caller, for that needs the network.
 * Refuses `limit_reached` when the tenant has `maxWebhooks` already.
 */
export async function registerWebhook(
  tx: Tx,
  tenantId: string,
  registration: WebhookRegistration,
  options: { maxWebhooks: number; now: Date },
): Promise<string> {
  // Under the event counter's lock: exactly the events after this number find the webhook there.
  const registeredSequence = await lockSequence(tx, tenantId)
  const existing = await selectWebhooks(tx, tenantId)
  if (existing.length >= options.maxWebhooks) {
    throw new Refusal(
      'limit_reached',
      `A tenant can have ${options.maxWebhooks} webhooks; delete one first.`,
    )
  }
  const webhookId = newId('whk')
  await insertWebhook(tx, {
    tenantId,
    webhookId,
    url: registration.url,
    eventTypes: [...new Set(registration.eventTypes)],
    label: registration.label,
    registeredSequence,
    createdAt: options.now,
  })
  return webhookId
}

/** The tenant's webhooks, newest first; deleted ones are gone. */
export async function listWebhooks(db: Db, tenantId: string): Promise<Webhook[]> {
  return (await selectWebhooks(db, tenantId)).map(toWebhook)
}

/** One webhook; refuses `not_found` for an unknown, deleted or foreign one. */
export async function getWebhook(db: Db, tenantId: string, webhookId: string): Promise<Webhook> {
  const row = isId('whk', webhookId) && (await selectWebhook(db, tenantId, webhookId))
  if (!row) throw unknownWebhook()
  return toWebhook(row)
}

/**
 * The events that can be replayed through a webhook: those after its registration, of its types
 * (interface, Webhooks rules 2 and 3). Refuses `not_found`, also for a deleted webhook.
 */
export async function getReplayView(db: Db, tenantId: string, webhookId: string): Promise<LogView> {
  const webhook = await getWebhook(db, tenantId, webhookId)
  return {
    tenantId,
    cursorContext: `replay/${tenantId}/${webhookId}`,
    after: webhook.registeredSequence,
    types: webhook.eventTypes,
  }
}

/**
 * Deletes a webhook: what was still to be delivered is cancelled, attempts under way end, none
 * starts after this commits, and its events cannot be replayed through it any more (interface,
 * Delete webhook). Of a long backlog the webhook's lane cancels all but the first batch afterwards.
 * Refuses `not_found`.
 */
export async function deleteWebhook(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  clock: Clock,
): Promise<void> {
  const row = isId('whk', webhookId) && (await lockWebhook(tx, tenantId, webhookId))
  if (!row || row.state === 'deleted') throw unknownWebhook()
  await lockSequence(tx, tenantId)
  // Read under the lock: no attempt starts after the instant that is written.
  const at = clock()
  await updateWebhookState(tx, tenantId, webhookId, {
    from: ['active', 'disabled'],
    to: 'deleted',
    at,
  })
  await cancelFirst(tx, tenantId, webhookId, at)
}

/**
 * Disables a webhook whose lock the caller holds; what was still to be delivered is cancelled, as by
 * a deletion.
 */
export async function disableWebhook(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  now: Date,
): Promise<void> {
  await lockSequence(tx, tenantId)
  await updateWebhookState(tx, tenantId, webhookId, {
    from: ['active'],
    to: 'disabled',
    at: now,
  })
  await cancelFirst(tx, tenantId, webhookId, now)
}

/**
 * Cancels one batch and leaves the rest to the lane: the tenant's counter is locked here, and with it
 * whatever of the tenant writes an event.
 */
async function cancelFirst(tx: Tx, tenantId: string, webhookId: string, now: Date): Promise<void> {
  const cancelled = await cancelPending(tx, tenantId, webhookId)
  if (cancelled < CANCEL_BATCH) {
    await clearDue(tx, tenantId, webhookId)
    return
  }
  await lowerDue(tx, tenantId, webhookId, now)
  wakeAfterCommit(tx, { kind: 'deliveries', tenantId, webhookId })
}

/** Deletes the rows of webhooks that were deleted before `before` and have no deliveries left. */
export async function purgeWebhooks(db: Db, before: Date): Promise<number> {
  return await purge((limit) => deleteEndedWebhooks(db, before, limit))
}

/** One answer for an id of the wrong form, of nobody, of another tenant and of a deleted one. */
export function unknownWebhook(): Refusal {
  return new Refusal('not_found', 'There is no such webhook.')
}

type WebhookRow = NonNullable<Awaited<ReturnType<typeof selectWebhook>>>

function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.webhook_id,
    url: row.url,
    eventTypes: row.event_types,
    label: row.label ?? undefined,
    state: row.state === 'active' ? 'active' : 'disabled',
    consecutiveFailedAttempts: row.consecutive_failed_attempts,
    registeredSequence: row.registered_sequence,
  }
}

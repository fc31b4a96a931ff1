import { Refusal } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import type { Clock } from '../../core/time.ts'
import { type Db, type Tx, wakeAfterCommit } from '../../db/database.ts'
import { execute } from '../../db/transactions/execute.ts'
import { CANCEL_BATCH, cancelPending, type LaneName, lockLane } from '../deliveries/lane.ts'
import { insertMissing, lowerRetry } from '../deliveries/lane-queries.ts'
import { lockCounter } from '../events/append/append-queries.ts'
import type { LogView } from '../events/log/read-log.ts'
import { purgeTenants } from '../tenants/each-tenant.ts'
import {
  countDisabled,
  deleteEndedWebhooks,
  insertWebhook,
  type StateChange,
  selectWebhook,
  selectWebhooks,
  updateWebhookState,
} from './queries.ts'

export type Webhook = {
  id: string
  url: string
  eventTypes: string[]
  label: string | undefined
  createdAt: Date
  state: 'active' | 'disabled'
  consecutiveFailedAttempts: number
  registeredSequence: bigint
}

export type WebhookRegistration = {
  url: string
  eventTypes: readonly string[]
  label: string | undefined
}

/** Of all tenants; those that were deleted since do not count. */
export async function countDisabledWebhooks(db: Db): Promise<number> {
  return await countDisabled(db)
}

/** Receives every event committed after this transaction. The caller has checked the URL, because
 * that needs the network. Refuses `limit_reached`. */
export async function registerWebhook(
  tx: Tx,
  tenantId: string,
  registration: WebhookRegistration,
  options: { maxWebhooks: number; now: Date },
): Promise<string> {
  // Under the event counter's lock: exactly the events after this number reach the webhook.
  const [counter] = await execute(tx, lockCounter({ tenantId }))
  if (!counter) throw new Error(`tenant ${tenantId} has no event counter`)
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
    registeredSequence: counter.last_sequence,
    createdAt: options.now,
  })
  tx.send(insertMissing({ tenantId }))
  return webhookId
}

export async function listWebhooks(db: Db, tenantId: string): Promise<Webhook[]> {
  return (await selectWebhooks(db, tenantId)).map(toWebhook)
}

export async function getWebhook(db: Db, tenantId: string, webhookId: string): Promise<Webhook> {
  const row = isId('whk', webhookId) && (await selectWebhook(db, tenantId, webhookId))
  if (!row) throw unknownWebhook()
  return toWebhook(row)
}

/** Events after registration, of the webhook's types, those about itself too. Refuses `not_found`,
 * also after deletion. */
export async function getReplayView(db: Db, tenantId: string, webhookId: string): Promise<LogView> {
  const webhook = await getWebhook(db, tenantId, webhookId)
  return {
    tenantId,
    cursorContext: `replay/${tenantId}/${webhookId}`,
    after: webhook.registeredSequence,
    types: webhook.eventTypes,
    isChained: false,
  }
}

/** Nothing is claimed after the commit; what was claimed before ends. The lane cancels what is left of a
 * long backlog. Refuses `not_found`. */
export async function deleteWebhook(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  clock: Clock,
): Promise<void> {
  const lane = isId('whk', webhookId) && (await lockLane(tx, { tenantId, webhookId }))
  if (!lane || lane.state === 'deleted') throw unknownWebhook()
  await endWebhook(tx, lane, { from: ['active', 'disabled'], to: 'deleted', clock })
}

/** The caller has locked the lane. */
export async function disableWebhook(tx: Tx, lane: LaneName, now: Date): Promise<void> {
  await endWebhook(tx, lane, { from: ['active'], to: 'disabled', clock: () => now })
}

/** Cancels one batch only: every event of the tenant waits for the counter that is locked here. */
async function endWebhook(
  tx: Tx,
  { tenantId, webhookId }: LaneName,
  { clock, ...change }: Omit<StateChange, 'at'> & { clock: Clock },
): Promise<void> {
  tx.send(lockCounter({ tenantId }))
  const at = clock()
  await updateWebhookState(tx, tenantId, webhookId, { ...change, at })
  const cancelled = await cancelPending(tx, { tenantId, webhookId })
  if (cancelled < CANCEL_BATCH) return
  tx.send(lowerRetry({ tenantId, webhookId, at }))
  wakeAfterCommit(tx, { kind: 'deliveries', tenantId, webhookId })
}

export async function purgeWebhooks(db: Db, before: Date): Promise<number> {
  return await purgeTenants(db, (page) => deleteEndedWebhooks(db, before, page))
}

/** Unknown, deleted and another tenant's webhooks get the same answer. */
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
    createdAt: row.created_at,
    state: row.state === 'active' ? 'active' : 'disabled',
    consecutiveFailedAttempts: row.failures,
    registeredSequence: row.registered_sequence,
  }
}

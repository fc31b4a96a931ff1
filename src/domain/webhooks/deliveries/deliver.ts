import { randomUUID } from 'node:crypto'
import type { Sealer } from '../../../core/sealing.ts'
import { addMs, SECOND_MS } from '../../../core/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { DeliveryState } from '../../../db/schema/events.ts'
import { openSecret } from '../signing-secret.ts'
import type { DeliveryOutcome } from '../webhook-sender.ts'
import { clearDue, settleDue } from './due-queries.ts'
import {
  CANCEL_BATCH,
  type ClaimedRow,
  cancelPending,
  claimDue,
  type LaneRow,
  lockFreeLanes,
  lockLane,
  type WebhookName,
} from './lane-queries.ts'

export type LeasedDelivery = {
  tenantId: string
  webhookId: string
  eventId: string
  eventType: string
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

/** Time to start an attempt and record its outcome, beyond the attempt's deadline. */
const LEASE_MARGIN_MS = 3 * SECOND_MS

/** Until the transaction ends no one else disables, deletes, claims or records at this webhook, and
 * no one replaces the secret. */
export async function lockForDelivery(tx: Tx, webhook: WebhookName): Promise<LockedWebhook> {
  const row = await lockLane(tx, webhook)
  if (!row) throw new Error(`webhook ${webhook.webhookId} has deliveries but no row`)
  return toLocked(row)
}

/** Leaves out those that another transaction has locked. */
export async function lockFreeForDelivery(
  tx: Tx,
  webhooks: readonly WebhookName[],
): Promise<LockedWebhook[]> {
  return (await lockFreeLanes(tx, webhooks)).map(toLocked)
}

function toLocked(row: LaneRow): LockedWebhook {
  return {
    tenantId: row.tenant_id,
    webhookId: row.webhook_id,
    url: row.url,
    isActive: row.state === 'active',
    failedAttempts: row.consecutive_failed_attempts,
  }
}

/** Attempts must start before the transaction ends: then none starts after the commit of a deletion,
 * a disabling or another secret. An inactive webhook claims nothing. `now` is after the lock. */
export async function claimDeliveries(
  tx: Tx,
  webhooks: readonly (LockedWebhook & { limit: number })[],
  { deadlineMs, now, distributed }: { deadlineMs: number; now: Date; distributed: boolean },
  sealer: Sealer,
): Promise<LeasedDelivery[]> {
  const active = new Map(
    webhooks.filter(({ isActive }) => isActive).map((webhook) => [webhook.webhookId, webhook]),
  )
  if (active.size === 0) return []
  const lease = randomUUID()
  const leasedUntil = addMs(now, LEASE_MARGIN_MS + deadlineMs)
  const claim = { lease, now, until: leasedUntil, distributed }
  const rows = await claimDue(tx, [...active.values()], claim)
  const secretOf = createSecretReader(sealer)
  return rows.flatMap((row) => {
    const webhook = active.get(row.webhook_id)
    if (!webhook) return []
    const { tenantId, webhookId, url } = webhook
    const secret = secretOf(tenantId, row.sealed)
    return [{ ...toLeased(row), tenantId, webhookId, url, lease, leasedUntil, secret }]
  })
}

/** Opens each tenant's secret once. */
function createSecretReader(sealer: Sealer) {
  const opened = new Map<string, string>()
  return (tenantId: string, sealed: string | null): string | undefined => {
    if (sealed === null) return undefined
    const secret = opened.get(tenantId) ?? openSecret(sealed, tenantId, sealer)
    opened.set(tenantId, secret)
    return secret
  }
}

/** Returns whether there may be more. Batches are small so that the lock is soon free. */
export async function cancelSome(tx: Tx, webhook: LockedWebhook): Promise<boolean> {
  const { tenantId, webhookId, isActive } = webhook
  if (isActive) throw new Error(`webhook ${webhookId} is active`)
  const hasMore = (await cancelPending(tx, tenantId, webhookId)) === CANCEL_BATCH
  if (!hasMore) await clearDue(tx, tenantId, webhookId)
  return hasMore
}

export async function settle(tx: Tx, webhooks: readonly LockedWebhook[]): Promise<void> {
  const active = webhooks.filter(({ isActive }) => isActive)
  if (active.length > 0) await settleDue(tx, active)
}

function toLeased(row: ClaimedRow) {
  return {
    eventId: row.event_id,
    eventType: row.event_type,
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

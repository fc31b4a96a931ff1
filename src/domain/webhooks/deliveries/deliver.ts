import { randomUUID } from 'node:crypto'
import type { Sealer } from '../../../core/sealing.ts'
import { addMs, SECOND_MS } from '../../../core/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { DeliveryState } from '../../../db/schema/events.ts'
import { openSecret } from '../signing-secret.ts'
import type { DeliveryOutcome } from '../webhook-sender.ts'
import {
  type ClaimedRow,
  claimDue,
  claimFree,
  type Lease,
  writeLeases,
  writeLeasesLater,
} from './claim-queries.ts'
import { clearDue, settleDue } from './due-queries.ts'
import {
  CANCEL_BATCH,
  cancelPending,
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
  hasLease: boolean
  /** What it has until its lease is written. */
  leaseBefore: string | null
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

type Claiming = { deadlineMs: number; now: Date; leasesFirst?: boolean; distributed: boolean }

/** Attempts must start before the transaction ends: then none starts after the commit of a deletion,
 * a disabling or another secret. An inactive webhook claims nothing. `now` is after the lock. The caller
 * gives each its lease, or records it, in the same transaction, unless leases come first. */
export async function claimDeliveries(
  tx: Tx,
  webhooks: readonly (LockedWebhook & { limit: number })[],
  claiming: Claiming,
  sealer: Sealer,
): Promise<LeasedDelivery[]> {
  const active = webhooks.filter(({ isActive }) => isActive)
  if (active.length === 0) return []
  const rows = await claimDue(tx, active, claiming)
  return await toDeliveries(tx, rows, active, { ...claiming, sealer })
}

/** As lockFreeForDelivery and claimDeliveries, without a wait for the locks: `now` is before them. */
export async function lockAndClaim(
  tx: Tx,
  webhooks: readonly (WebhookName & { limit: number })[],
  claiming: Omit<Claiming, 'distributed'>,
  sealer: Sealer,
): Promise<{ webhooks: LockedWebhook[]; claimed: LeasedDelivery[] }> {
  const { lanes, claimed } = await claimFree(tx, webhooks, claiming.now)
  const locked = lanes.map(toLocked)
  const terms = { ...claiming, distributed: false, sealer }
  return { webhooks: locked, claimed: await toDeliveries(tx, claimed, locked, terms) }
}

/** Those that have none; sent with the next statement or COMMIT. */
export async function leaseDeliveries(
  tx: Tx,
  deliveries: readonly LeasedDelivery[],
): Promise<void> {
  const without = deliveries.filter(({ hasLease }) => !hasLease)
  await writeLeasesLater(tx, without)
}

/** Leases of a distributed database come first. One without an event has its lease at once, so that it
 * keeps no other from its turn. */
async function toDeliveries(
  tx: Tx,
  rows: readonly ClaimedRow[],
  webhooks: readonly LockedWebhook[],
  { deadlineMs, now, leasesFirst = false, distributed, sealer }: Claiming & { sealer: Sealer },
): Promise<LeasedDelivery[]> {
  const leasedUntil = addMs(now, LEASE_MARGIN_MS + deadlineMs)
  const term = { lease: randomUUID(), leasedUntil, hasLease: leasesFirst || distributed }
  const webhookOf = new Map(webhooks.map((webhook) => [webhook.webhookId, webhook]))
  const secretOf = createSecretReader(sealer)
  const lost: Lease[] = []
  const deliveries: LeasedDelivery[] = []
  for (const row of rows) {
    const claimed = { ...toClaimed(row), ...term }
    const webhook = webhookOf.get(row.webhook_id)
    if (!webhook || row.body === null) lost.push(claimed)
    else {
      const secret = secretOf(row.tenant_id, row.sealed)
      deliveries.push({ ...claimed, body: Buffer.from(row.body), url: webhook.url, secret })
    }
  }
  if (term.hasLease) await writeLeases(tx, [...lost, ...deliveries], distributed)
  else await writeLeasesLater(tx, lost)
  return deliveries
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

function toClaimed(row: ClaimedRow) {
  return {
    tenantId: row.tenant_id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    recordedAt: row.recorded_at,
    leaseBefore: row.lease,
    attempt: row.attempts + 1,
    failures: row.failures,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    requested: row.retry_requested,
    traceparent: row.traceparent ?? undefined,
    state: row.state,
  }
}

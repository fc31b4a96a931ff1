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
  sendLeases,
  writeLeases,
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

export type ClaimedDelivery = {
  tenantId: string
  webhookId: string
  eventId: string
  eventType: string
  recordedAt: Date
  /** Written when the claim's transaction ends at the latest, unless the attempt is recorded in it. */
  lease: string
  /** The claim has written it. */
  isLeasedByClaim: boolean
  /** The row's lease when it was claimed: one that ran out, or null. */
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
  delivery: ClaimedDelivery
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

/** `leasesFirst`: they are written before the claim returns. */
type Claiming = { deadlineMs: number; now: Date; leasesFirst?: boolean; distributed: boolean }

/** Attempts must start before the transaction ends: then none starts after the commit of a deletion,
 * a disabling or another secret. An inactive webhook claims nothing. `now` is after the lock. In the same
 * transaction the caller calls `leaseDeliveries`, or `recordTogether` with them as `unleased`. */
export async function claimDeliveries(
  tx: Tx,
  webhooks: readonly (LockedWebhook & { limit: number })[],
  claiming: Claiming,
  sealer: Sealer,
): Promise<ClaimedDelivery[]> {
  const active = webhooks.filter(({ isActive }) => isActive)
  if (active.length === 0) return []
  const rows = await claimDue(tx, active, claiming)
  return await openClaim(tx, rows, active, { ...claiming, sealer })
}

/** As lockFreeForDelivery and claimDeliveries, without a wait for the locks: `now` is before them. */
export async function lockAndClaim(
  tx: Tx,
  webhooks: readonly (WebhookName & { limit: number })[],
  claiming: Omit<Claiming, 'distributed'>,
  sealer: Sealer,
): Promise<{ webhooks: LockedWebhook[]; claimed: ClaimedDelivery[] }> {
  const { lanes, claimed } = await claimFree(tx, webhooks, claiming.now)
  const locked = lanes.map(toLocked)
  const terms = { ...claiming, distributed: false, sealer }
  return { webhooks: locked, claimed: await openClaim(tx, claimed, locked, terms) }
}

/** Writes the leases that the claim has not. */
export function leaseDeliveries(tx: Tx, deliveries: readonly ClaimedDelivery[]): void {
  const without = deliveries.filter(({ isLeasedByClaim }) => !isLeasedByClaim)
  sendLeases(tx, without)
}

/** Writes leases that come first, as all of a distributed database do. A delivery without an event is
 * always leased, so that it does not fill each claim. */
async function openClaim(
  tx: Tx,
  rows: readonly ClaimedRow[],
  webhooks: readonly LockedWebhook[],
  { deadlineMs, now, leasesFirst = false, distributed, sealer }: Claiming & { sealer: Sealer },
): Promise<ClaimedDelivery[]> {
  const leasedUntil = addMs(now, LEASE_MARGIN_MS + deadlineMs)
  const term = { lease: randomUUID(), leasedUntil, isLeasedByClaim: leasesFirst || distributed }
  const webhookOf = new Map(webhooks.map((webhook) => [webhook.webhookId, webhook]))
  const secretOf = createSecretReader(sealer)
  const lost: Lease[] = []
  const deliveries: ClaimedDelivery[] = []
  for (const row of rows) {
    const claimed = { ...toClaimed(row), ...term }
    const webhook = webhookOf.get(row.webhook_id)
    if (!webhook || row.body === null) lost.push(claimed)
    else {
      const secret = secretOf(row.tenant_id, row.sealed)
      deliveries.push({ ...claimed, body: Buffer.from(row.body), url: webhook.url, secret })
    }
  }
  if (term.isLeasedByClaim) await writeLeases(tx, [...lost, ...deliveries], distributed)
  else sendLeases(tx, lost)
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

export function settle(tx: Tx, webhooks: readonly LockedWebhook[]): void {
  const active = webhooks.filter(({ isActive }) => isActive)
  if (active.length > 0) settleDue(tx, active)
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

import { type RawBuilder, sql } from 'kysely'
import { MOST_SKEW_MS } from '../../../core/ids.ts'
import { addMs } from '../../../core/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { DeliveryState } from '../../../db/schema/events.ts'
import { ownTenant } from '../../../db/tenant-scope.ts'
import { builtOnce } from '../../../db/transactions/built-once.ts'
import { execute } from '../../../db/transactions/execute.ts'
import {
  ACTIVE_LANES,
  column,
  type LaneNames,
  type LaneRow,
  lockFreeLanesFirst,
  type WebhookName,
} from './lane-queries.ts'

export type ClaimedRow = {
  tenant_id: string
  webhook_id: string
  event_id: string
  event_type: string
  recorded_at: Date
  attempts: number
  failures: number
  state: DeliveryState
  next_attempt_at: Date | null
  retry_requested: boolean
  /** One that ran out without a record, or null. */
  lease: string | null
  /** Null: there is no such event. */
  body: string | null
  traceparent: string | null
  sealed: string | null
}

export type MayClaim = WebhookName & { limit: number }

/** The caller holds the webhooks' locks, under which no one else claims, and whose settings leave one way
 * to each row: by its key. What it neither leases nor records in the same transaction stays due. */
export async function claimDue(
  tx: Tx,
  webhooks: readonly MayClaim[],
  { now, distributed }: { now: Date; distributed: boolean },
): Promise<readonly ClaimedRow[]> {
  const listed = { ...listOf(webhooks), ...timesOf(now) }
  if (!distributed) return await execute(tx, selectDueOfListed(listed))
  return (await selectDue(listed, ownTenant(webhooks), sql``).execute(tx)).rows
}

/** Locks those that are free, and claims of those among them that are active: two statements, so that
 * the claim sees all that was committed before the locks, and one round trip. */
export async function claimFree(
  tx: Tx,
  webhooks: readonly MayClaim[],
  now: Date,
): Promise<{ lanes: readonly LaneRow[]; claimed: readonly ClaimedRow[] }> {
  // @one server: many tenants at once; a distributed database has lockFreeLanes and claimDue.
  const { limits, ...names } = listOf(webhooks)
  const [lanes, claimed] = await Promise.all([
    execute(tx, lockFreeLanesFirst(names)),
    execute(tx, selectDueOfActive({ ...names, limits, ...timesOf(now) })),
  ])
  return { lanes, claimed }
}

type Listed = LaneNames & { limits: readonly number[]; now: Date; latest: Date }

const tenantOf = (table: string) => sql.ref<string>(`${table}.tenant_id`)

// @one server: many tenants at once; a distributed database names its tenant in each part.
const selectDueOfListed = builtOnce((_tx, listed: Listed) => selectDue(listed, tenantOf, sql``))

const selectDueOfActive = builtOnce((_tx, listed: Listed) =>
  selectDue(
    listed,
    tenantOf,
    sql`WHERE wanted.webhook_id = ANY ((SELECT ${ACTIVE_LANES})::text[])`,
  ),
)

const timesOf = (now: Date) => ({ now, latest: addMs(now, MOST_SKEW_MS) })

const listOf = (webhooks: readonly MayClaim[]) => ({
  tenantIds: webhooks.map(({ tenantId }) => tenantId),
  webhookIds: webhooks.map(({ webhookId }) => webhookId),
  limits: webhooks.map(({ limit }) => limit),
})

/** A first attempt is due once its event is recorded, though this process's clock may be a little behind
 * the one that recorded it. */
const selectDue = (
  { tenantIds, webhookIds, limits, now, latest }: Listed,
  tenantIn: (table: string) => RawBuilder<string>,
  whereWanted: RawBuilder<unknown>,
) => sql<ClaimedRow>`
    SELECT due.*, e.body, e.traceparent, s.sealed
    FROM unnest(${tenantIds}::text[], ${webhookIds}::text[], ${limits}::int[])
      AS wanted (tenant_id, webhook_id, most)
    CROSS JOIN LATERAL (
      SELECT greatest(${now}, CASE WHEN last_recorded_at <= ${latest} THEN last_recorded_at END) AS time
      FROM tenant_counters WHERE tenant_id = ${tenantIn('wanted')}
    ) now
    CROSS JOIN LATERAL (
      SELECT tenant_id, webhook_id, event_id, event_type, recorded_at, sequence, attempts, failures, state,
             next_attempt_at, retry_requested, lease
      FROM deliveries
      WHERE tenant_id = ${tenantIn('wanted')} AND webhook_id = wanted.webhook_id
        AND due_at <= now.time AND (due_at <= ${now} OR (attempts = 0 AND lease IS NULL))
      ORDER BY due_at LIMIT wanted.most
    ) due
    LEFT JOIN LATERAL (
      SELECT body, traceparent FROM events
      WHERE tenant_id = ${tenantIn('due')} AND event_id = due.event_id
        AND recorded_at = due.recorded_at
      LIMIT 1
    ) e ON true
    LEFT JOIN signing_secrets s ON s.tenant_id = ${tenantIn('due')}
    ${whereWanted}
    ORDER BY due.sequence
  `

export type Lease = WebhookName & {
  eventId: string
  recordedAt: Date
  lease: string
  leasedUntil: Date
}

type Leases = ReturnType<typeof columnsOf>

const columnsOf = (leases: readonly Lease[]) => ({
  tenantIds: column(leases, (l) => l.tenantId),
  webhookIds: column(leases, (l) => l.webhookId),
  eventIds: column(leases, (l) => l.eventId),
  recordedAts: column(leases, (l) => l.recordedAt),
  leases: column(leases, (l) => l.lease),
  untils: column(leases, (l) => l.leasedUntil),
})

/** Call it in the claim's transaction: its locks alone guard the rows. */
export async function writeLeases(
  tx: Tx,
  leases: readonly Lease[],
  distributed: boolean,
): Promise<void> {
  if (leases.length === 0) return
  if (distributed) await updateLeases(columnsOf(leases), ownTenant(leases)('given')).execute(tx)
  else await execute(tx, write(columnsOf(leases)))
}

/** The same, without waiting. */
export function sendLeases(tx: Tx, leases: readonly Lease[]): void {
  // @one server: many tenants at once; a distributed database has writeLeases.
  if (leases.length > 0) tx.send(write(columnsOf(leases)))
}

const write = builtOnce((_tx, leases: Leases) => updateLeases(leases, tenantOf('given')))

const updateLeases = (of: Leases, tenant: RawBuilder<string>) => sql<never>`
    UPDATE deliveries d SET lease = given.lease, due_at = given.until
    FROM unnest(${of.tenantIds}::text[], ${of.webhookIds}::text[], ${of.eventIds}::text[],
                ${of.recordedAts}::timestamptz[], ${of.leases}::uuid[], ${of.untils}::timestamptz[])
      AS given (tenant_id, webhook_id, event_id, recorded_at, lease, until)
    WHERE d.tenant_id = ${tenant} AND d.webhook_id = given.webhook_id
      AND d.event_id = given.event_id AND d.recorded_at = given.recorded_at
  `

import { type RawBuilder, sql } from 'kysely'
import { MOST_SKEW_MS } from '../../../core/ids.ts'
import { addMs } from '../../../core/time.ts'
import { builtOnce } from '../../../db/built-once.ts'
import type { Tx } from '../../../db/database.ts'
import { WITH_NEXT } from '../../../db/known-statements.ts'
import { rowsBefore } from '../../../db/prepared-query.ts'
import type { DeliveryState } from '../../../db/schema/events.ts'
import { ownTenant } from '../../../db/tenant-scope.ts'
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
  /** Null: there is no such event. */
  body: string | null
  traceparent: string | null
  sealed: string | null
}

export type MayClaim = WebhookName & { limit: number }

/** `leasesFirst`: they are written when the claim returns. */
export type Claim = {
  lease: string
  now: Date
  until: Date
  leasesFirst: boolean
  distributed: boolean
}

/** The caller holds the webhooks' locks, under which no one else claims, and whose settings leave one way
 * to each row: by its key. Returns what is due before its leases are written, so that the attempts need
 * not wait for that: they are sent with the next statement or COMMIT. Leases of a distributed database
 * always come first. */
export async function claimDue(
  tx: Tx,
  webhooks: readonly MayClaim[],
  { distributed, ...claim }: Claim,
): Promise<readonly ClaimedRow[]> {
  const listed = { ...listOf(webhooks), ...timesOf(claim) }
  if (!distributed) {
    const rows = await selectDueOfListed(tx, listed)
    await leaseRows(tx, rows, claim)
    return rows
  }
  const tenantIn = ownTenant(webhooks)
  const { rows } = await selectDue(listed, tenantIn, sql``).execute(tx)
  if (rows.length > 0) await updateLeases(leasesOf(rows, claim), tenantIn('claimed')).execute(tx)
  return rows
}

/** Locks those that are free, and claims of those among them that are active: two statements, so that
 * the claim sees all that was committed before the locks, and one round trip. */
export async function claimFree(
  tx: Tx,
  webhooks: readonly MayClaim[],
  claim: Omit<Claim, 'distributed'>,
): Promise<{ lanes: readonly LaneRow[]; claimed: readonly ClaimedRow[] }> {
  // @one server: many tenants at once; a distributed database has lockFreeLanes and claimDue.
  const { limits, ...names } = listOf(webhooks)
  await lockFreeLanesFirst(tx, names)
  const claimed = await selectDueOfActive(tx, { ...names, limits, ...timesOf(claim) })
  const [lanes = []] = rowsBefore<LaneRow>(claimed)
  await leaseRows(tx, claimed, claim)
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

const timesOf = ({ now }: Pick<Claim, 'now'>) => ({ now, latest: addMs(now, MOST_SKEW_MS) })

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
             next_attempt_at, retry_requested
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

type Leases = ReturnType<typeof leasesOf>

const leasesOf = (
  rows: readonly ClaimedRow[],
  { lease, until }: Pick<Claim, 'lease' | 'until'>,
) => ({
  tenantIds: column(rows, (row) => row.tenant_id),
  webhookIds: column(rows, (row) => row.webhook_id),
  eventIds: column(rows, (row) => row.event_id),
  recordedAts: column(rows, (row) => row.recorded_at),
  lease,
  until,
})

async function leaseRows(
  tx: Tx,
  rows: readonly ClaimedRow[],
  claim: Omit<Claim, 'distributed'>,
): Promise<void> {
  if (rows.length === 0) return
  const write = claim.leasesFirst ? writeLeases : writeLeasesLater
  await write(tx, leasesOf(rows, claim))
}

const writeLeases = builtOnce((_tx, leases: Leases) => updateLeases(leases, tenantOf('claimed')))

const writeLeasesLater = builtOnce(
  (_tx, leases: Leases) => sql<never>`
    ${sql.raw(WITH_NEXT)} ${updateLeases(leases, tenantOf('claimed'))}`,
)

const updateLeases = (
  { tenantIds, webhookIds, eventIds, recordedAts, lease, until }: Leases,
  tenant: RawBuilder<string>,
) => sql<never>`
    UPDATE deliveries d SET lease = ${lease}, due_at = ${until}
    FROM unnest(${tenantIds}::text[], ${webhookIds}::text[], ${eventIds}::text[],
                ${recordedAts}::timestamptz[])
      AS claimed (tenant_id, webhook_id, event_id, recorded_at)
    WHERE d.tenant_id = ${tenant} AND d.webhook_id = claimed.webhook_id
      AND d.event_id = claimed.event_id AND d.recorded_at = claimed.recorded_at
  `

import { type RawBuilder, sql } from 'kysely'
import { builtOnce } from '../../../db/built-once.ts'
import type { Tx } from '../../../db/database.ts'
import { rowsBefore } from '../../../db/prepared-query.ts'
import type { DeliveryState } from '../../../db/schema/events.ts'
import { ownTenant } from '../../../db/tenant-scope.ts'
import {
  ACTIVE_LANES,
  type LaneNames,
  type LaneRow,
  lockFreeLanesFirst,
  type WebhookName,
} from './lane-queries.ts'

export type ClaimedRow = {
  webhook_id: string
  event_id: string
  event_type: string
  recorded_at: Date
  attempts: number
  failures: number
  state: DeliveryState
  next_attempt_at: Date | null
  retry_requested: boolean
  body: string
  traceparent: string | null
  sealed: string | null
}

export type MayClaim = WebhookName & { limit: number }

export type Claim = { lease: string; now: Date; until: Date; distributed: boolean }

/** The caller holds the webhooks' locks, whose settings leave one way to each row: by its key. */
export async function claimDue(
  tx: Tx,
  webhooks: readonly MayClaim[],
  { distributed, ...claim }: Claim,
): Promise<readonly ClaimedRow[]> {
  const tenantIn = ownTenant(webhooks)
  const { rows } = await claimListed({ ...listOf(webhooks), ...claim }, tenantIn, {
    whereWanted: sql``,
    whereDue: distributed ? sql`AND d.tenant_id = ${tenantIn('due')}` : sql``,
  }).execute(tx)
  return rows
}

/** Locks those that are free, and claims of those among them that are active: two statements, so that
 * the claim sees all that was committed before the locks, and one round trip. */
export async function claimFree(
  tx: Tx,
  webhooks: readonly MayClaim[],
  { lease, now, until }: Omit<Claim, 'distributed'>,
): Promise<{ lanes: readonly LaneRow[]; claimed: readonly ClaimedRow[] }> {
  // @one server: many tenants at once; a distributed database has lockFreeLanes and claimDue.
  const { limits, ...names } = listOf(webhooks)
  await lockFreeLanesFirst(tx, names)
  const claimed = await claimOfActive(tx, { ...names, limits, lease, now, until })
  const [lanes = []] = rowsBefore<LaneRow>(claimed)
  return { lanes, claimed }
}

type Listed = LaneNames & { limits: readonly number[] } & Omit<Claim, 'distributed'>

const claimOfActive = builtOnce((_tx, listed: Listed) =>
  claimListed(listed, (table) => sql.ref(`${table}.tenant_id`), {
    whereWanted: sql`WHERE wanted.webhook_id = ANY ((SELECT ${ACTIVE_LANES})::text[])`,
    whereDue: sql``,
  }),
)

const listOf = (webhooks: readonly MayClaim[]) => ({
  tenantIds: webhooks.map(({ tenantId }) => tenantId),
  webhookIds: webhooks.map(({ webhookId }) => webhookId),
  limits: webhooks.map(({ limit }) => limit),
})

const claimListed = (
  { tenantIds, webhookIds, limits, lease, now, until }: Listed,
  tenantIn: (table: string) => RawBuilder<string>,
  { whereWanted, whereDue }: Record<'whereWanted' | 'whereDue', RawBuilder<unknown>>,
) => sql<ClaimedRow>`
    WITH due AS MATERIALIZED (
      SELECT d.* FROM unnest(${tenantIds}::text[], ${webhookIds}::text[], ${limits}::int[])
        AS wanted (tenant_id, webhook_id, most)
      CROSS JOIN LATERAL (
        SELECT tenant_id, webhook_id, event_id, recorded_at FROM deliveries
        WHERE tenant_id = ${tenantIn('wanted')} AND webhook_id = wanted.webhook_id
          AND due_at <= ${now}
        ORDER BY due_at LIMIT wanted.most
      ) d
      ${whereWanted}
    ), claimed AS (
      UPDATE deliveries d SET lease = ${lease}, due_at = ${until}
      FROM due
      WHERE d.tenant_id = due.tenant_id AND d.webhook_id = due.webhook_id
        AND d.event_id = due.event_id AND d.recorded_at = due.recorded_at
        ${whereDue}
      RETURNING d.tenant_id, d.webhook_id, d.event_id, d.event_type, d.recorded_at, d.sequence, d.attempts,
                d.failures, d.state, d.next_attempt_at, d.retry_requested
    )
    SELECT claimed.*, e.body, e.traceparent, s.sealed FROM claimed
    CROSS JOIN LATERAL (
      SELECT body, traceparent FROM events
      WHERE tenant_id = ${tenantIn('claimed')} AND event_id = claimed.event_id
        AND recorded_at = claimed.recorded_at
      LIMIT 1
    ) e
    LEFT JOIN signing_secrets s ON s.tenant_id = ${tenantIn('claimed')}
    ORDER BY claimed.sequence
  `

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export type TroubledWebhookRow = {
  tenant_id: string
  name: string
  webhook_id: string
  url: string
  state: 'active' | 'disabled'
  failures: number
  disabled_at: Date | null
  oldest_due_at: Date | null
  last_started_at: Date | null
  last_status: number | null
  last_error: string | null
}

export type Trouble = 'failing' | 'disabled'

/** A literal, so that the plan for any parameters has the index of those registered. */
const IN_TROUBLE: Record<Trouble | 'any', RawBuilder<boolean>> = {
  failing: sql`w.state = 'active' AND l.failures > 0`,
  disabled: sql`w.state = 'disabled'`,
  any: sql`(w.state = 'disabled' OR w.state = 'active' AND l.failures > 0)`,
}

/** By tenant. With the last attempt and the oldest delivery that is due. */
export async function selectTroubledWebhooks(
  db: Db,
  filter: { tenantId: string | undefined; trouble: Trouble | undefined; failures: number },
  { after, limit }: { after: readonly string[] | undefined; limit: number },
  now: Date,
): Promise<TroubledWebhookRow[]> {
  const { tenantId, trouble, failures } = filter
  const ofTenant = tenantId === undefined ? sql`` : sql`AND w.tenant_id = ${tenantId}`
  const later = after ? sql`AND (w.tenant_id, w.webhook_id) > (${after[0]}, ${after[1]})` : sql``
  // @plan reads webhooks, lanes, deliveries, delivery_attempts: all that are registered, a few a tenant; and
  // of a page's webhooks the last attempt.
  // @across tenants: one list of all, and colocated details of its page.
  const { rows: page } = await sql<{ tenant_id: string; webhook_id: string }>`
    SELECT w.tenant_id, w.webhook_id FROM webhooks w
    JOIN lanes l ON l.tenant_id = w.tenant_id AND l.webhook_id = w.webhook_id
    WHERE w.state <> 'deleted' AND ${IN_TROUBLE[trouble ?? 'any']} ${ofTenant} ${later}
      AND (w.state = 'disabled' OR l.failures >= ${failures})
    ORDER BY w.tenant_id, w.webhook_id LIMIT ${limit}`.execute(db)
  const { rows } = await sql<TroubledWebhookRow>`
    SELECT w.tenant_id, t.name, w.webhook_id, w.url, w.state, l.failures, w.disabled_at,
           least(due.due_at, first.recorded_at) AS oldest_due_at, last.started_at AS last_started_at,
           last.status AS last_status, last.error AS last_error
    FROM webhooks w JOIN tenants t ON t.tenant_id = w.tenant_id
    JOIN lanes l ON l.tenant_id = w.tenant_id AND l.webhook_id = w.webhook_id
    LEFT JOIN LATERAL (
      SELECT d.due_at FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND d.due_at <= ${now}
      ORDER BY d.due_at LIMIT 1) due ON true
    LEFT JOIN LATERAL (
      SELECT d.recorded_at FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND d.listed_as IS NULL
        AND d.sequence > l.seen AND d.state = 'pending'
      ORDER BY d.sequence LIMIT 1) first ON true
    LEFT JOIN LATERAL (
      SELECT a.started_at, a.status, a.error FROM delivery_attempts a
      WHERE a.tenant_id = w.tenant_id AND a.webhook_id = w.webhook_id AND a.started_at IS NOT NULL
      ORDER BY a.started_at DESC LIMIT 1) last ON true
    WHERE w.tenant_id = ANY (${[...new Set(page.map((one) => one.tenant_id))]}::text[])
      AND w.webhook_id = ANY (${page.map((one) => one.webhook_id)}::text[])
    ORDER BY w.tenant_id, w.webhook_id`.execute(db)
  return rows
}

export async function countTroubledWebhooks(
  db: Db,
  failures: number,
): Promise<{ failing: number; disabled: number }> {
  // @across tenants: a measure of all.
  // @plan reads webhooks, lanes: all that are registered, a few a tenant.
  const { rows } = await sql<{ failing: number; disabled: number }>`
    SELECT count(*) FILTER (
             WHERE w.state = 'active' AND l.failures >= ${failures})::int AS failing,
           count(*) FILTER (WHERE w.state = 'disabled')::int AS disabled
    FROM webhooks w JOIN lanes l ON l.tenant_id = w.tenant_id AND l.webhook_id = w.webhook_id
    WHERE w.state <> 'deleted'`.execute(db)
  return rows[0] ?? { failing: 0, disabled: 0 }
}

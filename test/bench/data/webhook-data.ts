import { sql } from 'kysely'
import { newId } from '../../../src/core/ids.ts'
import { createSealer } from '../../../src/core/sealing.ts'
import { type Db, inTransaction, type Tx } from '../../../src/db/database.ts'
import { execute } from '../../../src/db/transactions/execute.ts'
import { insertMissing } from '../../../src/domain/deliveries/lane-queries.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import { ENCRYPTION_KEY } from '../bench.ts'

/** A tenant with a signing secret and `count` active webhooks that want every event, at this local port. */
export async function seedWebhooks(
  db: Db,
  port: number,
  count: number,
): Promise<{ tenantId: string; webhookIds: string[] }> {
  return await inTransaction(db, async (tx) => {
    const { id: tenantId } = await createTenant(tx, 'Bench', new Date())
    await createSigningSecret(tx, tenantId, createSealer([ENCRYPTION_KEY]), () => new Date())
    return { tenantId, webhookIds: await addWebhooks(tx, tenantId, port, count) }
  })
}

/** The same for a tenant that is there. */
export async function addWebhooks(
  tx: Tx,
  tenantId: string,
  port: number,
  count: number,
  host = '127.0.0.1',
): Promise<string[]> {
  const webhookIds = Array.from({ length: count }, () => newId('whk'))
  await sql`
    INSERT INTO webhooks (tenant_id, webhook_id, url, event_types, state, registered_sequence,
                          created_at)
    SELECT ${tenantId}, id, ${`http://${host}:${port}/`}, '{}', 'active', 0, ${new Date()}
    FROM unnest(${webhookIds}::text[]) AS id`.execute(tx)
  await execute(tx, insertMissing({ tenantId }))
  return webhookIds
}

/**
 * Writes `count` events with one delivery each, dealt out over the webhooks, the last `due` of them
 * pending and due now and the others long delivered. Their instants are spread evenly over the
 * `days` until `until`, in whole milliseconds as the service's are: by these a worker finds what it
 * records. Numbers follow those the tenant has.
 */
export async function writeEvents(
  db: Db,
  to: { tenantId: string; webhookIds: readonly string[] },
  { count, due, body, days, until }: EventBatch,
): Promise<void> {
  const { tenantId, webhookIds } = to
  await inTransaction(db, async (tx) => {
    tx.limitStatements(0)
    const { rows } = await sql<{ last: bigint }>`
      UPDATE tenant_counters SET last_sequence = last_sequence + ${count}::bigint
      WHERE tenant_id = ${tenantId} RETURNING last_sequence AS last`.execute(tx)
    const last = rows[0]?.last ?? 0n
    // The commonest type takes 9 of 10, as price moves do in production.
    await sql`
      INSERT INTO events (tenant_id, event_id, sequence, type, resource_type, resource_id,
                          resource_version, occurred_at, recorded_at, body, previous_hash, hash)
      SELECT ${tenantId}, 'evt_' || lpad(n::text, 26, '0'), n,
             CASE WHEN n % 10 = 0 THEN 'margin_warning.raised' ELSE 'facility.floor_updated' END,
             'facility', 'fac_' || n % 1000, n, at, at, ${body}, sha256(int8send(n - 1)), sha256(int8send(n))
      FROM (SELECT n, date_trunc('milliseconds', ${until}::timestamptz
                      - make_interval(secs => (${last}::bigint - n) * ${days * 86_400}::float8 / ${count}::float8)) AS at
            FROM generate_series(${last}::bigint - ${count}::bigint + 1, ${last}::bigint) AS n) AS numbered
    `.execute(tx)
    await sql`
      INSERT INTO deliveries (tenant_id, webhook_id, event_id, recorded_at, sequence, event_type,
                              state, attempts)
      SELECT tenant_id, (${[...webhookIds]}::text[])[sequence % ${webhookIds.length}::int + 1], event_id,
             recorded_at, sequence, type,
             CASE WHEN is_due THEN 'pending' ELSE 'delivered' END,
             CASE WHEN is_due THEN 0 ELSE 1 END
      FROM (SELECT *, sequence > ${last}::bigint - ${due}::bigint AS is_due FROM events
            WHERE tenant_id = ${tenantId} AND sequence > ${last}::bigint - ${count}::bigint) AS event
    `.execute(tx)
    await sql`
      UPDATE lanes SET seen = ${last}::bigint - ${due}::bigint
      WHERE tenant_id = ${tenantId}`.execute(tx)
  })
}

export type EventBatch = { count: number; due: number; body: string; days: number; until: Date }

/** An event envelope of about `bytes` bytes. */
export function eventBody(bytes: number): string {
  const envelope = (note: string) =>
    JSON.stringify({ id: 'evt_0', type: 'facility.floor_updated', data: { note } })
  return envelope('x'.repeat(bytes - envelope('').length))
}

/** Whether a delivery of these tenants is still to be recorded. */
export async function isWaiting(db: Db, tenantIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM lanes l WHERE tenant_id = ANY (${[...tenantIds]}::text[]) AND (
      lease IS NOT NULL OR retry_at IS NOT NULL OR EXISTS (
        SELECT FROM deliveries d WHERE d.tenant_id = l.tenant_id AND d.webhook_id = l.webhook_id
          AND d.listed_as IS NULL AND d.sequence > l.seen AND d.state = 'pending'))
    LIMIT 1`.execute(db)
  return rows.length > 0
}

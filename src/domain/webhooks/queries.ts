import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { inScope, scopeOf, type TenantScope } from '../../db/tenant-scope.ts'

export async function insertWebhook(
  tx: Tx,
  webhook: {
    tenantId: string
    webhookId: string
    url: string
    eventTypes: readonly string[]
    label: string | undefined
    registeredSequence: bigint
    createdAt: Date
  },
): Promise<void> {
  await tx
    .insertInto('webhooks')
    .values({
      tenant_id: webhook.tenantId,
      webhook_id: webhook.webhookId,
      url: webhook.url,
      event_types: [...webhook.eventTypes],
      label: webhook.label ?? null,
      state: 'active',
      registered_sequence: webhook.registeredSequence,
      created_at: webhook.createdAt,
    })
    .execute()
  await tx
    .insertInto('webhook_dues')
    .values({ tenant_id: webhook.tenantId, webhook_id: webhook.webhookId, due_at: null })
    .execute()
}

// Literals, not parameters: a generic plan could not use partial indexes.
const IS_REGISTERED = sql<boolean>`state <> 'deleted'`
const IS_ACTIVE = sql<boolean>`state = 'active'`

export async function countDisabled(db: Db): Promise<number> {
  // @across tenants: a measure of all.
  // @plan reads webhooks: a tenant has at most twenty.
  const { rows } = await sql<{ disabled: number }>`
    SELECT count(*)::int AS disabled FROM webhooks WHERE state = 'disabled'`.execute(db)
  return rows[0]?.disabled ?? 0
}

export async function selectWebhooks(db: Db, tenantId: string) {
  return await db
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(IS_REGISTERED)
    .orderBy('created_at', 'desc')
    .orderBy('webhook_id', 'desc')
    .execute()
}

export async function selectWebhook(db: Db, tenantId: string, webhookId: string) {
  return await db
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where(IS_REGISTERED)
    .executeTakeFirst()
}

/** In any state. NO KEY allows inserts of deliveries that refer to it. */
export async function lockWebhook(tx: Tx, tenantId: string, webhookId: string) {
  return await tx
    .selectFrom('webhooks')
    .select(['state', 'url', 'consecutive_failed_attempts'])
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function selectActiveWebhooks(db: Db, tenantId: string): Promise<string[]> {
  const rows = await activeWebhooks(db, tenantId).execute()
  return rows.map((row) => row.webhook_id)
}

export async function lockActiveWebhooks(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await activeWebhooks(tx, tenantId).forNoKeyUpdate().execute()
  return rows.map((row) => row.webhook_id)
}

function activeWebhooks(db: Db, tenantId: string) {
  return db
    .selectFrom('webhooks')
    .select('webhook_id')
    .where('tenant_id', '=', tenantId)
    .where(IS_ACTIVE)
    .orderBy('webhook_id')
}

export async function deleteEndedWebhooks(
  db: Db,
  before: Date,
  { tenantId, limit }: { tenantId: TenantScope; limit: number },
): Promise<number> {
  // @one server: deletes by age, whichever tenants have them.
  // @plan reads webhooks, webhook_dues, deliveries: once a day, all that were deleted are looked up.
  const { rows } = await sql<{ deleted: bigint }>`
    WITH ended AS MATERIALIZED (
      SELECT tenant_id, webhook_id FROM webhooks w
      WHERE ${inScope(tenantId, 'w.tenant_id')} AND deleted_at < ${before} AND state = 'deleted'
        AND NOT EXISTS (SELECT FROM deliveries d
          WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id)
      ORDER BY deleted_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), due AS (
      DELETE FROM webhook_dues
      WHERE ${inScope(tenantId)} AND (tenant_id, webhook_id) IN (SELECT * FROM ended)
    ), gone AS (
      DELETE FROM webhooks
      WHERE ${inScope(tenantId)} AND (tenant_id, webhook_id) IN (SELECT * FROM ended) RETURNING 1
    )
    SELECT count(*) AS deleted FROM gone`.execute(db)
  return Number(rows[0]?.deleted)
}

export async function updateWebhookState(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  change: { from: readonly ('active' | 'disabled')[]; to: 'disabled' | 'deleted'; at: Date },
): Promise<void> {
  const stamp = change.to === 'deleted' ? { deleted_at: change.at } : { disabled_at: change.at }
  const result = await tx
    .updateTable('webhooks')
    .set({ state: change.to, ...stamp })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('state', 'in', change.from)
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) throw new Error(`webhook ${webhookId} changed under its lock`)
}

/** The caller holds the webhooks' locks. */
export async function updateFailureCounters(
  tx: Tx,
  counters: readonly { tenantId: string; webhookId: string; failedAttempts: number }[],
): Promise<void> {
  // @one server: a pass over the deliveries of several tenants.
  await sql`
    UPDATE webhooks w SET consecutive_failed_attempts = counter.failed
    FROM unnest(${counters.map((one) => one.tenantId)}::text[],
                ${counters.map((one) => one.webhookId)}::text[],
                ${counters.map((one) => one.failedAttempts)}::int[])
      AS counter (tenant_id, webhook_id, failed)
    WHERE w.tenant_id = counter.tenant_id AND w.webhook_id = counter.webhook_id
      AND ${inScope(scopeOf(counters), 'w.tenant_id')}`.execute(tx)
}

export async function upsertSecret(
  tx: Tx,
  tenantId: string,
  secret: { secretId: string; sealed: string; createdAt: Date },
): Promise<void> {
  const row = { secret_id: secret.secretId, sealed: secret.sealed, created_at: secret.createdAt }
  await tx
    .insertInto('signing_secrets')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute()
}

export async function selectSecret(db: Db, tenantId: string) {
  return await db
    .selectFrom('signing_secrets')
    .select(['secret_id', 'sealed'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
}

export async function lockSecretsOfOtherKeys(
  tx: Tx,
  keyId: string,
  page: { tenantId: TenantScope; after: string; limit: number },
) {
  // @one server: pages go from tenant to tenant.
  return await tx
    .selectFrom('signing_secrets')
    .select(['tenant_id', 'sealed'])
    .where(inScope(page.tenantId))
    .where('tenant_id', '>', page.after)
    .where(sql`split_part(sealed, '.', 1)`, '<>', keyId)
    .orderBy('tenant_id')
    .limit(page.limit)
    .forUpdate()
    .execute()
}

export async function updateSealedSecret(tx: Tx, tenantId: string, sealed: string): Promise<void> {
  await tx
    .updateTable('signing_secrets')
    .set({ sealed })
    .where('tenant_id', '=', tenantId)
    .execute()
}

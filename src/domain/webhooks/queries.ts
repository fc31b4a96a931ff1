import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { inScope, type TenantScope } from '../../db/tenant-scope.ts'

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
}

// Literals, not parameters: a generic plan could not use partial indexes.
const IS_REGISTERED = sql<boolean>`w.state <> 'deleted'`
const IS_ACTIVE = sql<boolean>`state = 'active'`

export async function countDisabled(db: Db): Promise<number> {
  // @across tenants: a measure of all.
  // @plan reads webhooks: a tenant has at most twenty.
  const { rows } = await sql<{ disabled: number }>`
    SELECT count(*)::int AS disabled FROM webhooks WHERE state = 'disabled'`.execute(db)
  return rows[0]?.disabled ?? 0
}

export async function selectWebhooks(db: Db, tenantId: string) {
  return await registered(db, tenantId)
    .orderBy('w.created_at', 'desc')
    .orderBy('w.webhook_id', 'desc')
    .execute()
}

export async function selectWebhook(db: Db, tenantId: string, webhookId: string) {
  return await registered(db, tenantId).where('w.webhook_id', '=', webhookId).executeTakeFirst()
}

function registered(db: Db, tenantId: string) {
  return db
    .selectFrom('webhooks as w')
    .leftJoin('lanes as l', (join) =>
      join.on('l.tenant_id', '=', tenantId).onRef('l.webhook_id', '=', 'w.webhook_id'),
    )
    .selectAll('w')
    .select(({ fn, val }) => fn.coalesce('l.failures', val(0)).as('failures'))
    .where('w.tenant_id', '=', tenantId)
    .where(IS_REGISTERED)
}

export async function selectActiveWebhooks(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select('webhook_id')
    .where('tenant_id', '=', tenantId)
    .where(IS_ACTIVE)
    .execute()
  return rows.map((row) => row.webhook_id)
}

export async function deleteEndedWebhooks(
  db: Db,
  before: Date,
  { tenantId, limit }: { tenantId: TenantScope; limit: number },
): Promise<number> {
  // @one server: deletes by age, whichever tenants have them.
  // @plan reads webhooks, deliveries: once a day, all that were deleted are looked up.
  const { rows } = await sql<{ deleted: bigint }>`
    WITH ended AS MATERIALIZED (
      SELECT tenant_id, webhook_id FROM webhooks w
      WHERE ${inScope(tenantId, 'w.tenant_id')} AND deleted_at < ${before} AND state = 'deleted'
        AND NOT EXISTS (SELECT FROM deliveries d
          WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id)
      ORDER BY deleted_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM webhooks
      WHERE ${inScope(tenantId)} AND (tenant_id, webhook_id) IN (SELECT * FROM ended) RETURNING 1
    )
    SELECT count(*) AS deleted FROM gone`.execute(db)
  return Number(rows[0]?.deleted)
}

export type StateChange = {
  from: readonly ('active' | 'disabled')[]
  to: 'disabled' | 'deleted'
  at: Date
}

export async function updateWebhookState(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  change: StateChange,
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

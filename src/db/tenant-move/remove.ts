import pg from 'pg'
import { retryForLocks } from '../run-migrations.ts'
import { inLimitedTransaction } from './fence.ts'
import { listTenantTables } from './tables.ts'

/** All rows of a tenant that is served elsewhere, those that refer to others first, a table at a time:
 * what was cut off is done by another call. */
export async function removeTenant(
  client: pg.ClientBase,
  tenantId: string,
  kept: ReadonlySet<string> = new Set(),
): Promise<void> {
  const tables = await listTenantTables(client)
  for (const { name } of tables.toReversed()) {
    if (kept.has(name)) continue
    await retryForLocks(`the rows of ${name}`, () =>
      inLimitedTransaction(client, () => removeRows(client, name, tenantId)),
    )
  }
}

async function removeRows(client: pg.ClientBase, name: string, tenantId: string): Promise<void> {
  const table = pg.escapeIdentifier(name)
  const { rows } = await client.query<{ rule: string }>(
    `SELECT quote_ident(rulename) AS rule FROM pg_rewrite
     WHERE ev_class = $1::regclass AND ev_type = '4' AND ev_enabled <> 'D'`,
    [table],
  )
  await client.query(`SELECT set_config('lending.mover', $1, true)`, [tenantId])
  for (const { rule } of rows) await client.query(`ALTER TABLE ${table} DISABLE RULE ${rule}`)
  await client.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId])
  for (const { rule } of rows) await client.query(`ALTER TABLE ${table} ENABLE RULE ${rule}`)
}

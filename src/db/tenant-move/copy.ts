import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { retryForLocks } from '../run-migrations.ts'
import type { TenantTable } from './tables.ts'

export type CopyFor = {
  source: pg.ClientBase
  target: pg.ClientBase
  tables: readonly TenantTable[]
  tenantId: string
}

export type Arrival = { moveId: string; otherInstance: string; otherCell: string | undefined }

/** All rows of the tenant as they are at one instant, in one transaction of the target, as
 * `arriving`. The caller has held the tenant in the source. */
export async function copyTenant(copy: CopyFor, arrival: Arrival): Promise<void> {
  const { source, target, tables, tenantId } = copy
  await makePartitions(copy)
  await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await target.query('BEGIN')
  try {
    for (const table of tables) {
      await copyRows(copy, table)
      if (table.name !== 'tenants') continue
      await target.query(`UPDATE tenants SET move = 'arriving' WHERE tenant_id = $1`, [tenantId])
    }
    // What is due is found again once the tenant is served.
    await target.query('UPDATE work SET ready = false WHERE tenant_id = $1 AND ready', [tenantId])
    await target.query('UPDATE webhook_dues SET due_at = NULL WHERE tenant_id = $1', [tenantId])
    const { moveId, otherInstance, otherCell = null } = arrival
    await target.query(
      `INSERT INTO tenant_moves (tenant_id, move_id, direction, other_instance, other_cell)
       VALUES ($1, $2, 'in', $3, $4) ON CONFLICT DO NOTHING`,
      [tenantId, moveId, otherInstance, otherCell],
    )
    await target.query('COMMIT')
  } catch (error) {
    await target.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    await source.query('ROLLBACK').catch(() => undefined)
  }
}

async function copyRows(
  { source, target, tenantId }: CopyFor,
  { name, columns }: TenantTable,
): Promise<void> {
  const table = pg.escapeIdentifier(name)
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const mine = `SELECT ${list} FROM ${table} WHERE tenant_id = ${pg.escapeLiteral(tenantId)}`
  await pipeline(
    source.query(copyTo(`COPY (${mine}) TO STDOUT`)),
    target.query(copyFrom(`COPY ${table} (${list}) FROM STDIN`)),
  )
}

/** Those of the source in which the tenant has rows. */
async function makePartitions({ source, target, tables, tenantId }: CopyFor): Promise<void> {
  for (const { name } of tables.filter(({ isPartitioned }) => isPartitioned)) {
    const { rows } = await source.query<{ child: string; first: string }>(
      `SELECT c.relname AS child, replace(substring(c.relname FROM '_(\\d{4}_\\d{2}(_\\d{2})?)$'), '_', '-')
         || CASE WHEN c.relname ~ '_\\d{4}_\\d{2}_\\d{2}$' THEN '' ELSE '-01' END AS first
       FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = $1::regclass ORDER BY 1`,
      [pg.escapeIdentifier(name)],
    )
    for (const { child, first } of rows) {
      const has = `SELECT FROM ${pg.escapeIdentifier(child)} WHERE tenant_id = $1 LIMIT 1`
      if ((await source.query(has, [tenantId])).rowCount === 0) continue
      const { rows: made } = await target.query('SELECT to_regclass($1) IS NOT NULL AS is', [child])
      if (made[0]?.is) continue
      const make = makeFunctionOf(name)
      await retryForLocks(`a partition of ${name}`, () =>
        target.query(`SELECT ${make}($1, $2::timestamptz)`, [name, `${first}T00:00:00Z`]),
      )
    }
  }
}

const SPANS = new Set(['request_log', 'facility_ltv_hours', 'facility_ltv_days'])

const makeFunctionOf = (table: string) => (SPANS.has(table) ? 'make_span' : 'make_month')

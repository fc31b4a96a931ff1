import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isDistributed } from '../../../src/db/cluster/distribution.ts'
import type { Db, Tx } from '../../../src/db/database.ts'
import { OTHER_TENANT } from './breaks.ts'

/** Writes past all that protects what is written. A cluster is given the statements tenant by tenant. */
export async function tamper(db: Db, tx: Tx, statements: readonly string[]): Promise<void> {
  const distributed = await isDistributed(db)
  if (distributed) await sql`SET LOCAL citus.propagate_set_commands = 'local'`.execute(tx)
  await sql`SET LOCAL session_replication_role = replica`.execute(tx)
  for (const statement of statements) {
    const each = distributed ? await tenantByTenant(tx, statement) : [statement]
    for (const one of each) await sql.raw(one).execute(tx)
  }
}

async function tenantByTenant(tx: Tx, statement: string): Promise<string[]> {
  // A cluster has no rules.
  if (/ RULE /.test(statement)) return []
  const tables = await readTables(tx, statement)
  const [, target = ''] = /^\s*(?:UPDATE|DELETE FROM|INSERT INTO)\s+(\w+)/.exec(statement) ?? []
  if (!tables.includes(target)) return [statement]
  const tenants = await tx.selectFrom('tenants').select('tenant_id').execute()
  const named = avoidStable(await nameOther(tx, statement))
  const columns = statement.includes('ctid') ? 'ctid, *' : '*'
  const [, only] = / WHERE tenant_id = '(\w+)'$/.exec(named) ?? []
  const wanted = tenants.filter(({ tenant_id: tenantId }) => (only ?? tenantId) === tenantId)
  return wanted.map(({ tenant_id: tenantId }) => {
    const own = tables.map(
      (table) => `${table} AS NOT MATERIALIZED (
        SELECT ${columns} FROM ${table} WHERE tenant_id = '${tenantId}')`,
    )
    return `WITH ${own.join()} ${restrict(named, tenantId)}`
  })
}

/** The distributed ones of a statement. */
async function readTables(tx: Tx, statement: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT logicalrelid::text AS name FROM pg_dist_partition
    WHERE partmethod = 'h' AND logicalrelid::text = ANY (${statement.split(/\W+/)}::text[])
    ORDER BY 1`.execute(tx)
  return rows.map(({ name }) => name)
}

/** Reads the ids of the other tenant that a statement would read. */
async function nameOther(tx: Tx, statement: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    SELECT tenant_id AS id FROM tenants t
    WHERE NOT EXISTS (SELECT FROM facilities f WHERE f.tenant_id = t.tenant_id)`.execute(tx)
  let named = statement.replaceAll(OTHER_TENANT, `'${rows[0]?.id}'`)
  for (const [read] of named.matchAll(/\(SELECT \w+ FROM \w+ WHERE tenant_id = '\w+'[^()]*\)/g)) {
    const { rows: found } = await sql.raw<object>(read.slice(1, -1)).execute(tx)
    named = named.replaceAll(read, `'${Object.values(found[0] ?? {})[0]}'::text`)
  }
  return named
}

/** In a change of columns Citus refuses functions that do not always return the same. */
function avoidStable(statement: string): string {
  const shift = /('[^']+'::timestamptz|\b\w+) ([-+]) (interval '[^']+')/g
  return statement
    .replaceAll('now()', `'${new Date().toISOString()}'::timestamptz`)
    .replaceAll('gen_random_uuid()', `'${randomUUID()}'::uuid`)
    .replaceAll(shift, "($1 AT TIME ZONE 'UTC' $2 $3) AT TIME ZONE 'UTC'")
}

/** A change to one tenant's rows. */
function restrict(statement: string, tenantId: string): string {
  if (statement.trimStart().startsWith('INSERT')) return statement
  const [, table, alias] = /(?:UPDATE|FROM)\s+(\w+)(?:\s+(?!SET|WHERE)(\w+))?/.exec(statement) ?? []
  const own = `${alias ?? table}.tenant_id = '${tenantId}'`
  const at = findWhere(statement)
  if (at === undefined) return `${statement} WHERE ${own}`
  return `${statement.slice(0, at)} WHERE ${own} AND (${statement.slice(at + ' WHERE '.length)})`
}

/** Where the statement's own condition begins, not that of a query within it. */
function findWhere(statement: string): number | undefined {
  const flat = statement
    .replace(/'[^']*'/g, (text) => '_'.repeat(text.length))
    .replaceAll(/\s/g, ' ')
  let depth = 0
  for (const [at, character] of [...flat].entries()) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth === 0 && flat.startsWith(' WHERE ', at)) return at
  }
  return undefined
}

import { sql } from 'kysely'
import { Refusal } from '../../core/errors.ts'
import { DISTRIBUTED } from '../connections/stack-identity.ts'
import { type Db, inTransaction, type Tx } from '../database.ts'

/** The oldest that this was run on. */
const OLDEST_CITUS = 14

/** They lead to a tenant, and are read whatever node is away. */
const LOCAL = ['absent_tenants', 'api_key_owners', 'tenant_list']

/** The others keep to its shards: a tenant's rows are on one node. */
const FIRST = 'tenants'

/** What is unique among all tenants is spread by what must be unique, apart from their shards. */
const BY_OTHER_COLUMN: ReadonlyMap<string, string> = new Map([['transfer_claims', 'transfer_id']])

export type DistributeOptions = {
  /** Of each table; nodes share them. Counts for the first table alone. */
  shards?: number
  onTable?: (table: string, left: number) => void
}

/** Spreads the tables of tenants over the nodes of a Citus cluster. What an interrupted run has done
 * stays, and the next run does the rest. Returns the tables that were distributed. */
export async function distribute(db: Db, options: DistributeOptions = {}): Promise<string[]> {
  await requireCluster(db)
  if (!(await isMarked(db))) await requireStopped(db)
  await inTransaction(db, prepare)
  for (const name of await selectLocalFunctions(db)) {
    await sql`SELECT create_distributed_function(${name})`.execute(db)
  }
  const tables = await selectLocalTables(db)
  for (const [done, table] of tables.entries()) {
    options.onTable?.(table, tables.length - done)
    await inTransaction(db, (tx) => distributeTable(tx, table, options.shards))
  }
  await removeLocalCopies(db)
  return tables
}

/** What a migration has added to a database that is distributed. */
export async function distributeAdded(db: Db): Promise<string[]> {
  return (await isMarked(db)) ? await distribute(db) : []
}

async function requireCluster(db: Db): Promise<void> {
  const { rows } = await sql<{ version: string }>`
    SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`.execute(db)
  const version = rows[0]?.version
  if (version === undefined) {
    throw refuse(
      'The database has no Citus: run CREATE EXTENSION citus in it on every node, and citus_add_node on the coordinator',
    )
  }
  if (Number.parseInt(version, 10) < OLDEST_CITUS) {
    throw refuse(`Citus ${OLDEST_CITUS} or later is needed; found ${version}`)
  }
  const { rows: found } = await sql<{ is_coordinator: boolean; nodes: number }>`
    SELECT citus_is_coordinator() AS is_coordinator,
      count(*) FILTER (WHERE isactive AND shouldhaveshards)::integer AS nodes
    FROM pg_dist_node`.execute(db)
  if (!found[0]?.is_coordinator) {
    throw refuse('This is a worker node of Citus: use the address of its coordinator')
  }
  if (found[0].nodes === 0) {
    throw refuse('Citus has no node for the tables: add one with citus_add_node')
  }
}

async function isMarked(db: Db): Promise<boolean> {
  const row = await db.selectFrom('stack').select('distributed_at').executeTakeFirst()
  return row !== undefined && row.distributed_at !== null
}

/** A process that runs would go on with statements for one server. */
async function requireStopped(db: Db): Promise<void> {
  const { rows } = await sql<{ role: string; sessions: number }>`
    SELECT usename AS role, count(*)::integer AS sessions FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND backend_type = 'client backend' AND application_name NOT LIKE 'citus%'
    GROUP BY 1 ORDER BY 1`.execute(db)
  if (rows.length === 0) return
  const others = rows.map(({ role, sessions }) => `${sessions} of ${role}`).join(', ')
  throw refuse(
    `Other sessions use the database (${others}): stop the API, the worker and what else is connected`,
  )
}

/** Marks the database first: from then on a process that starts serves tenants one by one, which is
 * right however far the tables have come. */
async function prepare(tx: Tx): Promise<void> {
  await sql`
    UPDATE stack SET distributed_at = coalesce(distributed_at, now()), name = ${DISTRIBUTED} || name
    WHERE NOT starts_with(name, ${DISTRIBUTED})`.execute(tx)
  await sql`
    INSERT INTO tenant_list (tenant_id) SELECT tenant_id FROM tenants
    ON CONFLICT DO NOTHING`.execute(tx)
  // mark_change changes nothing but its own row.
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(tx)
  const database = sql.id(rows[0]?.name ?? '')
  await sql`ALTER DATABASE ${database} SET citus.enable_unsafe_triggers = on`.execute(tx)
  // A statement that names its tenant by several parameters is routed once it has their values.
  await sql`ALTER DATABASE ${database} SET plan_cache_mode = auto`.execute(tx)
  await dropGuards(tx)
}

/** Triggers and rules of the journal, which read other rows or rewrite statements. */
async function dropGuards(tx: Tx): Promise<void> {
  const { rows } = await sql<{ kind: 'TRIGGER' | 'RULE'; name: string; table: string }>`
    WITH parts AS (SELECT relid FROM pg_partition_tree('journal'))
    SELECT 'TRIGGER' AS kind, tgname AS name, tgrelid::regclass::text AS table
    FROM pg_trigger WHERE tgrelid IN (SELECT relid FROM parts) AND NOT tgisinternal AND tgparentid = 0
    UNION ALL
    SELECT 'RULE', rulename, ev_class::regclass::text
    FROM pg_rewrite WHERE ev_class IN (SELECT relid FROM parts)`.execute(tx)
  for (const { kind, name, table } of rows) {
    await sql`DROP ${sql.raw(kind)} ${sql.id(name)} ON ${sql.table(table)}`.execute(tx)
  }
}

/** Functions of ours that shards may need, and the nodes do not have. */
async function selectLocalFunctions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT oid::regprocedure::text AS name FROM pg_proc p
    WHERE pronamespace = current_schema::regnamespace AND prokind = 'f'
      AND prorettype <> 'trigger'::regtype
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
      AND NOT EXISTS (SELECT FROM pg_dist_object o
                      WHERE o.classid = 'pg_proc'::regclass AND o.objid = p.oid)
    ORDER BY 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Those of tenants that no node has, a table after those that it refers to. */
async function selectLocalTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    WITH RECURSIVE ours AS (
      SELECT c.oid, c.relname FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND a.attnotnull
      WHERE relnamespace = current_schema::regnamespace AND relkind IN ('r', 'p')
        AND NOT relispartition AND relname <> ALL (${LOCAL})
    ), steps (oid, step) AS (
      SELECT oid, CASE relname WHEN ${FIRST} THEN 0 ELSE 1 END FROM ours
      UNION
      SELECT o.oid, s.step + 1 FROM steps s
      JOIN pg_constraint k ON k.confrelid = s.oid AND k.contype = 'f' AND k.conrelid <> k.confrelid
      JOIN ours o ON o.oid = k.conrelid
    )
    SELECT relname AS name FROM ours JOIN steps USING (oid)
    WHERE oid NOT IN (SELECT logicalrelid FROM pg_dist_partition WHERE partmethod = 'h')
    GROUP BY relname ORDER BY max(step), relname`.execute(db)
  return rows.map(({ name }) => name)
}

async function distributeTable(tx: Tx, table: string, shards: number | undefined): Promise<void> {
  tx.limitStatements(0)
  await sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true),
    set_config('client_min_messages', 'warning', true),
    set_config('citus.enable_unsafe_triggers', 'on', true)`.execute(tx)
  if (table === FIRST) {
    const count = shards === undefined ? sql`` : sql`, shard_count => ${shards}`
    await sql`SELECT create_distributed_table(${table}, 'tenant_id', colocate_with => 'none'${count})`.execute(
      tx,
    )
    return
  }
  const other = BY_OTHER_COLUMN.get(table)
  const [column, beside] = other === undefined ? ['tenant_id', FIRST] : [other, 'none']
  await sql`SELECT create_distributed_table(${table}, ${column}, colocate_with => ${beside})`.execute(
    tx,
  )
}

/** Citus leaves the rows that it has copied to the nodes where they were, where no statement sees them. */
async function removeLocalCopies(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    tx.limitStatements(0)
    const { rows } = await sql<{ name: string }>`
      SELECT logicalrelid::text AS name FROM pg_dist_partition
      WHERE partmethod = 'h' AND pg_relation_size(logicalrelid) > 0
      ORDER BY 1`.execute(tx)
    for (const { name } of rows) {
      await sql`SELECT truncate_local_data_after_distributing_table(${name})`.execute(tx)
    }
  })
}

const refuse = (reason: string) => new Refusal('unavailable', `${reason}.`)

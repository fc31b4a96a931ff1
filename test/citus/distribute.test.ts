import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest'
import { distribute } from '../../src/db/cluster/distribute.ts'
import { createDatabase, type Db, inTransaction } from '../../src/db/database.ts'
import { migrateToLatest } from '../../src/db/migrate/migrate.ts'
import { registerKey } from '../../src/domain/auth/keys.ts'
import { generateKeyPair } from '../../src/domain/auth/public-key.ts'
import { createDatabaseCli } from '../cli/database-cli.ts'
import { addBorrower, openTenant } from '../support/lending/onboarding.ts'
import { createCitusDatabase, dropCitusDatabase } from '../support/stores/citus.ts'

const nodes = inject('citusNodes')
const role = { name: `distribute_${randomBytes(4).toString('hex')}`, password: 'app' }

let name: string
let url: string
let db: Db
/** A database that was migrated and has rows, on a cluster that does not know its tables yet. */
beforeEach(async () => {
  name = `test_${randomBytes(8).toString('hex')}`
  url = await createCitusDatabase(nodes, name)
  await migrateToLatest(url, { stack: 'sandbox', appRole: role })
  db = createDatabase({ connectionString: url, maxConnections: 1 })
})
afterEach(async () => {
  await db.destroy()
  await dropCitusDatabase(nodes, name)
})
afterAll(async () => {
  await using owner = createDatabase({ connectionString: nodes[0] ?? '', maxConnections: 1 })
  await sql`DROP ROLE ${sql.id(role.name)}`.execute(owner)
})

async function addTenants(): Promise<string[]> {
  const tenants: string[] = []
  for (let count = 0; count < 4; count += 1) {
    const tenantId = await openTenant(db)
    await addBorrower(db, tenantId)
    const key = {
      publicKeyPem: generateKeyPair().publicKeyPem,
      label: 'test',
      scopes: ['borrower:read'] as const,
      expiresAt: undefined,
    }
    await inTransaction(db, (tx) =>
      registerKey(tx, tenantId, key, { maxActive: 10, now: new Date() }),
    )
    tenants.push(tenantId)
  }
  return tenants
}

/** Every row of every table but `stack`, in no order. */
async function readRows(): Promise<Map<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'stack'
      AND relname NOT LIKE 'operator_%' ORDER BY 1`.execute(db)
  const found = new Map<string, string[]>()
  for (const { name: table } of tables) {
    const { rows } = await sql<{ row: object }>`
      SELECT to_jsonb(t) AS row FROM ${sql.table(table)} t`.execute(db)
    found.set(table, rows.map(({ row }) => JSON.stringify(row)).sort())
  }
  return found
}

async function findLocalTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attname = 'tenant_id'
      AND pg_class.oid NOT IN (SELECT logicalrelid FROM pg_dist_partition) ORDER BY 1`.execute(db)
  return rows.map(({ name: table }) => table)
}

/** How many nodes have shards of a table, those of a month too. */
async function countNodes(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(DISTINCT nodeport)::integer AS count FROM citus_shards
    WHERE table_name = ${table}::regclass`.execute(db)
  return rows[0]?.count ?? 0
}

test('every row of a database is there after it was distributed, and tenants are on different nodes', async () => {
  const tenants = await addTenants()
  const before = await readRows()
  expect(before.get('tenants')).toHaveLength(tenants.length)
  const cli = createDatabaseCli(url)
  await db.destroy()
  const { distributed } = await cli.read<{ distributed: string[] }>('distribute --shards 8')
  db = createDatabase({ connectionString: url, maxConnections: 1 })
  expect(distributed[0]).toBe('tenants')
  // Whatever the server is set to: without the values of its parameters no statement could be routed.
  const { rows: settings } = await sql`
    SELECT setting, source FROM pg_settings WHERE name = 'plan_cache_mode'`.execute(db)
  expect(settings).toEqual([{ setting: 'auto', source: 'database' }])
  expect(await readRows()).toEqual(before)
  expect(await findLocalTables()).toEqual(['absent_tenants', 'api_key_owners', 'tenant_list'])
  expect(await countNodes('tenants')).toBe(nodes.length - 1)
  expect(await countNodes('journal')).toBe(nodes.length - 1)
  const { rows } = await sql<{ count: number }>`
    SELECT count(DISTINCT colocationid)::integer AS count FROM pg_dist_partition
    WHERE partmethod = 'h'`.execute(db)
  // With that of transfers, which are unique among all tenants.
  expect(rows).toEqual([{ count: 2 }])
  await db.destroy()
  expect(await cli.show('distribute')).toBe('Nothing to distribute.\n')
})

test('a run that is interrupted is finished by the next, and a third changes nothing', async () => {
  await addTenants()
  const before = await readRows()
  const interrupted = distribute(db, {
    shards: 4,
    onTable: (table) => {
      if (table === 'facilities') throw new Error('interrupted')
    },
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  expect(await findLocalTables()).toContain('facilities')
  const rest = await distribute(db)
  expect(rest).toContain('facilities')
  expect(rest).not.toContain('tenants')
  expect(await distribute(db)).toEqual([])
  expect(await readRows()).toEqual(before)
  expect(await findLocalTables()).toEqual(['absent_tenants', 'api_key_owners', 'tenant_list'])
})

test('a database that another session uses is not distributed', async () => {
  const other = createDatabase({ connectionString: url, maxConnections: 1 })
  await sql`SELECT 1`.execute(other)
  const { message } = await createDatabaseCli(url).fail('distribute')
  await other.destroy()
  expect(message).toMatch(/^Other sessions use the database \(\d of postgres\): stop the API/)
  expect(await findLocalTables()).toContain('tenants')
})

test('a cluster without a worker node is refused in a sentence, and the database stays as it was', async () => {
  const [coordinator = ''] = nodes
  const alone = await createCitusDatabase([coordinator], `${name}_alone`)
  try {
    await migrateToLatest(alone, { stack: 'sandbox' })
    const cli = createDatabaseCli(alone)
    const { code, message } = await cli.fail('distribute')
    expect(code).toBe('unavailable')
    expect(message).toBe('Citus has no node for the tables: add one with citus_add_node.')
    expect(await cli.show('migrate')).toBe('Nothing to apply.\n')
  } finally {
    await dropCitusDatabase([coordinator], `${name}_alone`)
  }
})

test('on a worker node the command names the coordinator', async () => {
  const worker = new URL(nodes[1] ?? '')
  worker.pathname = `/${name}`
  await migrateToLatest(url, { stack: 'sandbox' })
  await distribute(db, { shards: 4 })
  await using onWorker = createDatabase({ connectionString: worker.href, maxConnections: 1 })
  await expect(distribute(onWorker)).rejects.toThrow('use the address of its coordinator')
})

test('a month that the service makes later is on every node, and is dropped from every node', async () => {
  await distribute(db, { shards: 4 })
  const service = new URL(url)
  service.username = role.name
  service.password = role.password
  const app = createDatabase({ connectionString: service.href, maxConnections: 1 })
  for (const base of ['events', 'deliveries', 'delivery_attempts', 'journal']) {
    await sql`SELECT make_month(${base}, '2020-02-15')`.execute(app)
  }
  await sql`SELECT make_span('request_log', '2020-02-15')`.execute(app)
  expect(await countNodes('journal_2020_02')).toBe(nodes.length - 1)
  expect(await countNodes('request_log_2020_02_15')).toBe(nodes.length - 1)
  await sql`SELECT drop_month('2020-03-02')`.execute(app)
  await sql`SELECT drop_span('request_log', '2020-03-02')`.execute(app)
  await app.destroy()
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE '%_2020_02%'`.execute(
    db,
  )
  expect(rows).toEqual([{ name: 'journal_2020_02' }])
})

test('a table that a migration adds to a distributed database is distributed by migrate', async () => {
  await distribute(db, { shards: 4 })
  await sql`CREATE TABLE notes (tenant_id text NOT NULL REFERENCES tenants, note_id text NOT NULL,
    PRIMARY KEY (tenant_id, note_id))`.execute(db)
  const cli = createDatabaseCli(url)
  expect(await cli.show('migrate')).toBe('Nothing to apply. Distributed notes over the nodes.\n')
  expect(await countNodes('notes')).toBe(nodes.length - 1)
  expect(await cli.show('migrate')).toBe('Nothing to apply.\n')
})

test('the service may append to the journal of a distributed database, and not alter it', async () => {
  const [tenantId = ''] = await addTenants()
  await distribute(db, { shards: 4 })
  const service = new URL(url)
  service.username = role.name
  service.password = role.password
  const app = createDatabase({ connectionString: service.href, maxConnections: 1 })
  for (const alteration of [
    sql`UPDATE journal SET kind = 'draw' WHERE tenant_id = ${tenantId}`,
    sql`DELETE FROM journal WHERE tenant_id = ${tenantId}`,
    sql`TRUNCATE journal`,
  ]) {
    await expect(alteration.execute(app)).rejects.toMatchObject({ code: '42501' })
  }
  await sql`SELECT FROM journal WHERE tenant_id = ${tenantId}`.execute(app)
  await app.destroy()
})

import { sql } from 'kysely'
import pg from 'pg'
import { distribute } from '../../../src/db/cluster/distribute.ts'
import { createDatabase, type Db } from '../../../src/db/database.ts'
import { migrateToLatest } from '../../../src/db/migrate/migrate.ts'

/** Few, because every table of every test is made of as many. */
const SHARDS = 4

/** The addresses of all nodes of the cluster, the coordinator's first, with the role of its own. */
export async function findNodes(coordinatorUrl: string): Promise<string[]> {
  const [{ rows }] = await onEachNode(
    [coordinatorUrl],
    `SELECT nodename AS host, nodeport AS port FROM pg_dist_node
     WHERE groupid <> 0 AND isactive ORDER BY groupid`,
  )
  if (rows.length === 0) throw new Error('The cluster of CITUS_URL has no worker node.')
  const workers = rows.map(({ host, port }) => {
    const url = new URL(coordinatorUrl)
    url.hostname = host
    url.port = String(port)
    return url.href
  })
  return [coordinatorUrl, ...workers]
}

/** An empty database on every node, the nodes known to the coordinator's. Its address there. */
export async function createCitusDatabase(nodes: readonly string[], name: string): Promise<string> {
  const [coordinator = '', ...workers] = nodes.map((url) => withDatabase(url, name))
  await onEachNode(nodes, `CREATE DATABASE ${name}`)
  await onEachNode([coordinator, ...workers], 'CREATE EXTENSION citus')
  const { hostname, port } = new URL(coordinator)
  await onEachNode([coordinator], `SELECT citus_set_coordinator_host('${hostname}', ${port})`)
  for (const worker of workers.map((url) => new URL(url))) {
    await onEachNode([coordinator], `SELECT citus_add_node('${worker.hostname}', ${worker.port})`)
  }
  return coordinator
}

export async function dropCitusDatabase(nodes: readonly string[], name: string): Promise<void> {
  // Else Citus begins a session of its own again while the database is being dropped.
  await closeDatabase(nodes, name)
  await onEachNode(nodes, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

/** Migrated, and distributed over few shards. */
export async function distributeMigrated(
  coordinator: string,
  appRole: { name: string; password: string },
): Promise<void> {
  await migrateToLatest(coordinator, { stack: 'sandbox', appRole })
  await using db = createDatabase({ connectionString: coordinator, maxConnections: 1 })
  await distribute(db, { shards: SHARDS })
}

/** A distributed database of which copies can be made on every node: nothing may be connected to it,
 * and Citus keeps a session of its own in a database that is used. */
export async function createCitusTemplate(
  nodes: readonly string[],
  name: string,
  appRole: string,
): Promise<void> {
  const coordinator = await createCitusDatabase(nodes, name)
  await distributeMigrated(coordinator, { name: appRole, password: appRole })
  await closeDatabase(nodes, name)
}

/** To superusers too. */
export async function closeDatabase(servers: readonly string[], name: string): Promise<void> {
  await onEachNode(servers, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await onEachNode(servers, endSessions(name))
}

export async function openDatabase(servers: readonly string[], name: string): Promise<void> {
  await onEachNode(servers, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
}

/** The address of the node that has a tenant's rows. */
export async function findNodeOf(
  db: Db,
  nodes: readonly string[],
  tenantId: string,
): Promise<string> {
  const { rows } = await sql<{ port: number }>`
    SELECT nodeport AS port FROM citus_shards
    WHERE shardid = get_shard_id_for_distribution_column('tenants', ${tenantId}::text)`.execute(db)
  return nodes.find((url) => new URL(url).port === String(rows[0]?.port)) ?? ''
}

export async function readDatabaseName(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(db)
  return rows[0]?.name ?? ''
}

/** As if the servers were gone: no session stays, and only a superuser's can begin. */
export async function cutOff(servers: readonly string[], name: string): Promise<void> {
  await onEachNode(servers, `ALTER DATABASE ${name} CONNECTION LIMIT 0`)
  await onEachNode(servers, endSessions(name))
}

export async function reconnect(servers: readonly string[], name: string): Promise<void> {
  await onEachNode(servers, `ALTER DATABASE ${name} CONNECTION LIMIT -1`)
}

const endSessions = (name: string) =>
  `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
   WHERE datname = '${name}'`

/** One statement on servers at once, each in a session of its own. */
export async function onEachNode(
  urls: readonly string[],
  statement: string,
): Promise<[pg.QueryResult, ...pg.QueryResult[]]> {
  const results = await Promise.all(
    urls.map(async (connectionString) => {
      const client = new pg.Client({ connectionString })
      await client.connect()
      try {
        return await client.query(statement)
      } finally {
        await client.end()
      }
    }),
  )
  return results as [pg.QueryResult, ...pg.QueryResult[]]
}

export function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

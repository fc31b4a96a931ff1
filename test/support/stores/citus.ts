import pg from 'pg'
import { createDatabase } from '../../../src/db/database.ts'
import { distribute } from '../../../src/db/distribute.ts'
import { migrateToLatest } from '../../../src/db/migrate.ts'

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

/** A migrated and distributed database on every node, of which each can be copied: no statement may
 * reach it, because Citus keeps a session of its own in a database that is used. */
export async function createCitusTemplate(
  nodes: readonly string[],
  name: string,
  appRole: string,
): Promise<void> {
  const [coordinator = '', ...workers] = nodes.map((url) => withDatabase(url, name))
  await onEachNode(nodes, `CREATE DATABASE ${name}`)
  await onEachNode([coordinator, ...workers], 'CREATE EXTENSION citus')
  const { hostname, port } = new URL(coordinator)
  await onEachNode([coordinator], `SELECT citus_set_coordinator_host('${hostname}', ${port})`)
  for (const worker of workers.map((url) => new URL(url))) {
    await onEachNode([coordinator], `SELECT citus_add_node('${worker.hostname}', ${worker.port})`)
  }
  const role = { name: appRole, password: appRole }
  await migrateToLatest(coordinator, { stack: 'sandbox', appRole: role })
  const db = createDatabase({ connectionString: coordinator, maxConnections: 1 })
  await distribute(db, { shards: SHARDS }).finally(() => db.destroy())
  await onEachNode(nodes, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await onEachNode(
    nodes,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
  )
}

/** One statement on servers at once, each in a session of its own. */
export async function onEachNode(
  urls: readonly string[],
  statement: string,
): Promise<[pg.QueryResult, ...pg.QueryResult[]]> {
  const results = await Promise.all(
    urls.map(async (connectionString) => {
      const client = new pg.Client({ connectionString })
      await client.connect()
      return await client.query(statement).finally(() => client.end())
    }),
  )
  return results as [pg.QueryResult, ...pg.QueryResult[]]
}

export function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

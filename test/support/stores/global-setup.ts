import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { SESSION_LIMITS_MS } from '../../../src/db/connections/connection-pool.ts'
import { migrateToLatest } from '../../../src/db/migrate/migrate.ts'
import { createCitusTemplate, findNodes, onEachNode, withDatabase } from './citus.ts'
import { findPgBouncer } from './pgbouncer.ts'
import type { StoreUrls } from './store-host.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server on which tests may create databases. */
    databaseServerUrl: string
    /** The migrated database that each test database is a copy of. */
    templateDatabase: string
    /** Name, and password, of the role that the API and the worker log in as. */
    appRole: string
    redisServerUrl: string
    /** Of the PgBouncer before the server, where the run has one; else 0. */
    poolerPort: number
    /** The servers of a run on a Citus cluster, the coordinator's first; else none. */
    citusNodes: readonly string[]
    /** One for each worker of Vitest, where the run is over a Redis Cluster. */
    redisClusterUrls: readonly string[]
  }
}

/**
 * Starts one PostgreSQL and one Redis-compatible store for the run, or takes TEST_DATABASE_URL
 * (a role that may create databases) and TEST_REDIS_URL, and migrates the template database.
 * The mode `scale` (`npm run test:scale`) puts a PgBouncer before PostgreSQL and starts Redis Clusters
 * beside the one server, for all tests that need no more of either than the service does.
 * The mode `citus` (`npm run test:citus`) spreads each database over the nodes of CITUS_URL.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env
  const { mode } = project.vite.config
  const isScaled = mode === 'scale'
  if (isScaled) requirePgBouncer()
  const givenUrl = mode === 'citus' ? requireCitus() : TEST_DATABASE_URL
  const run = randomBytes(6).toString('hex')
  const template = `template_${run}`
  const appRole = `app_${run}`
  const clusters = isScaled ? project.vitest.config.maxWorkers : 0
  const stores = await startStores([
    appRole,
    String(clusters),
    ...(givenUrl ? [] : ['postgres']),
    ...(TEST_REDIS_URL ? [] : ['redis']),
    ...(isScaled ? ['pgbouncer'] : []),
  ])
  const serverUrl = givenUrl ?? stores.urls.databaseServer ?? ''
  let nodes: readonly string[] = []
  try {
    if (mode === 'citus') {
      nodes = await findNodes(serverUrl)
      await createCitusTemplate(nodes, template, appRole)
    } else {
      // Tests read the database as its owner, who is given here what the service's role always has.
      if (isScaled) await boundRole(serverUrl, 'postgres')
      await onEachNode([serverUrl], `CREATE DATABASE ${template}`)
      const role = { name: appRole, password: appRole }
      await migrateToLatest(withDatabase(serverUrl, template), { stack: 'sandbox', appRole: role })
    }
  } catch (error) {
    await stores.stop()
    throw error
  }
  project.provide('databaseServerUrl', serverUrl)
  project.provide('templateDatabase', template)
  project.provide('appRole', appRole)
  project.provide('redisServerUrl', TEST_REDIS_URL ?? stores.urls.redis ?? '')
  project.provide('poolerPort', stores.urls.poolerPort ?? 0)
  project.provide('redisClusterUrls', stores.urls.redisClusters)
  project.provide('citusNodes', nodes)
  return async () => {
    if (givenUrl) {
      const servers = nodes.length > 0 ? nodes : [serverUrl]
      await onEachNode(servers, `DROP DATABASE ${template} WITH (FORCE)`)
      await onEachNode([serverUrl], `DROP ROLE ${appRole}`)
    }
    await stores.stop()
  }
}

function requirePgBouncer(): void {
  try {
    findPgBouncer()
  } catch (error) {
    endRun(error instanceof Error ? error.message : String(error))
  }
}

function requireCitus(): string {
  const { CITUS_URL } = process.env
  return CITUS_URL ?? endRun('CITUS_URL is not set: set it to the coordinator of a Citus cluster.')
}

/** In one sentence. */
function endRun(reason: string): never {
  console.error(reason)
  process.exit(1)
}

async function startStores(wanted: string[]) {
  const host = fork(fileURLToPath(new URL('./store-host.ts', import.meta.url)), wanted, {
    execArgv: [],
    detached: true,
  })
  const ended = once(host, 'exit')
  const failed = ended.then(([code]) => {
    throw new Error(`The test stores could not be started (exit code ${code}).`)
  })
  const [urls] = await Promise.race([once(host, 'message'), failed])
  failed.catch(() => undefined)
  return {
    urls: urls as StoreUrls,
    async stop() {
      host.disconnect()
      await ended
    },
  }
}

/** Has a role's sessions bounded however they come about. */
async function boundRole(serverUrl: string, role: string): Promise<void> {
  for (const [setting, ms] of Object.entries(SESSION_LIMITS_MS)) {
    await onEachNode([serverUrl], `ALTER ROLE ${role} SET ${setting} TO ${ms}`)
  }
}

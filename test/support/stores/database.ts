import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { createDatabase, type Db, type Wake } from '../../../src/db/database.ts'
import { dropCitusDatabase, onEachNode } from './citus.ts'
import { throughPooler } from './pgbouncer.ts'
import { testSealer } from './sealer.ts'

export type TestDatabase = AsyncDisposable & {
  /** As its owner, who may do anything. */
  url: string
  /** As the role that the API and the worker log in as. */
  appUrl: string
  db: Db
}

export type TestDatabaseOptions = {
  maxConnections?: number
  onCommit?: (wakes: readonly Wake[]) => void
  /** Not through the PgBouncer that the run may have: for what a pooler answers in its own way. */
  isDirect?: boolean
}

/**
 * A migrated database of its own, empty but for what migrations write: a copy of the run's
 * template, dropped when disposed. One for each test file is the rule.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await runOnServers(
    `CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')} STRATEGY FILE_COPY`,
  )
  const server = inject('databaseServerUrl')
  const poolerPort = options.isDirect ? 0 : inject('poolerPort')
  const url = new URL(poolerPort ? throughPooler(server, poolerPort) : server)
  url.pathname = `/${name}`
  const appUrl = new URL(url)
  appUrl.username = appUrl.password = inject('appRole')
  const { maxConnections = 10, onCommit } = options
  const db = createDatabase({
    connectionString: url.href,
    maxConnections,
    sealer: testSealer,
    ...(onCommit && { onCommit }),
  })
  return {
    url: url.href,
    appUrl: appUrl.href,
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      const nodes = inject('citusNodes')
      if (nodes.length > 0) await dropCitusDatabase(nodes, name)
      else await runOnServers(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

/** One that all tests of a file share: it is there once they begin. */
export function databaseForFile(options: TestDatabaseOptions = {}): TestDatabase {
  const database = {} as TestDatabase
  beforeAll(async () => {
    Object.assign(database, await createTestDatabase(options))
  })
  afterAll(() => database[Symbol.asyncDispose]())
  return database
}

/** On a cluster a database is one of each node. */
async function runOnServers(statement: string): Promise<void> {
  const nodes = inject('citusNodes')
  await onEachNode(nodes.length > 0 ? nodes : [inject('databaseServerUrl')], statement)
}

import { createDatabase, type Database } from '../../../src/db/database.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { testSealer } from './sealer.ts'
import { startWireProxy, type WireProxy } from './wire-proxy.ts'

export type Proxied = {
  owned: AsyncDisposableStack
  /** Its own pool does not go through the proxy. */
  database: TestDatabase
  proxy: WireProxy
  /** Goes through the proxy. */
  db: Database
}

/** A database of a test's own, and a pool that reaches it through a proxy of the wire. */
export async function openProxied(
  pool: Omit<Parameters<typeof createDatabase>[0], 'connectionString'>,
): Promise<Proxied> {
  const owned = new AsyncDisposableStack()
  const database = owned.use(await createTestDatabase({ isDirect: true }))
  const proxy = owned.use(await startWireProxy(database.url))
  const db = owned.use(createDatabase({ sealer: testSealer, ...pool, connectionString: proxy.url }))
  return { owned, database, proxy, db }
}

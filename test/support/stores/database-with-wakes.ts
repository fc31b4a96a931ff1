import { afterAll, beforeAll } from 'vitest'
import type { Db, Wake } from '../../../src/db/database.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** For a test file: a database of its own, and what its commits wake. */
export function openDatabaseWithWakes(maxConnections: number): {
  readonly db: Db
  readonly url: string
  wakes: Wake[]
} {
  const wakes: Wake[] = []
  let database: TestDatabase
  beforeAll(async () => {
    const onCommit = (committed: readonly Wake[]) => wakes.push(...committed)
    database = await createTestDatabase({ maxConnections, onCommit })
  })
  afterAll(() => database[Symbol.asyncDispose]())
  return {
    wakes,
    get url() {
      return database.url
    },
    get db() {
      return database.db
    },
  }
}

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { isDistributed } from '../../src/db/distribution.ts'
import { createTestDatabase } from '../support/stores/database.ts'

test('a database is distributed from the moment that its stack says so', async () => {
  await using database = await createTestDatabase()
  expect(await isDistributed(database.db)).toBe(false)
  await sql`UPDATE stack SET distributed_at = now()`.execute(database.db)
  const db = createDatabase({ connectionString: database.appUrl, maxConnections: 1 })
  expect(await isDistributed(db).finally(() => db.destroy())).toBe(true)
})

test('a database that was away when it was first asked is asked again', async () => {
  await using database = await createTestDatabase()
  await sql`ALTER TABLE stack RENAME TO stacks`.execute(database.db)
  await expect(isDistributed(database.db)).rejects.toThrow('stack')
  await sql`ALTER TABLE stacks RENAME TO stack`.execute(database.db)
  expect(await isDistributed(database.db)).toBe(false)
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { explainFailure } from '../../../src/cli/command/explain-failure.ts'
import { isDistributed } from '../../../src/db/cluster/distribution.ts'
import { assertStack, readStack } from '../../../src/db/connections/stack-identity.ts'
import { createDatabase } from '../../../src/db/database.ts'
import { toRefusal } from '../../../src/http/errors/problem.ts'
import { createTestDatabase } from '../../support/stores/database.ts'

test('a database is distributed from the moment that its stack says so', async () => {
  await using database = await createTestDatabase()
  expect(await isDistributed(database.db)).toBe(false)
  await sql`UPDATE stack SET distributed_at = now()`.execute(database.db)
  await using db = createDatabase({ connectionString: database.appUrl, maxConnections: 1 })
  expect(await isDistributed(db)).toBe(true)
})

test('a database that was away when it was first asked is asked again', async () => {
  await using database = await createTestDatabase()
  await sql`ALTER TABLE stack RENAME TO stacks`.execute(database.db)
  await expect(isDistributed(database.db)).rejects.toThrow('stack')
  await sql`ALTER TABLE stacks RENAME TO stack`.execute(database.db)
  expect(await isDistributed(database.db)).toBe(false)
})

test('a distributed database is of the same stack to this release, and of another to one that reads the name alone', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const before = await readStack(db)
  await sql`UPDATE stack SET name = 'distributed ' || name, distributed_at = now()`.execute(db)
  expect(await readStack(db)).toEqual(before)
  const { rows } = await sql<{ name: 'sandbox' }>`SELECT name FROM stack`.execute(db)
  const asRead = { name: rows[0]?.name ?? 'sandbox', instanceId: '' }
  expect(() => assertStack(asRead, 'sandbox')).toThrow(
    'the database belongs to the distributed sandbox stack, and STACK is sandbox',
  )
})

test.each([
  'connection to the remote node lending_app@10.0.0.7:5432 failed with the following error: Connection refused',
  'could not establish any connections to the node 10.0.0.7:5432 after 1000 ms',
])('a node that the coordinator cannot reach is named to the operator: %s', (reported) => {
  const error = Object.assign(new Error(reported), { code: '08006' })
  expect(explainFailure(error)).toEqual({
    code: 'unavailable',
    message:
      'A node of the database does not answer (10.0.0.7:5432), and the command needs it: repair the node or promote its standby, then run the command again.',
  })
  expect(toRefusal(error)).toMatchObject({
    code: 'unavailable',
    message: 'A node of the database is not available.',
  })
})

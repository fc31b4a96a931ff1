import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createControlClient } from '../../src/db/control-client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ isDirect: true })
})
afterAll(() => database[Symbol.asyncDispose]())

test('a control connection that is killed while nobody waits for it ends no process', async () => {
  const errors: Error[] = []
  const Client = createControlClient((error) => errors.push(error))
  const client = new Client(database.url)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(database.db)
  await vi.waitFor(() => expect(errors[0]).toMatchObject({ code: '57P01' }))
})

test('an aborted query ends at the database too', async () => {
  const stop = new AbortController()
  const asleep = sql`SELECT pg_sleep(8)`.execute(database.db, {
    signal: stop.signal,
    inflightQueryAbortStrategy: 'cancel query',
  })
  const sleepers = async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity
      WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active' AND datname = current_database()
    `.execute(database.db)
    return rows.length
  }
  await vi.waitFor(async () => expect(await sleepers()).toBe(1))
  stop.abort()
  await expect(asleep).rejects.toThrow()
  await vi.waitFor(async () => expect(await sleepers()).toBe(0))
})

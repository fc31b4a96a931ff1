import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { inSnapshot } from '../../../src/db/transactions/snapshot.ts'
import { waitFor } from '../../support/process/patience.ts'
import { databaseForFile } from '../../support/stores/database.ts'
import { countAsleep } from '../../support/stores/waiting-sessions.ts'

const database = databaseForFile()

const sleepers = async (count: number) =>
  await waitFor(async () => expect(await countAsleep(database.db)).toBe(count))

test('a snapshot that is given up ends in the database too, and its connection serves the next one', async () => {
  const narrow = createDatabase({ connectionString: database.appUrl, maxConnections: 1 })
  try {
    const stop = new AbortController()
    const asleep = inSnapshot(narrow, { seconds: 100, signal: stop.signal }, (tx) =>
      sql`SELECT pg_sleep(90)`.execute(tx),
    )
    await sleepers(1)
    stop.abort(new Error('enough'))
    await expect(asleep).rejects.toThrow('enough')
    await sleepers(0)
    const { rows } = await sql`SELECT 1 AS one`.execute(narrow)
    expect(rows).toEqual([{ one: 1 }])
  } finally {
    await narrow.destroy()
  }
})

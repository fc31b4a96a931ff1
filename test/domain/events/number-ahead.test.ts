import { expect, test } from 'vitest'
import { createConnectionSlots } from '../../../src/db/connections/connection-slots.ts'
import { createDatabase, type DatabaseOptions, inTransaction } from '../../../src/db/database.ts'
import { appendEvents } from '../../../src/domain/events/append-event.ts'
import { eligible } from '../../support/deliveries/deliveries.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase } from '../../support/stores/database.ts'

/** Half of them take far longer than one write to the disk, and all of them less than a caller waits for a
 * connection. */
const CHANGES = 150
const CONNECTIONS = 2

/** Of many changes that come at once: how many have run at most from the end of one until it was answered. */
async function countBeforeAnswer(options: Pick<DatabaseOptions, 'slots'>): Promise<number> {
  await using database = await createTestDatabase()
  const connection = { connectionString: database.url, maxConnections: CONNECTIONS }
  await using db = createDatabase({ ...connection, ...options })
  const tenantId = await openTenant(db)
  const inLine = (work: () => Promise<number>) =>
    options.slots ? options.slots.run(tenantId, work) : work()
  const round = async (name: string) => {
    let ran = 0
    const change = async (at: number) => {
      const ranBefore = await inTransaction(db, async (tx) => {
        await appendEvents(tx, tenantId, [eligible(`bor_${name}_${at}`)])
        ran += 1
        return ran
      })
      return ran - ranBefore
    }
    const changes = Array.from({ length: CHANGES }, (_, at) => inLine(() => change(at)))
    return Math.max(...(await Promise.all(changes)))
  }
  // Statements that are new to a connection take longer.
  await round('first')
  return await round('second')
}

test('a change is answered before those that wait for a connection have run', async () => {
  expect(await countBeforeAnswer({})).toBeLessThan(CHANGES / 2)
})

test('nor does it wait in the line of its tenant', async () => {
  const slots = createConnectionSlots({ total: CONNECTIONS, perName: CONNECTIONS, waitMs: 60_000 })
  expect(await countBeforeAnswer({ slots })).toBeLessThan(CHANGES / 2)
})

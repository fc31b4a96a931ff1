import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCursorCodec } from '../../../src/core/cursor.ts'
import { newId } from '../../../src/core/ids.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { appendEvents } from '../../../src/domain/events/append/append.ts'
import { type LogView, readLog } from '../../../src/domain/events/log/read-log.ts'
import { getReplayView } from '../../../src/domain/webhooks/webhooks.ts'
import { addEvents, addWebhook, eligible } from '../../support/deliveries/deliveries.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { LONG_SCENARIO_MS } from '../../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'
import { testKey } from '../../support/stores/sealer.ts'

const WRITERS = 32
const COMMITS_EACH = 12
const LONGEST_PAUSE_MS = 8

const cursors = createCursorCodec([testKey('test')])

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: WRITERS + 4 })
})
afterAll(() => database[Symbol.asyncDispose]())

function closed() {
  const id = newId('fac')
  const occurredAt = new Date('2026-11-20T10:00:00.000Z')
  return {
    type: 'facility.closed' as const,
    resource: { type: 'facility' as const, id },
    occurredAt,
    data: {
      facility_id: id,
      closed_at: occurredAt.toISOString(),
      reason: 'repaid' as const,
    },
  }
}

/** Commits transactions of one to three events each, holding each open for a random while first. */
async function write(tenantId: string): Promise<void> {
  for (let commit = 0; commit < COMMITS_EACH; commit += 1) {
    await inTransaction(database.db, async (tx) => {
      const count = 1 + Math.floor(Math.random() * 3)
      const events = Array.from({ length: count }, () =>
        Math.random() < 0.2 ? closed() : eligible(newId('bor')),
      )
      await setTimeout(Math.random() * LONGEST_PAUSE_MS)
      appendEvents(tx, tenantId, events)
      await setTimeout(Math.random() * LONGEST_PAUSE_MS)
    })
  }
}

/** Pages on from the first event for as long as `isWriting`, then to the end of the log. */
async function readAll(view: LogView, limit: number, isWriting: () => boolean): Promise<number[]> {
  const seen: number[] = []
  let from: string | undefined
  for (;;) {
    const wasWriting = isWriting()
    const page = await readLog(database.db, view, { from, limit }, cursors)
    seen.push(...page.items.map((item) => JSON.parse(item).sequence))
    from = page.nextCursor
    if (!wasWriting && !page.hasMore) return seen
  }
}

test('readers that page while 32 writers commit see every event once, in order', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  const tenantId = await openTenant(database.db)
  const webhookId = await addWebhook(database.db, tenantId, { eventTypes: ['facility.closed'] })
  const log = { tenantId, cursorContext: 'log', after: 0n, types: [], isChained: true }
  let writing = true
  const written = Promise.all(Array.from({ length: WRITERS }, () => write(tenantId))).finally(
    () => {
      writing = false
    },
  )
  const isWriting = () => writing
  const [whole, byType, replayed] = await Promise.all([
    readAll(log, 7, isWriting),
    readAll({ ...log, types: ['facility.closed', 'borrower.eligible'] }, 5, isWriting),
    readAll(await getReplayView(database.db, tenantId, webhookId), 3, isWriting),
    written,
  ])

  const rows = await database.db
    .selectFrom('events')
    .select(['sequence', 'type'])
    .where('tenant_id', '=', tenantId)
    .orderBy('sequence')
    .execute()
  const all = rows.map((row) => Number(row.sequence))
  expect(all.length).toBeGreaterThanOrEqual(WRITERS * COMMITS_EACH)
  expect(all).toEqual(all.map((_, index) => index + 1))
  expect(whole).toEqual(all)
  expect(byType).toEqual(all)
  const closings = rows.filter((row) => row.type === 'facility.closed')
  expect(replayed).toEqual(closings.map((row) => Number(row.sequence)))
})

test('a reader that reads a quiet filter to its end in time can always continue, however much else is dropped', async () => {
  const { db } = database
  const tenantId = await openTenant(db)
  const eventTypes = ['facility.closed' as const]
  const webhookId = await addWebhook(db, tenantId, { eventTypes })
  const replay = await getReplayView(db, tenantId, webhookId)
  const dropAll = () => sql`DELETE FROM events WHERE tenant_id = ${tenantId}`.execute(db)
  const filtered = { tenantId, cursorContext: 'log', after: 0n, types: eventTypes, isChained: true }
  for (const view of [replay, filtered]) {
    let from: string | undefined
    for (let day = 0; day < 4; day += 1) {
      await addEvents(db, tenantId, 3)
      const page = await readLog(db, view, { from, limit: 2 }, cursors)
      expect(page).toMatchObject({ items: [], hasMore: false })
      from = page.nextCursor
      await dropAll()
    }
    await inTransaction(db, (tx) => appendEvents(tx, tenantId, [closed()]))
    const { items } = await readLog(db, view, { from, limit: 2 }, cursors)
    expect(items).toHaveLength(1)
    await dropAll()
  }
})

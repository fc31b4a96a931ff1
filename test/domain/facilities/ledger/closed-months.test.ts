import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../../../src/db/database.ts'
import { lockMonths } from '../../../../src/domain/facilities/books/books-queries.ts'
import { book, transfer } from '../../../../src/domain/facilities/ledger/journal.ts'
import { openTenant } from '../../../support/lending/onboarding.ts'
import { databaseForFile } from '../../../support/stores/database.ts'
import { untilOneWaits } from '../../../support/stores/waiting-sessions.ts'

const database = databaseForFile()
let tenantId: string
/** As `cli distribute` leaves it: nothing but the service protects the journal's closed months. */
beforeAll(async () => {
  await sql`DROP TRIGGER IF EXISTS journal_month_open ON journal`.execute(database.db)
  await sql`ALTER TABLE journal_entries
    DROP CONSTRAINT journal_entries_tenant_id_facility_id_fkey`.execute(database.db)
  await sql`ALTER TABLE unbound_records
    DROP CONSTRAINT unbound_records_tenant_id_facility_id_fkey`.execute(database.db)
  tenantId = await openTenant(database.db)
  await sql`INSERT INTO closed_months VALUES (${tenantId}, '2026-09-01', now())`.execute(
    database.db,
  )
})

const entry = (id: string, bookedAt: Date) => ({
  id,
  kind: 'draw',
  postings: transfer('bank', 'loans_receivable', 'USD', 100n),
  valueAt: bookedAt,
  bookedAt,
})

async function countEntries(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM journal WHERE tenant_id = ${tenantId}`.execute(
    database.db,
  )
  return rows[0]?.count ?? 0
}

test('a closed month takes no entry where the journal has no trigger', async () => {
  const late = inTransaction(database.db, (tx) =>
    book(tx, tenantId, 'fac_1', [entry('draw/1', new Date('2026-09-30T23:59:59Z'))]),
  )
  await expect(late).rejects.toMatchObject({ code: '23514', constraint: 'journal_month_open' })
  expect(await countEntries()).toBe(0)
})

test('a month is closed only after the entries under way, which are then in it', async () => {
  let isClosing = false
  const isBooked = Promise.withResolvers<void>()
  const booking = inTransaction(database.db, async (tx) => {
    await book(tx, tenantId, 'fac_1', [entry('draw/2', new Date('2026-10-01T00:00:00Z'))])
    isBooked.resolve()
    await untilOneWaits(database.db)
    expect(isClosing).toBe(false)
  })
  await isBooked.promise
  await inTransaction(database.db, async (tx) => {
    await lockMonths(tx, tenantId)
    isClosing = true
    expect(await countEntries()).toBe(1)
  })
  await booking
})

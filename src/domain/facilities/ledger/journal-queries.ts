import { type Insertable, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'
import type { PrincipalMovement } from './debt.ts'
import type { JournalEntry } from './journal.ts'

export async function insertEntry(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  entry: JournalEntry,
): Promise<void> {
  const { postings } = entry
  // Booking it again fails at its key, in whatever month.
  await sql`
    WITH key AS (
      INSERT INTO journal_entries (tenant_id, facility_id, entry_id)
      VALUES (${tenantId}, ${facilityId}, ${entry.id})
    )
    INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts,
                         value_at, booked_at)
    VALUES (${tenantId}, ${facilityId}, ${entry.id}, ${entry.kind},
            ${postings.map((posting) => posting.account)}::text[],
            ${postings.map((posting) => posting.asset)}::text[],
            ${postings.map((posting) => posting.units)}::numeric[],
            ${entry.valueAt}, ${entry.bookedAt})
  `.execute(tx)
}

export async function insertPrincipalMovement(
  tx: Tx,
  row: Insertable<Tables['principal_movements']>,
): Promise<void> {
  await tx.insertInto('principal_movements').values(row).execute()
}

/** In order of time. */
export async function selectMovementsAfter(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  at: Date,
): Promise<PrincipalMovement[]> {
  const rows = await tx
    .selectFrom('principal_movements')
    .select(['effective_at', 'delta_cents'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('effective_at', '>', at)
    .orderBy('effective_at')
    .execute()
  return rows.map((row) => ({ effectiveAt: row.effective_at, deltaCents: row.delta_cents }))
}

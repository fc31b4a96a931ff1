import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'

export async function insertCorrection(
  tx: Tx,
  row: Insertable<Tables['facility_corrections']>,
): Promise<void> {
  await tx.insertInto('facility_corrections').values(row).execute()
}

/** Oldest first, those that were undone too. */
export async function selectCorrections(db: Db, tenantId: string, facilityId: string) {
  return await db
    .selectFrom('facility_corrections')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .orderBy('corrected_at')
    .orderBy('correction_id')
    .execute()
}

/** The caller holds the facility's lock. */
export async function markUndone(
  tx: Tx,
  tenantId: string,
  { facilityId, correctionId }: { facilityId: string; correctionId: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('facility_corrections')
    .set({ undone_at: now })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('correction_id', '=', correctionId)
    .execute()
}

export async function insertForbearance(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  { id, from, until }: { id: string; from: Date; until: Date },
): Promise<void> {
  await tx
    .insertInto('facility_pauses')
    .values({
      ...{ tenant_id: tenantId, facility_id: facilityId, pause_id: id },
      ...{ kind: 'forbearance', started_at: from, ended_at: until },
    })
    .execute()
}

/** How many entries a facility has beside accrued interest, which money alone adds to. */
export async function countEntries(db: Db, tenantId: string, facilityId: string): Promise<number> {
  const { rows } = await sql<{ entries: number }>`
    SELECT count(*)::int AS entries FROM journal
    WHERE tenant_id = ${tenantId} AND facility_id = ${facilityId} AND kind <> 'interest'`.execute(
    db,
  )
  return rows[0]?.entries ?? 0
}

export type EntryLine = {
  entry_id: string
  kind: string
  value_at: Date
  account: string
  asset: string
  amount: bigint
}

/** The lines of every entry whose id is not among those known. */
export async function selectEntriesBeside(
  db: Db,
  tenantId: string,
  facilityId: string,
  known: readonly string[],
): Promise<EntryLine[]> {
  return await db
    .selectFrom('journal_lines')
    .select(['entry_id', 'kind', 'value_at', 'account', 'asset', 'amount'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where(sql<boolean>`entry_id <> ALL (${[...known]}::text[])`)
    .orderBy('value_at')
    .orderBy('entry_id')
    .orderBy('line')
    .execute()
}

export async function selectEntryIds(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('journal_entries')
    .select('entry_id')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .execute()
  return rows.map((row) => row.entry_id)
}

/** What two operators have yet to apply or return. */
export async function hasSuspense(db: Db, tenantId: string, facilityId: string): Promise<boolean> {
  const row = await db
    .selectFrom('repayments')
    .select('repayment_id')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('suspended_units', '>', 0n)
    .where('suspense_end', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function askWriteOffReading(
  tx: Tx,
  { tenantId, facilityId }: { tenantId: string; facilityId: string },
  until: Date,
): Promise<void> {
  await tx
    .insertInto('write_off_readings')
    .values({ tenant_id: tenantId, facility_id: facilityId, asked_until: until })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'facility_id']).doUpdateSet({ asked_until: until }),
    )
    .execute()
}

export async function selectWriteOffReading(db: Db, tenantId: string, facilityId: string) {
  return await db
    .selectFrom('write_off_readings')
    .select(['asked_until', 'read_at', 'positions'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .executeTakeFirst()
}

export async function storeWriteOffReading(
  tx: Tx,
  { tenantId, facilityId }: { tenantId: string; facilityId: string },
  { readAt, positions }: { readAt: Date; positions: { asset: string; units: string }[] },
): Promise<void> {
  await tx
    .updateTable('write_off_readings')
    .set({ read_at: readAt, positions: JSON.stringify(positions) as never })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .execute()
}

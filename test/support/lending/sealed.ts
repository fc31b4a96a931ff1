import { sql } from 'kysely'
import type { PersonalKind } from '../../../src/core/personal-text.ts'
import type { SealedText } from '../../../src/core/sealing.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import {
  ensureBorrowerKey,
  ensureKeyOfFacility,
  readKeyOfFacility,
} from '../../../src/domain/personal/borrower-key.ts'

type OfFacility = { tenantId: string; facilityId: string }

/** As the service stores it, for a row that a test inserts. */
export async function sealOf(
  db: Db,
  of: OfFacility | { tenantId: string; borrowerId: string },
  text: string,
  kind: PersonalKind = 'note',
): Promise<SealedText> {
  return await inTransaction(db, async (tx) => {
    const key =
      'facilityId' in of ? await ensureKeyOfFacility(tx, of) : await ensureBorrowerKey(tx, of)
    return key.seal(text, kind)
  })
}

export async function openOf(
  db: Db,
  of: OfFacility,
  stored: SealedText,
  kind: PersonalKind = 'destination',
): Promise<string | undefined> {
  return (await readKeyOfFacility(db, of)).open(stored, kind)
}

/** A text of every row of a table whose rows were inserted with something that only looks sealed. */
export async function sealRows(
  db: Db,
  table: 'borrowers' | 'facility_pauses' | 'refunds',
  column: string,
  { text, kind = 'note' }: { text: string; kind?: PersonalKind },
): Promise<void> {
  const id = table === 'borrowers' ? 'borrower_id' : 'facility_id'
  const { rows } = await sql<{ tenant_id: string; id: string }>`
    SELECT DISTINCT tenant_id, ${sql.ref(id)} AS id FROM ${sql.table(table)}
    WHERE ${sql.ref(column)} IS NOT NULL`.execute(db)
  for (const { tenant_id: tenantId, id: rowId } of rows) {
    const of =
      table === 'borrowers' ? { tenantId, borrowerId: rowId } : { tenantId, facilityId: rowId }
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${await sealOf(db, of, text, kind)}
      WHERE tenant_id = ${tenantId} AND ${sql.ref(id)} = ${rowId}`.execute(db)
  }
}

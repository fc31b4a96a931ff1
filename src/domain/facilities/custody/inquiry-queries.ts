import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { InquiryPurpose } from '../../../db/schema/facilities.ts'
import { anyOf } from '../../../db/sql/planned-once.ts'

type InquiryKey = { tenantId: string; facilityId: string; purpose: InquiryPurpose }

/** Returns the question that is open on this basis, or begins one under the next number. */
export async function beginInquiry(
  db: Db,
  { tenantId, facilityId, purpose, basis, now }: InquiryKey & { basis: string; now: Date },
): Promise<{ number: bigint; askedAt: Date }> {
  const stands = sql`stored.asked_at IS NOT NULL AND stored.basis = excluded.basis`
  const { rows } = await sql<{ number: bigint; askedAt: Date }>`
    INSERT INTO position_inquiries AS stored
      (tenant_id, facility_id, purpose, number, basis, asked_at)
    VALUES (${tenantId}, ${facilityId}, ${purpose}, 1, ${basis}, ${now})
    ON CONFLICT (tenant_id, facility_id, purpose) DO UPDATE SET
      number = CASE WHEN ${stands} THEN stored.number ELSE stored.number + 1 END,
      asked_at = CASE WHEN ${stands} THEN stored.asked_at ELSE excluded.asked_at END,
      basis = excluded.basis
    RETURNING number, asked_at AS "askedAt"`.execute(db)
  const [inquiry] = rows
  if (!inquiry) throw new Error(`no inquiry about facility ${facilityId}`)
  return inquiry
}

export async function endInquiry(
  db: Db,
  { tenantId, facilityId, purpose, number }: InquiryKey & { number?: bigint },
): Promise<boolean> {
  let query = db
    .updateTable('position_inquiries')
    .set({ asked_at: null })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('purpose', '=', purpose)
    .where('asked_at', 'is not', null)
  if (number !== undefined) query = query.where('number', '=', number)
  return (await query.executeTakeFirst()).numUpdatedRows === 1n
}

export async function endInquiries(
  db: Db,
  {
    tenantId,
    facilityIds,
    purpose,
  }: { tenantId: string; facilityIds: readonly string[]; purpose: InquiryPurpose },
): Promise<void> {
  if (facilityIds.length === 0) return
  await db
    .updateTable('position_inquiries')
    .set({ asked_at: null })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(facilityIds))
    .where('purpose', '=', purpose)
    .where('asked_at', 'is not', null)
    .execute()
}

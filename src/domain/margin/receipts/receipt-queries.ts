import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'

export type WarningKey = { facilityId: string; number: number }

/** Selects the decisions of the warnings, ordered by facility and number. */
export async function selectDecisionsOf(
  db: Db,
  tenantId: string,
  warnings: readonly WarningKey[],
): Promise<{ facility_id: string; number: number; kind: string; facts: unknown }[]> {
  const { rows } = await sql<{
    facility_id: string
    number: number
    kind: string
    facts: unknown
  }>`
    SELECT d.facility_id, d.number, d.kind, coalesce(j.facts, '{}') || d.facts AS facts
    FROM unnest(${warnings.map(({ facilityId }) => facilityId)}::text[],
                ${warnings.map(({ number }) => number)}::int[]) AS w (facility_id, number)
    JOIN margin_decisions d ON d.tenant_id = ${tenantId} AND d.facility_id = w.facility_id
      AND d.warning_number = w.number
    LEFT JOIN margin_evaluations j ON j.tenant_id = d.tenant_id
      AND j.evaluation_id = d.evaluation_id AND j.month = d.month
    ORDER BY d.facility_id, d.number`.execute(db)
  return rows
}

export async function insertReceipts(
  tx: Tx,
  rows: readonly Insertable<Tables['margin_receipts']>[],
): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('margin_receipts')
    .values([...rows])
    .execute()
}

export async function selectReceipt(db: Db, tenantId: string, facilityId: string, number: number) {
  return await db
    .selectFrom('margin_receipts')
    .select(['body', 'sha256', 'key_id', 'public_key', 'signature'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('call_number', '=', number)
    .executeTakeFirst()
}

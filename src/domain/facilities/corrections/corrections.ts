import type { Db } from '../../../db/database.ts'
import type { CorrectionKind } from '../../../db/schema/facilities.ts'
import { getFacility } from '../facilities.ts'
import { selectCorrections } from './correction-queries.ts'

export const CORRECTION_KINDS = [
  'waive_interest',
  'credit',
  'rate',
  'write_off',
  'forbearance',
  'undo',
  'close',
] as const satisfies (CorrectionKind | 'undo')[]

/** What two operators may change of a facility: nothing else changes a booked cent. */
export type Correction =
  /** Interest or principal that is owed. Of a debt that was charged off, its deficit. */
  | { kind: 'waive_interest' | 'credit'; cents: bigint }
  /** Annual, from an instant that is past until the next amendment of the rate. */
  | { kind: 'rate'; ratePpm: bigint; from: Date }
  /** All that is owed is charged off, and the lien is released. */
  | { kind: 'write_off' }
  /** Deadlines stand still until then. */
  | { kind: 'forbearance'; until: Date }
  /** Of an interest waived, a credit or a rate. */
  | { kind: 'undo'; correctionId: string }
  | { kind: 'close' }

export type BookedCorrection = {
  id: string
  kind: CorrectionKind
  cents: bigint | undefined
  ratePpm: bigint | undefined
  from: Date | undefined
  until: Date | undefined
  at: Date
  undoneAt: Date | undefined
}

/** Oldest first. Refuses `not_found`. */
export async function getCorrections(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<BookedCorrection[]> {
  const { id } = await getFacility(db, tenantId, facilityId)
  return await listCorrections(db, { tenantId, id })
}

export async function listCorrections(
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<BookedCorrection[]> {
  const rows = await selectCorrections(db, tenantId, id)
  return rows.map((row) => ({
    id: row.correction_id,
    kind: row.kind,
    cents: row.amount_cents ?? undefined,
    ratePpm: row.rate_ppm === null ? undefined : BigInt(row.rate_ppm),
    from: row.from_at ?? undefined,
    until: row.until_at ?? undefined,
    at: row.corrected_at,
    undoneAt: row.undone_at ?? undefined,
  }))
}

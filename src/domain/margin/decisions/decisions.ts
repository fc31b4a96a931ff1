import type { Db } from '../../../db/database.ts'
import { getFacility } from '../../facilities/facilities.ts'
import { selectWarning } from '../warning-queries.ts'
import { unknownWarning } from '../warnings/warnings.ts'
import { selectDecisions } from './decision-queries.ts'

export type MarginDecision = {
  warningNumber: number
  number: number
  kind: 'raise' | 'worsen' | 'cure' | 'escalate'
  decidedAt: Date
  facts: Record<string, unknown>
}

/** In order. Refuses `not_found`. */
export async function listMarginDecisions(
  db: Db,
  tenantId: string,
  facilityId: string,
  number: number,
): Promise<MarginDecision[]> {
  await getFacility(db, tenantId, facilityId)
  if (!(await selectWarning(db, tenantId, facilityId, number))) throw unknownWarning()
  return await listDecisions(db, tenantId, facilityId, [number])
}

/** The decisions of these warnings, in order; none of one that does not exist. */
export async function listDecisions(
  db: Db,
  tenantId: string,
  facilityId: string,
  warnings: readonly number[],
): Promise<MarginDecision[]> {
  if (warnings.length === 0) return []
  const rows = await selectDecisions(db, tenantId, facilityId, warnings)
  return rows.map((row) => ({
    warningNumber: row.warning_number,
    number: row.number,
    kind: row.kind,
    decidedAt: row.decided_at,
    facts: row.facts as Record<string, unknown>,
  }))
}

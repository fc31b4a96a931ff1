import { addMs } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { selectClockOffset } from '../../tenants/queries.ts'
import { selectLastBeat, selectPauses } from './pause-queries.ts'
import { isOutage, type Pause } from './pauses.ts'

/** Keyed by facility; the outage of a worker that has not come back is one of each. */
export async function loadPauses(
  db: Db,
  tenantId: string,
  facilityIds: readonly string[],
  now: Date,
): Promise<(facilityId: string) => readonly Pause[]> {
  if (facilityIds.length === 0) return () => []
  // The heartbeat first: a worker that is back records its outage before it.
  const [lastBeatAt, offsetMs, rows] = await Promise.all([
    selectLastBeat(db, tenantId),
    selectClockOffset(db, tenantId),
    selectPauses(db, tenantId, facilityIds),
  ])
  const from = lastBeatAt && addMs(lastBeatAt, Number(offsetMs ?? 0n))
  const running: Pause[] = isOutage(from, now) ? [{ kind: 'outage', from, until: now }] : []
  const rowsOf = Map.groupBy(rows, (row) => row.facility_id)
  return (facilityId) => [
    ...(rowsOf.get(facilityId) ?? []).map((row) => ({
      kind: row.kind,
      from: row.started_at,
      until: row.ended_at ?? undefined,
    })),
    ...running,
  ]
}

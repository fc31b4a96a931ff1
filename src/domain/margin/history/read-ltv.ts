import { formatLtv } from '../../../core/ratio.ts'
import { addMs, DAY_MS, HOUR_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { type LtvPoint, selectPoints } from './ltv-queries.ts'

export type LtvHistory = {
  interval: 'hour' | 'day'
  points: (LtvPoint & { ltv: string })[]
}

/** As long as hours are kept, with an hour for clocks and ways that differ. */
const HOURS_MS = 14 * DAY_MS + HOUR_MS

/** More than 13 months of days, or two weeks of hours. */
const MAX_POINTS = 1_000

/** By the hour where `from` lies at most 14 days back, else by the day; at most the newest 1,000. */
export async function readLtv(
  db: Db,
  facility: { tenantId: string; facilityId: string },
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
  now: Date,
): Promise<LtvHistory> {
  const hoursFrom = addMs(now, -HOURS_MS)
  const stretch = { from: from ?? hoursFrom, to: to ?? now, limit: MAX_POINTS }
  const isByHour = stretch.from >= hoursFrom
  const table = isByHour ? 'facility_ltv_hours' : 'facility_ltv_days'
  const points = await selectPoints(db, table, facility, stretch)
  return {
    interval: isByHour ? 'hour' : 'day',
    points: points.map((point) => ({
      ...point,
      ltv: formatLtv(point.debtCents, point.collateralCents),
    })),
  }
}

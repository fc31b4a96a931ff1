import { addMs, DAY_MS, monthEnd } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { selectPartitions } from './partition-queries.ts'

export type RetentionDays = { events: number; requestLog: number }

/** Of the points of loan-to-value by hour and by day. */
export const LTV_HOURS_DAYS = 14
export const LTV_DAYS_DAYS = 396

export type Partition = {
  name: string
  from: Date
  until: Date
  bytes: bigint
  rows: bigint
}

export type PartitionedTable = {
  table: string
  /** Undefined where it is kept for good. */
  keptDays: number | undefined
  bytes: bigint
  partitions: Partition[]
  nextDrop: { name: string; at: Date } | undefined
  aheadMs: number
}

const NAME = /_(\d{4})_(\d{2})(?:_(\d{2}))?$/

export async function listPartitions(
  db: Db,
  retention: RetentionDays,
  realNow: Date,
): Promise<PartitionedTable[]> {
  const byTable = new Map<string, Partition[]>()
  for (const { base, name, bytes, rows } of await selectPartitions(db)) {
    const span = spanOf(name)
    if (span) byTable.set(base, [...(byTable.get(base) ?? []), { name, ...span, bytes, rows }])
  }
  return [...byTable].map(([table, partitions]) => {
    const keptDays = daysKept(table, retention)
    const [oldest] = partitions
    return {
      ...{ table, keptDays, partitions },
      bytes: partitions.reduce((sum, { bytes }) => sum + bytes, 0n),
      nextDrop:
        oldest && keptDays !== undefined
          ? { name: oldest.name, at: addMs(oldest.until, keptDays * DAY_MS) }
          : undefined,
      aheadMs: (partitions.at(-1)?.until.getTime() ?? 0) - realNow.getTime(),
    }
  })
}

function daysKept(table: string, { events, requestLog }: RetentionDays): number | undefined {
  const days: Record<string, number> = {
    ...{ events, deliveries: events, delivery_attempts: events, request_log: requestLog },
    ...{ facility_ltv_hours: LTV_HOURS_DAYS, facility_ltv_days: LTV_DAYS_DAYS },
  }
  return days[table]
}

/** A month, or a day, by its name. */
export function spanOf(name: string): { from: Date; until: Date } | undefined {
  const [, year, month, day] = NAME.exec(name) ?? []
  if (year === undefined || month === undefined) return undefined
  const from = new Date(`${year}-${month}-${day ?? '01'}T00:00:00Z`)
  return { from, until: day === undefined ? monthEnd(from) : addMs(from, DAY_MS) }
}

import { minOf } from '../../core/money.ts'
import type { Db } from '../../db/database.ts'
import { selectPositionSources } from './queries.ts'
import type { Position } from './valuation.ts'

export type Units = ReadonlyMap<string, bigint>

export type PositionSources = {
  pushed: { asOfMicros: bigint; receivedAt: Date; units: Units }
  custodian: { readAt: Date; units: Units } | undefined
}

/** Sold since each source's answer: it may still be in that source's quantities. */
export type Sold = { sincePush: Units; sinceRead: Units }

const NOTHING: Units = new Map()

/** Per asset the smaller of both sources, each less what was sold since, never below 0. Until the
 * custodian has answered, the snapshot counts alone. */
export function countPositions(
  { pushed, custodian }: PositionSources,
  sold: Sold = { sincePush: NOTHING, sinceRead: NOTHING },
): Position[] {
  const left = (units: Units, sales: Units, asset: string) => {
    const rest = (units.get(asset) ?? 0n) - (sales.get(asset) ?? 0n)
    return rest > 0n ? rest : 0n
  }
  return [...pushed.units.keys()].sort().map((asset) => {
    const ofPush = left(pushed.units, sold.sincePush, asset)
    if (!custodian) return { asset, units: ofPush }
    return { asset, units: minOf(ofPush, left(custodian.units, sold.sinceRead, asset)) }
  })
}

export async function loadPositionSources(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
): Promise<Map<string, PositionSources>> {
  const rows = await selectPositionSources(db, tenantId, borrowerIds)
  return new Map(
    rows.map((row) => [
      row.borrower_id,
      {
        pushed: {
          asOfMicros: row.as_of,
          receivedAt: row.received_at,
          units: toUnits(row.positions),
        },
        custodian:
          row.read && row.read_at ? { readAt: row.read_at, units: toUnits(row.read) } : undefined,
      },
    ]),
  )
}

function toUnits(positions: Record<string, string>): Units {
  return new Map(Object.entries(positions).map(([asset, units]) => [asset, BigInt(units)]))
}

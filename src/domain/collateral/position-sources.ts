import { minOf } from '../../core/money.ts'
import type { Db } from '../../db/database.ts'
import { selectPositionSources } from './queries.ts'
import type { Position } from './valuation.ts'

/** Quantities in the assets' smallest units, by asset. */
export type Units = ReadonlyMap<string, bigint>

/** What is known of a borrower's holdings. */
export type PositionSources = {
  /** The newest snapshot. */
  pushed: { asOfMicros: bigint; receivedAt: Date; units: Units }
  /** The custodian's latest answer, where the tenant's portfolio source is the custodian. */
  custodian: { readAt: Date; units: Units } | undefined
}

/** What was sold since each source: it may still be in that source's quantities. */
export type Sold = { sincePush: Units; sinceRead: Units }

const NOTHING: Units = new Map()

/**
 * The positions that count as collateral, in the order of their assets: of each source what is left
 * after the sales since, never below 0, and per asset the smaller of the two. Until the custodian
 * has answered, the snapshot counts alone; what either does not name counts 0.
 */
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

/** The sources of each of these borrowers that has ever pushed a portfolio, in one query. */
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

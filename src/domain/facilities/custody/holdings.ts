import type { Db } from '../../../db/database.ts'
import {
  countPositions,
  loadPositionSources,
  type PositionSources,
  type Sold,
} from '../../collateral/position-sources.ts'
import type { Position } from '../../collateral/valuation.ts'
import { selectSold } from './holding-queries.ts'

export type Holdings = { positions: Position[]; receivedAt: Date; readAt: Date | undefined }

/** The lesser of snapshot and custodian's reading, less what margin calls sold since. */
export async function loadHoldings(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
): Promise<Map<string, Holdings>> {
  return await loadCounted(db, tenantId, borrowerIds, (sources) => sources)
}

export async function loadPushed(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
): Promise<Map<string, Holdings>> {
  return await loadCounted(db, tenantId, borrowerIds, ({ pushed }) => {
    return { pushed, custodian: undefined }
  })
}

async function loadCounted(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
  choose: (sources: PositionSources) => PositionSources,
): Promise<Map<string, Holdings>> {
  const sourcesOf = await loadPositionSources(db, tenantId, borrowerIds)
  const soldOf = await loadSold(db, tenantId, borrowerIds)
  return new Map(
    [...sourcesOf].map(([borrowerId, sources]) => {
      const chosen = choose(sources)
      const positions = countPositions(chosen, soldOf.get(borrowerId))
      const { pushed, custodian } = chosen
      return [borrowerId, { positions, receivedAt: pushed.receivedAt, readAt: custodian?.readAt }]
    }),
  )
}

async function loadSold(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
): Promise<Map<string, Sold>> {
  const rows = await selectSold(db, tenantId, borrowerIds)
  const byBorrower = Map.groupBy(rows, (row) => row.borrower_id)
  return new Map(
    [...byBorrower].map(([borrowerId, sales]) => {
      const sincePush = new Map(sales.map((row) => [row.asset, row.since_push]))
      const sinceRead = new Map(sales.map((row) => [row.asset, row.since_read]))
      return [borrowerId, { sincePush, sinceRead }]
    }),
  )
}

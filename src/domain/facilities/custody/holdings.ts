import type { Db } from '../../../db/database.ts'
import { executeShared } from '../../../db/transactions/execute.ts'
import {
  type CountedPositions,
  countPositions,
  loadPositionSources,
  type PositionSources,
  type Question,
  type Sold,
} from '../../collateral/position-sources.ts'
import { selectSold } from './holding-queries.ts'

export type Holdings = CountedPositions & {
  receivedAt: Date
  /** Since when these positions are pushed. */
  changedAt: Date
  readAt: Date | undefined
  question: Question
  /** When the custodian was asked for its answer about the push. */
  answeredAt: Date | undefined
}

/** By what is pushed, read and confirmed, less what margin calls sold since. */
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
  return await loadCounted(db, tenantId, borrowerIds, (sources) => {
    return { ...sources, custodian: undefined, confirmed: undefined }
  })
}

async function loadCounted(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
  choose: (sources: PositionSources) => PositionSources,
): Promise<Map<string, Holdings>> {
  const [sourcesOf, soldOf] = await Promise.all([
    loadPositionSources(db, tenantId, borrowerIds),
    loadSold(db, tenantId, borrowerIds),
  ])
  return new Map(
    [...sourcesOf].map(([borrowerId, sources]) => {
      const chosen = choose(sources)
      const counted = countPositions(chosen, soldOf.get(borrowerId))
      const { pushed, custodian, confirmed, question } = chosen
      const times = {
        receivedAt: pushed.receivedAt,
        readAt: custodian?.readAt,
        changedAt: pushed.changedAt ?? pushed.receivedAt,
        answeredAt: counted.isAnswered ? confirmed?.readAt : undefined,
      }
      return [borrowerId, { ...counted, ...times, question }]
    }),
  )
}

async function loadSold(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
): Promise<Map<string, Sold>> {
  const rows = await executeShared(db, tenantId, selectSold({ tenantId, borrowerIds }))
  const byBorrower = Map.groupBy(rows, (row) => row.borrower_id)
  return new Map(
    [...byBorrower].map(([borrowerId, sales]) => {
      const sincePush = new Map(sales.map((row) => [row.asset, row.since_push]))
      const sinceRead = new Map(sales.map((row) => [row.asset, row.since_read]))
      const sinceConfirmed = new Map(sales.map((row) => [row.asset, row.since_confirmed]))
      return [borrowerId, { sincePush, sinceRead, sinceConfirmed }]
    }),
  )
}

import type { Db, Tx } from '../../db/database.ts'
import type { PortfolioSource } from '../../db/schema/collateral.ts'
import {
  clearQuestion,
  deleteReading,
  deleteReadings,
  insertPortfolioSource,
  lockSourceRow,
  queueToChangeSource,
  queueToReadSource,
  selectPortfolioSource,
  upsertPortfolioSource,
  upsertReadings,
} from './queries.ts'
import type { Position } from './valuation.ts'

export const PORTFOLIO_SOURCES: readonly PortfolioSource[] = ['push', 'custodian']

export async function getPortfolioSource(db: Db, tenantId: string): Promise<PortfolioSource> {
  return (await selectPortfolioSource(db, tenantId)) ?? 'push'
}

/** Until the end of the transaction; a change waits for it. */
export async function lockPortfolioSource(
  tx: Tx,
  tenantId: string,
  now: Date,
): Promise<PortfolioSource> {
  await queueToReadSource(tx, tenantId)
  await insertPortfolioSource(tx, { tenant_id: tenantId, mode: 'push', set_at: now })
  return await lockSourceRow(tx, tenantId)
}

export async function setPortfolioSource(
  tx: Tx,
  tenantId: string,
  mode: PortfolioSource,
  now: Date,
): Promise<void> {
  await queueToChangeSource(tx, tenantId)
  await upsertPortfolioSource(tx, { tenant_id: tenantId, mode, set_at: now })
}

export type StoredReading = { isChanged: boolean; readBefore: Date | undefined }

/** By borrower. Leaves out a borrower with a later reading, and all in push mode. */
export async function recordReadings(
  tx: Tx,
  tenantId: string,
  readings: readonly { borrowerId: string; positions: readonly Position[] }[],
  readAt: Date,
): Promise<Map<string, StoredReading>> {
  if (readings.length === 0) return new Map()
  await queueToReadSource(tx, tenantId)
  const rows = await upsertReadings(
    tx,
    tenantId,
    readings.map(({ borrowerId, positions }) => {
      const units = positions.map((position) => [position.asset, String(position.units)])
      return { borrowerId, positions: Object.fromEntries(units) }
    }),
    readAt,
  )
  return new Map(
    rows.map(({ borrower_id: borrowerId, changed, read_before: readBefore }) => [
      borrowerId,
      { isChanged: changed, readBefore: readBefore ?? undefined },
    ]),
  )
}

export async function forgetReadings(tx: Tx, tenantId: string, limit: number): Promise<string[]> {
  return await deleteReadings(tx, tenantId, limit)
}

/** What the custodian was asked and has answered: it is about one facility. */
export async function forgetReading(tx: Tx, tenantId: string, borrowerId: string): Promise<void> {
  await deleteReading(tx, tenantId, borrowerId)
  await clearQuestion(tx, tenantId, borrowerId)
}

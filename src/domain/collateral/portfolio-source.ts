import type { Db, Tx } from '../../db/database.ts'
import type { PortfolioSource } from '../../db/schema.ts'
import {
  deleteReading,
  deleteReadings,
  insertPortfolioSource,
  lockSourceRow,
  selectPortfolioSource,
  upsertPortfolioSource,
  upsertReading,
} from './queries.ts'
import type { Position } from './valuation.ts'

export const PORTFOLIO_SOURCES: readonly PortfolioSource[] = ['push', 'custodian']

/** Where a tenant's positions come from: its pushes alone, until it chooses the custodian too. */
export async function getPortfolioSource(db: Db, tenantId: string): Promise<PortfolioSource> {
  return (await selectPortfolioSource(db, tenantId)) ?? 'push'
}

/** The same, held to until the end of the transaction: who chooses anew waits for it. */
export async function lockPortfolioSource(
  tx: Tx,
  tenantId: string,
  now: Date,
): Promise<PortfolioSource> {
  await insertPortfolioSource(tx, { tenant_id: tenantId, mode: 'push', set_at: now })
  return await lockSourceRow(tx, tenantId)
}

/**
 * Chooses where a tenant's positions come from. Back at push, what was read from the custodian is
 * forgotten: of which borrowers, is what it gives.
 */
export async function setPortfolioSource(
  tx: Tx,
  tenantId: string,
  mode: PortfolioSource,
  now: Date,
): Promise<string[]> {
  await upsertPortfolioSource(tx, { tenant_id: tenantId, mode, set_at: now })
  return mode === 'push' ? await deleteReadings(tx, tenantId) : []
}

/**
 * Keeps what the custodian said at `readAt` that a borrower holds, unless the tenant has gone back to
 * push meanwhile or a later reading is there; tells whether it is another than before, and when the
 * one before was read.
 */
export async function recordReading(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
  positions: readonly Position[],
  readAt: Date,
): Promise<{ changed: boolean; readBefore: Date | undefined }> {
  const stored = await upsertReading(tx, {
    tenant_id: tenantId,
    borrower_id: borrowerId,
    positions: Object.fromEntries(positions.map(({ asset, units }) => [asset, String(units)])),
    read_at: readAt,
  })
  return { changed: stored?.changed ?? false, readBefore: stored?.readBefore ?? undefined }
}

/** Forgets what the custodian said of a borrower whose facility ends. */
export async function forgetReading(tx: Tx, tenantId: string, borrowerId: string): Promise<void> {
  await deleteReading(tx, tenantId, borrowerId)
}

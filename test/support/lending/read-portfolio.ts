import type { Db } from '../../../src/db/database.ts'
import type { Position } from '../../../src/domain/collateral/valuation.ts'

export type StoredPortfolio = { asOfMicros: bigint; receivedAt: Date; positions: Position[] }

/** The stored snapshot of a borrower, by its assets' codes; undefined before the first push. */
export async function readPortfolio(
  db: Db,
  tenantId: string,
  borrowerId: string,
): Promise<StoredPortfolio | undefined> {
  const row = await db
    .selectFrom('portfolios')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .executeTakeFirst()
  if (!row) return undefined
  const positions = Object.entries(row.positions)
    .map(([asset, units]) => ({ asset, units: BigInt(units) }))
    .sort((a, b) => (a.asset < b.asset ? -1 : 1))
  return { asOfMicros: row.as_of, receivedAt: row.received_at, positions }
}

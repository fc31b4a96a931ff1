import { addMs, SECOND_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Position } from '../../domain/collateral/valuation.ts'
import { loadPushed } from '../../domain/facilities/custody/holdings.ts'
import {
  deleteSandboxHolding,
  noteSandboxQuestion,
  selectSandboxHoldings,
  selectSandboxSold,
  upsertSandboxHolding,
} from './queries.ts'

export const MOST_LATE_SECONDS = 86_400

export type SandboxHolding = { positions: readonly Position[] | undefined; lateSeconds: number }

/** What the custodian holds for the borrower from now on; undefined: what was pushed. */
export async function setSandboxHolding(
  tx: Tx,
  { tenantId, borrowerId }: { tenantId: string; borrowerId: string },
  { positions, lateSeconds }: SandboxHolding,
  now: Date,
): Promise<void> {
  if (!positions && lateSeconds === 0) return await deleteSandboxHolding(tx, tenantId, borrowerId)
  const units = positions?.map((position) => [position.asset, String(position.units)] as const)
  await upsertSandboxHolding(tx, {
    tenant_id: tenantId,
    borrower_id: borrowerId,
    positions: units ? Object.fromEntries(units) : null,
    late_seconds: lateSeconds,
    set_at: now,
  })
}

/** By borrower: what the tenant has set, otherwise what was pushed, each less what was sold since. */
export async function loadSandboxHoldings(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
): Promise<Map<string, { positions: Position[]; lateSeconds: number }>> {
  const pushed = await loadPushed(db, tenantId, borrowerIds)
  const rows = await selectSandboxHoldings(db, tenantId, borrowerIds)
  const rowOf = new Map(rows.map((row) => [row.borrower_id, row]))
  const sold = rows.length > 0 ? await selectSandboxSold(db, tenantId, borrowerIds) : []
  return new Map(
    borrowerIds.map((borrowerId) => {
      const row = rowOf.get(borrowerId)
      const units = Object.entries(row?.positions ?? {})
      const held = units.map(([asset, text]) => {
        const gone = sold.find((sale) => sale.borrower_id === borrowerId && sale.asset === asset)
        const rest = BigInt(text) - (gone?.units ?? 0n)
        return { asset, units: rest > 0n ? rest : 0n }
      })
      const positions = row?.positions ? held : (pushed.get(borrowerId)?.positions ?? [])
      return [borrowerId, { positions, lateSeconds: row?.late_seconds ?? 0 }]
    }),
  )
}

/** Whether a question has been open for so long (domain time). */
export async function isAnswerDue(
  db: Db,
  question: { tenantId: string; callId: string },
  lateSeconds: number,
  now: Date,
): Promise<boolean> {
  if (lateSeconds === 0) return true
  const askedAt = await noteSandboxQuestion(db, question, now)
  return now >= addMs(askedAt, lateSeconds * SECOND_MS)
}

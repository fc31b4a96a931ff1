import type { Db } from '../../db/database.ts'
import { foldJournal, selectBalances } from './queries.ts'

/** One balance on which a facility and its journal do not agree. */
export type Disagreement = {
  tenantId: string
  facilityId: string
  balance: string
  stored: bigint
  recomputed: bigint
}

/**
 * Recomputes every balance of every facility from the journal, the movements of principal and the
 * draws under way, and lists what does not agree: none, ever. Safe on a live database.
 */
export async function checkLedger(db: Db): Promise<Disagreement[]> {
  const folded = new Map<string, bigint>()
  for (const row of await foldJournal(db)) {
    folded.set(`${row.tenant_id} ${row.facility_id} ${row.account} ${row.asset}`, row.units)
  }
  const disagreements: Disagreement[] = []
  for (const row of await selectBalances(db)) {
    const { tenant_id: tenantId, facility_id: facilityId } = row
    const account = (name: string) => folded.get(`${tenantId} ${facilityId} ${name} USD`) ?? 0n
    const compare = (balance: string, stored: bigint, recomputed: bigint) => {
      if (stored !== recomputed) {
        disagreements.push({ tenantId, facilityId, balance, stored, recomputed })
      }
    }
    const receivable = row.interest_booked_cents - row.interest_paid_cents
    compare('principal', row.principal_cents, account('principal'))
    compare('principal by its movements', row.principal_cents, row.moved_cents)
    compare('interest receivable', receivable, account('interest_receivable'))
    compare('refund due', row.refund_due_cents, -account('refund_payable'))
    compare('reservations', row.reserved_cents, row.pending_draw_cents)
  }
  return disagreements
}

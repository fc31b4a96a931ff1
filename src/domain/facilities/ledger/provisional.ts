import { maxOf } from '../../../core/money.ts'
import type { Db } from '../../../db/database.ts'
import type { Facility } from '../facilities.ts'
import { accrue, type Debt, outstandingAt } from './debt.ts'
import { selectHistory, selectProvisionalEntries } from './journal-queries.ts'
import { replayDebt } from './late-payment.ts'

// Money that can still be taken back pays and cures. It frees nothing: limit, custodian's floor, payouts
// and release are those of a facility that has not received it.

export type Provisional = { principalCents: bigint; interestCents: bigint }

export function isProvisional({ provisionalUntil }: Facility, now: Date): boolean {
  return provisionalUntil !== undefined && provisionalUntil > now
}

/** The debt as if what can still be taken back had not come. Only then is the journal read. */
export async function debtIfTakenBack(db: Db, facility: Facility, now: Date): Promise<Debt> {
  const { tenantId, id, debt, earlierRates } = facility
  if (!isProvisional(facility, now)) return debt
  const provisional = await selectProvisionalEntries(db, tenantId, id, now)
  const { movements } = await selectHistory(db, tenantId, id)
  const others = movements.filter(({ entryId }) => !provisional.has(entryId))
  return replayDebt(accrue(debt, debt.accruedAt), earlierRates, others)
}

/** What would be owed in addition. */
export async function provisionalAt(db: Db, facility: Facility, now: Date): Promise<Provisional> {
  if (!isProvisional(facility, now)) return { principalCents: 0n, interestCents: 0n }
  const owed = outstandingAt(await debtIfTakenBack(db, facility, now), now)
  const { principalCents, interestCents } = outstandingAt(facility.debt, now)
  return {
    principalCents: maxOf(0n, owed.principalCents - principalCents),
    interestCents: maxOf(0n, owed.interestCents - interestCents),
  }
}

import { maxOf } from '../../../core/money.ts'
import { laterOf } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { ratesOf, withRates } from '../corrections/rates.ts'
import type { Facility } from '../facilities.ts'
import { accrue, type Debt, outstandingAt } from './debt.ts'
import { loadHistory } from './history.ts'
import { selectProvisionalEntries } from './journal-queries.ts'
import { replay } from './replay.ts'

// Money that can still be taken back pays and cures. It frees nothing: limit, custodian's floor, payouts
// and release are those of a facility that has not received it.

export type Provisional = { principalCents: bigint; interestCents: bigint }

/** Until its treasury has answered, at that instant or later, that the money has not come back. */
export function isProvisional({ provisionalUntil }: Facility): boolean {
  return provisionalUntil !== undefined
}

/** The debt as if what can still be taken back had not come. Only then is the journal read. */
export async function debtIfTakenBack(db: Db, facility: Facility, now: Date): Promise<Debt> {
  const { tenantId, id, debt } = facility
  if (!isProvisional(facility)) return debt
  const remove = await selectProvisionalEntries(db, tenantId, id)
  const history = await loadHistory(db, tenantId, id)
  const until = laterOf(debt.accruedAt, now)
  const { history: booked, ratePpm } = withRates(history, ratesOf(facility))
  const replayed = replay(booked, { remove }, { ratePpm, until })
  return accrue({ ...debt, ...replayed.debt, accruedAt: until }, until)
}

/** What would be owed in addition. */
export async function provisionalAt(db: Db, facility: Facility, now: Date): Promise<Provisional> {
  if (!isProvisional(facility)) return { principalCents: 0n, interestCents: 0n }
  const owed = outstandingAt(await debtIfTakenBack(db, facility, now), now)
  const { principalCents, interestCents } = outstandingAt(facility.debt, now)
  return {
    principalCents: maxOf(0n, owed.principalCents - principalCents),
    interestCents: maxOf(0n, owed.interestCents - interestCents),
  }
}

import { inTransaction } from '../../../src/db/database.ts'
import type { Correction } from '../../../src/domain/facilities/corrections/corrections.ts'
import { agreedRates } from '../../../src/domain/facilities/corrections/rates.ts'
import type { DebtEvent } from '../../../src/domain/facilities/ledger/debt-account.ts'
import {
  type Corrected,
  correctFacility,
  type Proof,
} from '../../../src/domain/margin/correct-facility.ts'
import { type Lending, read } from './lending.ts'

/** As confirmed by a second operator, now. */
export async function correct(
  lending: Lending,
  facilityId: string,
  correction: Correction,
  proof: Proof = 'what counts',
): Promise<Corrected> {
  return await inTransaction(lending.db, (tx) =>
    correctFacility(lending.within(tx), facilityId, correction, proof),
  )
}

/** What amendments and corrections that hold make true of a debt. An amendment ends the corrections before
 * it; where several lower the rate of an instant, the last that was booked does. */
export async function listCorrected(
  lending: Lending,
  facilityId: string,
): Promise<{ events: DebtEvent[]; firstRatePpm: bigint }> {
  const rows = await lending.db
    .selectFrom('facility_corrections')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .where('undone_at', 'is', null)
    .orderBy('corrected_at')
    .execute()
  const events: DebtEvent[] = []
  for (const { correction_id: id, kind, amount_cents: cents, corrected_at: valueAt } of rows) {
    if (kind !== 'waive_interest' && kind !== 'credit') continue
    events.push({ id, kind, valueAt, cents: cents ?? 0n })
  }
  const corrections = rows.flatMap(({ rate_ppm: ratePpm, from_at: from }) =>
    ratePpm !== null && from ? [{ ratePpm: BigInt(ratePpm), from: from.getTime() }] : [],
  )
  const { ratePpm, earlierRates } = agreedRates(await read(lending, facilityId))
  const agreed = [...earlierRates, { ratePpm, until: new Date(8.64e15) }]
  const rateAt = new Map<number, bigint>()
  let start = 0
  for (const { ratePpm: amended, until } of agreed) {
    rateAt.set(start, amended)
    const own = corrections.filter(({ from }) => from >= start && from < until.getTime())
    for (const { from } of own) {
      const last = own.findLast((one) => one.from <= from)
      if (last) rateAt.set(from, last.ratePpm)
    }
    start = until.getTime()
  }
  for (const [from, inForce] of rateAt) {
    events.push({ id: `rate/${from}`, kind: 'rate', valueAt: new Date(from), ratePpm: inForce })
  }
  return { events, firstRatePpm: earlierRates[0]?.ratePpm ?? ratePpm }
}

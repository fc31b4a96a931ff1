import { inTransaction } from '../../../src/db/database.ts'
import type { Correction } from '../../../src/domain/facilities/corrections/corrections.ts'
import type { DebtEvent } from '../../../src/domain/facilities/ledger/debt-account.ts'
import {
  type Corrected,
  correctFacility,
  type Proof,
} from '../../../src/domain/margin/correct-facility.ts'
import type { Lending } from './lending.ts'

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

/** What corrections that hold make true of a debt. Where several lower the rate of an instant, the last
 * that was booked does; amendments are not played. */
export async function listCorrected(
  { db }: Lending,
  facilityId: string,
): Promise<{ events: DebtEvent[]; firstRatePpm: bigint | undefined }> {
  const rows = await db
    .selectFrom('facility_corrections')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .where('undone_at', 'is', null)
    .orderBy('corrected_at')
    .execute()
  const { agreed_rates: agreed } = await db
    .selectFrom('facilities')
    .select('agreed_rates')
    .where('facility_id', '=', facilityId)
    .executeTakeFirstOrThrow()
  const events: DebtEvent[] = []
  for (const { correction_id: id, kind, amount_cents: cents, corrected_at: valueAt } of rows) {
    if (kind !== 'waive_interest' && kind !== 'credit') continue
    events.push({ id, kind, valueAt, cents: cents ?? 0n })
  }
  const rates = rows.flatMap(({ rate_ppm: ratePpm, from_at: from }) =>
    ratePpm !== null && from ? [{ ratePpm: BigInt(ratePpm), from: from.getTime() }] : [],
  )
  for (const from of new Set(rates.map((rate) => rate.from))) {
    const last = rates.findLast((rate) => rate.from <= from)
    const id = `rate/${from}`
    if (last) events.push({ id, kind: 'rate', valueAt: new Date(from), ratePpm: last.ratePpm })
  }
  return { events, firstRatePpm: agreed ? BigInt(agreed.rate_ppm) : undefined }
}

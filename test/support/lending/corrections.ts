import { inTransaction } from '../../../src/db/database.ts'
import type { Correction } from '../../../src/domain/facilities/corrections/corrections.ts'
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

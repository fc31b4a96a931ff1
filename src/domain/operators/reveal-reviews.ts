import type { Tx } from '../../db/database.ts'
import { getBorrower } from '../onboarding/borrowers.ts'
import { type CheckInReview, listReviewsOf } from '../onboarding/reviews.ts'
import { listSignatures, type Signature } from '../onboarding/signatures.ts'
import { type ActingOperator, recordOperatorAction } from './actions.ts'

/** Who signed for a borrower, and its checks that wait with their notes. That they were shown is
 * recorded, and not what was shown. Refuses `not_found` and `scope_missing`. */
export async function revealReviews(
  tx: Tx,
  acting: ActingOperator,
  { tenantId, borrowerId }: { tenantId: string; borrowerId: string },
  reason: string,
): Promise<{ reviews: CheckInReview[]; signatures: Signature[] }> {
  await getBorrower(tx, tenantId, borrowerId)
  const reviews = await listReviewsOf(tx, tenantId, borrowerId)
  const signatures = await listSignatures(tx, tenantId, borrowerId)
  const subject = { kind: 'borrower', id: borrowerId }
  await recordOperatorAction(tx, acting, { action: 'borrowers.reveal', subject, tenantId, reason })
  return { reviews, signatures }
}

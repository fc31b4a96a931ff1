import { EVALUATE_BORROWER } from '../domain/onboarding/borrowers.ts'
import { evaluateBorrower } from '../domain/onboarding/evaluate-borrower.ts'
import { defineWorkJob } from './define-work-job.ts'

/** Evaluates a borrower's eligibility, if that is still asked for. */
export const evaluateBorrowerJob = defineWorkJob(
  EVALUATE_BORROWER,
  ({ db, compliance, config, instant }, tenantId, borrowerId) =>
    evaluateBorrower(db, compliance, tenantId, borrowerId, {
      instant: () => instant(tenantId),
      graceDays: config.documentGraceDays,
    }),
)

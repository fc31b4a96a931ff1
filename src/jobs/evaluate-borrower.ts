import { z } from 'zod'
import { EVALUATE_BORROWER } from '../domain/onboarding/borrowers.ts'
import { evaluateBorrower } from '../domain/onboarding/evaluate-borrower.ts'
import { runWork } from '../domain/outbox/outbox.ts'
import { defineJob } from './define-job.ts'
import type { JobContext } from './registry.ts'

/** Evaluates a borrower's eligibility, if that is still asked for. */
export const evaluateBorrowerJob = defineJob({
  name: EVALUATE_BORROWER,
  payload: z.object({ tenantId: z.string(), subjectId: z.string() }),
  async run({ db, clock, clockFor, compliance, config }: JobContext, { tenantId, subjectId }) {
    await runWork(db, { tenantId, topic: EVALUATE_BORROWER, subjectId }, clock, () =>
      evaluateBorrower(db, compliance, tenantId, subjectId, {
        instant: async () => ({ now: await clockFor(db, tenantId), realNow: clock() }),
        graceDays: config.documentGraceDays,
      }),
    )
  },
})

import { EVALUATE_BORROWER } from '../../domain/onboarding/borrowers.ts'
import { evaluateBorrower } from '../../domain/onboarding/evaluate-borrower.ts'
import type { TopicHandler } from './work-handlers.ts'

export const evaluateBorrowerWork = {
  [EVALUATE_BORROWER]: ({ db, compliance, config, instant }, tenantId, borrowerId) =>
    evaluateBorrower(
      {
        db,
        provider: compliance,
        instant: () => instant(tenantId),
        graceDays: config.policy.documentGraceDays,
      },
      tenantId,
      borrowerId,
    ),
} satisfies Record<string, TopicHandler>

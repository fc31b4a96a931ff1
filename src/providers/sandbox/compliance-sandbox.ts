import { addMs, SECOND_MS } from '../../core/time.ts'
import type {
  CheckAnswer,
  CheckRequest,
  ComplianceProvider,
} from '../../domain/onboarding/compliance.ts'

const SLOW_MS = 3 * SECOND_MS

/** The tag in the signer's e-mail address chooses the outcome: `+fail`, `+review`, `+slow`.
 * Otherwise checks pass. */
export function createSandboxCompliance(): ComplianceProvider {
  return {
    identity: { verify: async (request) => answerByTag(request) },
    aml: { screen: async () => ({ status: 'passed' }) },
  }
}

function answerByTag({ subject, reference, now }: CheckRequest): CheckAnswer {
  const [, tag = ''] = /\+([a-z]+)@/i.exec(subject.email) ?? []
  switch (tag.toLowerCase()) {
    case 'fail':
      return { status: 'failed', note: 'The e-mail address asks for a failure.' }
    case 'review':
      return { status: 'review', note: 'The e-mail address asks for a review.' }
    case 'slow':
      return answerLate(reference, now)
    default:
      return { status: 'passed' }
  }
}

/** The reference holds the time of the answer. */
function answerLate(reference: string | undefined, now: Date): CheckAnswer {
  const readyAt = reference ? new Date(reference) : addMs(now, SLOW_MS)
  if (readyAt <= now) return { status: 'passed' }
  return { status: 'pending', reference: readyAt.toISOString(), askAgainAt: readyAt }
}

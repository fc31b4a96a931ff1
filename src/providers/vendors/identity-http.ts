import { z } from 'zod'
import { addMs, SECOND_MS } from '../../core/time.ts'
import type { CheckAnswer, IdentityVerifier } from '../../domain/onboarding/compliance.ts'
import { leftOut, retryAfterSeconds, vendorRemark, vendorText } from './answers.ts'
import type { SignedClient } from './signed-client.ts'

const optional = { reference: leftOut(vendorText(200)), note: leftOut(vendorRemark(500)) }

const answer = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['passed', 'failed', 'review']), ...optional }),
  z.object({ status: z.literal('pending'), retry_after_seconds: retryAfterSeconds, ...optional }),
])

export function createHttpIdentity(client: SignedClient): IdentityVerifier {
  return {
    async verify({ tenantId, checkId, subject, reference, now }): Promise<CheckAnswer> {
      const reply = await client.put({
        tenantId,
        operation: 'checks',
        callId: checkId,
        body: {
          type: subject.borrowerType === 'business' ? 'kyb' : 'kyc',
          subject: {
            full_name: subject.fullName,
            email: subject.email,
            residency_country: subject.residencyCountry,
            residency_state: subject.residencyState,
          },
          // Our own id stands for a reference that the vendor did not give.
          reference: reference === checkId ? undefined : reference,
        },
        answer,
      })
      if (reply.status !== 'pending') return reply
      const askAgainAt = addMs(now, reply.retry_after_seconds * SECOND_MS)
      return { status: 'pending', reference: reply.reference ?? checkId, askAgainAt }
    },
  }
}

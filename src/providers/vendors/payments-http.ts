import { z } from 'zod'
import { formatAmount } from '../../core/money.ts'
import type { Payments } from '../../domain/facilities/ports.ts'
import { amount, callAnswer, vendorText } from './answers.ts'
import type { SignedClient } from './signed-client.ts'

const paid = z.object({ reference: vendorText(200) })

/** Null says that nothing was received; a member that is missing says nothing. */
const receipt = z.object({
  received: amount.nullable().transform((received) => received ?? undefined),
})

/** A treasury that speaks the service's contract (docs/providers.md). */
export function createHttpPayments(client: SignedClient): Payments {
  return {
    payOut: ({ tenantId, callId, realNow, amount: paidOut, destination }) =>
      client.put({
        operation: 'payouts',
        callId,
        body: { tenant_id: tenantId, amount: formatAmount(paidOut), destination },
        answer: callAnswer(paid, realNow),
      }),
    confirmReceipt: ({ tenantId, callId, realNow, reference, claimed }) =>
      client.put({
        operation: 'receipts',
        callId,
        body: { tenant_id: tenantId, reference, claimed: formatAmount(claimed) },
        answer: callAnswer(receipt, realNow),
      }),
  }
}

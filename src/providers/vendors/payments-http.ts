import { z } from 'zod'
import { formatAmount } from '../../core/money.ts'
import type { Payments } from '../../domain/facilities/ports.ts'
import { amount, callAnswer, leftOut, vendorText } from './answers.ts'
import type { SignedClient } from './signed-client.ts'

const paid = z.object({ reference: vendorText(200) })

/** Null: nothing was received. A missing member: unknown. */
const received = z
  .object({ received: amount.nullable(), transfer_id: leftOut(vendorText(200)) })
  .transform((answer, context) => {
    const { received, transfer_id: transferId } = answer
    if (received === null) return { receipt: undefined }
    if (transferId !== undefined) return { receipt: { transferId, amount: received } }
    context.addIssue('must name the transfer that was received')
    return z.NEVER
  })

export function createHttpPayments(client: SignedClient): Payments {
  return {
    payOut: ({ tenantId, callId, realNow, amount: paidOut, destination }) =>
      client.put({
        tenantId,
        operation: 'payouts',
        callId,
        body: { amount: formatAmount(paidOut), destination },
        answer: callAnswer(paid, realNow),
      }),
    confirmReceipt: ({ tenantId, callId, realNow, reference, claimed }) =>
      client.put({
        tenantId,
        operation: 'receipts',
        callId,
        body: { reference, claimed: formatAmount(claimed) },
        answer: callAnswer(received, realNow),
      }),
  }
}

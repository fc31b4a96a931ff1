import { z } from 'zod'
import { formatAmount } from '../../core/money.ts'
import { addMs } from '../../core/time.ts'
import { LONGEST_PROVISIONAL_MS, type Payments } from '../../domain/facilities/ports.ts'
import { amount, instant, isAhead, leftOut, paymentAnswer, vendorText } from './answers.ts'
import type { SignedClient } from './signed-client.ts'

const paid = z.object({ reference: vendorText(200) })

/** Null: nothing was received. A missing member: unknown. */
const received = z.object({
  received: amount.nullable(),
  transfer_id: leftOut(vendorText(200)),
  received_at: leftOut(instant),
  final_at: leftOut(instant),
})

/** Members that say something about the receipt are read where there is one. */
function receivedBy(realNow: Date) {
  return received.transform((answer, context) => {
    if (answer.received === null) return { receipt: undefined }
    const { transfer_id: transferId, received_at: receivedAt, final_at: finalAt } = answer
    if (transferId === undefined) context.addIssue('must name the transfer that was received')
    if (receivedAt && isAhead(receivedAt, realNow)) {
      context.addIssue('must not have been received in the future')
    }
    if (finalAt && finalAt > addMs(realNow, LONGEST_PROVISIONAL_MS)) {
      context.addIssue('must be final within 120 days')
    }
    const dates = { receivedAt, finalAt }
    return { receipt: { transferId: transferId ?? '', amount: answer.received, ...dates } }
  })
}

export function createHttpPayments(client: SignedClient): Payments {
  const putPayout =
    (operation: 'payouts' | 'cancellations'): Payments['payOut'] =>
    ({ tenantId, callId, realNow, amount: paidOut, destination }) =>
      client.put({
        tenantId,
        operation,
        callId,
        body: { amount: formatAmount(paidOut), destination },
        answer: paymentAnswer(paid, realNow),
      })
  return {
    payOut: putPayout('payouts'),
    cancelPayOut: putPayout('cancellations'),
    confirmReceipt: ({ tenantId, callId, realNow, reference, claimed }) =>
      client.put({
        tenantId,
        operation: 'receipts',
        callId,
        body: { reference, claimed: formatAmount(claimed) },
        answer: paymentAnswer(receivedBy(realNow), realNow),
      }),
  }
}

import { z } from 'zod'
import { formatAmount } from '../../core/money.ts'
import { addMs, isTimeZone } from '../../core/time.ts'
import {
  type ListedTransfer,
  LONGEST_PROVISIONAL_MS,
  MAX_LISTED,
  type Payments,
} from '../../domain/facilities/ports.ts'
import {
  amount,
  callAnswer,
  instant,
  isAhead,
  leftOut,
  paymentAnswer,
  readUnits,
  vendorText,
} from './answers.ts'
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

const listedTransfer = z
  .object({
    transfer_id: vendorText(200),
    direction: z.enum(['in', 'out']),
    amount,
    call_id: leftOut(z.string().regex(/^[a-z0-9_.]{1,80}$/)),
    returns: leftOut(vendorText(200)),
  })
  .transform((row): ListedTransfer => {
    const { asset, units } = row.amount
    return {
      transferId: row.transfer_id,
      amount: { asset, units: row.direction === 'in' ? units : -units },
      callId: row.call_id,
      returns: row.returns,
    }
  })

/** A thousand transfers, each of at most 200 characters three times. */
const MAX_DAY_BYTES = 2 * 1024 * 1024

const balance = z
  .object({ amount: z.string(), asset: z.string().regex(/^[A-Z0-9]{1,16}$/) })
  .transform(({ amount: decimal, asset }, context) => {
    const units = readUnits(asset, decimal)
    if (units !== undefined) return { asset, units }
    context.addIssue('must be 0 or more, and within the bounds and digits of the asset')
    return z.NEVER
  })

const isUnique = (values: readonly string[]) => new Set(values).size === values.length

const listedDay = z
  .object({
    time_zone: z.string().max(64).refine(isTimeZone, 'must be an IANA time zone'),
    transfers: z.array(listedTransfer).max(MAX_LISTED),
    balances: z.array(balance).max(20),
    next: leftOut(vendorText(200)),
  })
  .refine(({ balances }) => isUnique(balances.map(({ asset }) => asset)), 'must name an asset once')
  .transform(({ time_zone: timeZone, ...page }) => ({ timeZone, ...page }))

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
    listDay: ({ tenantId, callId, realNow, day, after }) =>
      client.put({
        tenantId,
        operation: 'days',
        callId,
        body: { day, ...(after !== undefined && { after }) },
        answer: callAnswer(listedDay, realNow),
        maxAnswerBytes: MAX_DAY_BYTES,
      }),
  }
}

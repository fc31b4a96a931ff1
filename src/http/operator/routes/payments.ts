import { z } from 'zod'
import { formatAmount } from '../../../core/money.ts'
import { type Doubt, pageDoubts, pageWaiting } from '../../../domain/facilities/doubts/doubts.ts'
import {
  CHECK_PAYMENT_AGAIN,
  DISMISS_PAYMENT,
} from '../../../domain/operators/acts/payment-acts.ts'
import { amountSchema } from '../../schemas/amounts.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { idInput, idText, pageOf, text, timestamp, toPageBody } from '../../schemas/fields.ts'
import { actRoute } from '../act-route.ts'
import { deskPageQuery, type OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'

const PAYMENT_EXAMPLE = {
  id: 'rep_01k9x4m2q8e0tb7f2v5j6h8n3c',
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  reason: 'other_amount' as const,
  answer: '{"status":"returned","amount":{"amount":"4000.00","asset":"USD"}}',
  since: '2026-11-25T12:00:00.000Z',
}

const paymentSchema = z
  .strictObject({
    id: z.string().describe('A repayment, a draw or a refund'),
    tenant_id: idText('ten'),
    facility_id: idText('fac'),
    reason: z
      .enum(['refused', 'other_amount', 'other_content', 'paid_out'])
      .describe('paid_out: its transfer was taken back after it was sent back in its own asset'),
    answer: z.string().describe("The provider's, as JSON"),
    since: timestamp,
  })
  .meta({ id: 'DoubtfulPayment', examples: [PAYMENT_EXAMPLE] })

const WAITING_EXAMPLE = {
  id: 'drw_01k9x4m2q8e0tb7f2v5j6h8n3c',
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  kind: 'draw' as const,
  amount: { amount: '5000.00', asset: 'USD' },
  since: '2026-11-25T12:00:00.000Z',
  asked_again_at: '2026-11-26T12:05:00.000Z',
  failures: 0,
  error: null,
}

const waitingSchema = z.strictObject({
  id: z.string().describe('A draw, a refund or a repayment'),
  tenant_id: idText('ten'),
  facility_id: idText('fac'),
  kind: z.enum(['draw', 'refund', 'receipt']).describe('receipt: its money should be final by now'),
  amount: amountSchema,
  since: timestamp.describe("Of the tenant's time"),
  asked_again_at: timestamp.nullable().describe('null: it is being asked'),
  failures: z.int().describe('Calls in a row that failed; 0: the last answer was "pending"'),
  error: z.string().nullable(),
})

const params = z.strictObject({ tenant_id: idInput('ten'), payment_id: text(40) })

export function paymentRoutes(app: OperatorApp, context: OperatorContext): void {
  app.get('/payments/doubtful', {
    id: 'listDoubtfulPayments',
    summary: 'List the answers about payments that an operator has to look at, longest first',
    tag: 'Operations',
    querystring: z.strictObject(deskPageQuery),
    response: { 200: pageOf(paymentSchema, 'DoubtfulPaymentPage', PAYMENT_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { db, cursors } = context
      return toPageBody(await pageDoubts(db, { request: request.query, cursors }), toBody)
    },
  })

  app.get('/payments/waiting', {
    id: 'listWaitingPayments',
    summary: 'List the payments without a final answer for an hour or more, longest first',
    tag: 'Operations',
    querystring: z.strictObject(deskPageQuery),
    response: { 200: pageOf(waitingSchema, 'WaitingPaymentPage', WAITING_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { db, cursors, clock } = context
      const page = await pageWaiting(db, clock(), { request: request.query, cursors })
      return toPageBody(page, (one) => toWaitingBody({ ...one, amount: formatAmount(one.amount) }))
    },
  })

  const deciding = {
    ...({ tag: 'Operations', params } as const),
    example: { reason: 'the bank has corrected its answer' },
    askedOf: (given: { tenantId: string; paymentId: string }) => ({
      ...{ tenantId: given.tenantId, subjectId: given.paymentId },
    }),
  }
  actRoute(app, context, '/tenants/:tenant_id/payments/:payment_id/check', {
    id: 'checkPayment',
    summary: 'Ask again whether a payment has come back',
    ...deciding,
    guarded: CHECK_PAYMENT_AGAIN,
  })
  actRoute(app, context, '/tenants/:tenant_id/payments/:payment_id/dismiss', {
    id: 'dismissPayment',
    summary: 'Take an answer about a payment off the list',
    ...deciding,
    guarded: DISMISS_PAYMENT,
  })
}

const toWaitingBody = bodyOf(waitingSchema)

const toPaymentBody = bodyOf(paymentSchema)

function toBody(doubt: Doubt) {
  return toPaymentBody({ ...doubt, id: doubt.subjectId, answer: JSON.stringify(doubt.answer) })
}

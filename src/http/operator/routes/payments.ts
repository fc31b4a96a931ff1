import { z } from 'zod'
import { formatAmount } from '../../../core/money.ts'
import {
  type Doubt,
  pageDoubts,
  pageWaiting,
  type Waiting,
} from '../../../domain/facilities/doubts/doubts.ts'
import type { GuardedAct } from '../../../domain/operators/acts/guarded-act.ts'
import {
  CHECK_PAYMENT_AGAIN,
  DISMISS_PAYMENT,
  type OfPayment,
} from '../../../domain/operators/acts/payment-acts.ts'
import { amountSchema } from '../../schemas/amounts.ts'
import { idInput, idText, pageOf, text, timestamp, toPageBody } from '../../schemas/fields.ts'
import { decisionRoute, type Named } from '../decision-route.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { deskPageQuery } from '../page-query.ts'

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
      return toPageBody(page, toWaitingBody)
    },
  })

  const decide = (path: string, of: Named, guarded: GuardedAct<OfPayment, unknown>) =>
    decisionRoute(app, context, {
      ...{ ...of, path: `/tenants/:tenant_id/payments/:payment_id/${path}`, params, guarded },
      reason: 'the bank has corrected its answer',
      askedOf: ({ tenant_id: tenantId, payment_id: subjectId }) => ({ tenantId, subjectId }),
    })
  const check = { id: 'checkPayment', summary: 'Ask again whether a payment has come back' }
  decide('check', check, CHECK_PAYMENT_AGAIN)
  const dismissed = { id: 'dismissPayment', summary: 'Take an answer about a payment off the list' }
  decide('dismiss', dismissed, DISMISS_PAYMENT)
}

function toWaitingBody(one: Waiting): z.input<typeof waitingSchema> {
  return {
    ...{ id: one.id, tenant_id: one.tenantId, facility_id: one.facilityId, kind: one.kind },
    ...{ amount: formatAmount(one.amount), since: one.since.toISOString() },
    asked_again_at: one.askedAgainAt?.toISOString() ?? null,
    ...{ failures: one.failures, error: one.error ?? null },
  }
}

function toBody(doubt: Doubt): z.input<typeof paymentSchema> {
  return {
    id: doubt.subjectId,
    tenant_id: doubt.tenantId,
    facility_id: doubt.facilityId,
    reason: doubt.reason,
    answer: JSON.stringify(doubt.answer),
    since: doubt.since.toISOString(),
  }
}

import { z } from 'zod'
import { type Doubt, pageDoubts } from '../../../domain/facilities/doubts/doubts.ts'
import type { GuardedAct } from '../../../domain/operators/acts/guarded-act.ts'
import {
  CHECK_PAYMENT_AGAIN,
  DISMISS_PAYMENT,
  type OfPayment,
} from '../../../domain/operators/acts/payment-acts.ts'
import type { TypedApp } from '../../app-type.ts'
import { idInput, idText, pageOf, text, timestamp, toPageBody } from '../../schemas/fields.ts'
import { operatorOperation } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { deskPageQuery } from '../page-query.ts'
import { outcomeSchema, performAct, reasonText } from '../perform-act.ts'

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

const params = z.strictObject({ tenant_id: idInput('ten'), payment_id: text(40) })
const reasonSchema = z
  .strictObject({ reason: reasonText })
  .meta({ examples: [{ reason: 'the bank has corrected its answer' }] })

export function paymentRoutes(app: TypedApp, context: OperatorContext): void {
  app.get(
    '/payments/doubtful',
    {
      schema: operatorOperation({
        id: 'listDoubtfulPayments',
        summary: 'List the answers about payments that an operator has to look at, longest first',
        tag: 'Operations',
        querystring: z.strictObject(deskPageQuery),
        response: { 200: pageOf(paymentSchema, 'DoubtfulPaymentPage', PAYMENT_EXAMPLE) },
        errors: ['cursor_invalid'],
      }),
    },
    async (request) => {
      const { db, cursors } = context
      return toPageBody(await pageDoubts(db, { request: request.query, cursors }), toBody)
    },
  )

  const decide = (
    path: string,
    { id, summary }: { id: string; summary: string },
    guarded: GuardedAct<OfPayment, unknown>,
  ) =>
    app.post(
      `/tenants/:tenant_id/payments/:payment_id/${path}`,
      {
        schema: operatorOperation({
          ...{ id, summary, tag: 'Operations' },
          params,
          body: reasonSchema,
          response: { 200: outcomeSchema },
          errors: ['scope_missing'],
        }),
      },
      async (request) => {
        const { tenant_id: tenantId, payment_id: subjectId } = request.params
        const asked = { tenantId, subjectId }
        return await performAct(context, request, guarded, { asked, reason: request.body.reason })
      },
    )
  const check = { id: 'checkPayment', summary: 'Ask again whether a payment has come back' }
  decide('check', check, CHECK_PAYMENT_AGAIN)
  const dismissed = { id: 'dismissPayment', summary: 'Take an answer about a payment off the list' }
  decide('dismiss', dismissed, DISMISS_PAYMENT)
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

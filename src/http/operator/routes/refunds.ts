import { z } from 'zod'
import { formatAmount } from '../../../core/money.ts'
import {
  pageRefusedRefunds,
  type RefusedRefund,
} from '../../../domain/facilities/refunds/redirect-refund.ts'
import { REDIRECT_REFUND } from '../../../domain/operators/acts/payment-acts.ts'
import { amountSchema } from '../../schemas/amounts.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import {
  externalName,
  idInput,
  idText,
  pageOf,
  timestamp,
  toPageBody,
} from '../../schemas/fields.ts'
import { actRoute } from '../act-route.ts'
import { deskPageQuery, type OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'

const REFUND_EXAMPLE = {
  id: 'rfd_01k9x4m2q8e0tb7f2v5j6h8n3c',
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  amount: { amount: '500.00', asset: 'USD' },
  destination: 'account-1',
  refusals: 2,
  payment_under_way: false,
  created_at: '2026-11-22T12:00:00.000Z',
}

const refundSchema = z
  .strictObject({
    id: idText('rfd'),
    tenant_id: idText('ten'),
    facility_id: idText('fac'),
    amount: amountSchema,
    destination: z.string().nullable(),
    refusals: z.int(),
    payment_under_way: z.boolean().describe('It may still be paid, so it cannot be redirected'),
    created_at: timestamp,
  })
  .meta({ id: 'RefusedRefund', examples: [REFUND_EXAMPLE] })

const params = z.strictObject({ tenant_id: idInput('ten'), refund_id: idInput('rfd') })

export function refundRoutes(app: OperatorApp, context: OperatorContext): void {
  app.get('/refunds/refused', {
    id: 'listRefusedRefunds',
    summary: 'List the refunds of all tenants that the treasury refused to pay, oldest first',
    tag: 'Operations',
    querystring: z.strictObject(deskPageQuery),
    response: { 200: pageOf(refundSchema, 'RefusedRefundPage', REFUND_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { db, cursors } = context
      return toPageBody(await pageRefusedRefunds(db, { request: request.query, cursors }), toBody)
    },
  })

  actRoute(app, context, '/tenants/:tenant_id/refunds/:refund_id/redirect', {
    id: 'redirectRefund',
    summary: 'Pay a refused refund to another destination',
    tag: 'Operations',
    params,
    body: { destination: externalName(200) },
    example: { destination: 'account-2', reason: 'account closed' },
    guarded: REDIRECT_REFUND,
  })
}

const toRefundBody = bodyOf(refundSchema)

function toBody(refund: RefusedRefund) {
  const amount = formatAmount(refund.amount)
  return toRefundBody({ ...refund, amount, paymentUnderWay: refund.isOrdered })
}

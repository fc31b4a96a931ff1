import { z } from 'zod'
import { formatAmount } from '../../../core/money.ts'
import {
  pageRefusedRefunds,
  type RefusedRefund,
} from '../../../domain/facilities/refunds/redirect-refund.ts'
import { REDIRECT_REFUND } from '../../../domain/operators/acts/refund-acts.ts'
import { amountSchema } from '../../schemas/amounts.ts'
import {
  externalName,
  idInput,
  idText,
  pageOf,
  timestamp,
  toPageBody,
} from '../../schemas/fields.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { deskPageQuery } from '../page-query.ts'
import { outcomeSchema, performAct, reasonText } from '../perform-act.ts'

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
const redirectSchema = z
  .strictObject({ destination: externalName(200), reason: reasonText })
  .meta({ examples: [{ destination: 'account-2', reason: 'account closed' }] })

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

  app.post('/tenants/:tenant_id/refunds/:refund_id/redirect', {
    id: 'redirectRefund',
    summary: 'Pay a refused refund to another destination',
    tag: 'Operations',
    params,
    body: redirectSchema,
    response: { 200: outcomeSchema },
    errors: ['scope_missing'],
    async handler(request) {
      const { tenant_id: tenantId, refund_id: refundId } = request.params
      const { destination, reason } = request.body
      const asked = { tenantId, refundId, destination }
      return await performAct(context, request, REDIRECT_REFUND, { asked, reason })
    },
  })
}

function toBody(refund: RefusedRefund): z.input<typeof refundSchema> {
  return {
    id: refund.id,
    tenant_id: refund.tenantId,
    facility_id: refund.facilityId,
    amount: formatAmount(refund.amount),
    destination: refund.destination ?? null,
    refusals: refund.refusals,
    payment_under_way: refund.isOrdered,
    created_at: refund.createdAt.toISOString(),
  }
}

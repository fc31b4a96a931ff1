import { z } from 'zod'
import { formatAmount } from '../../../core/money.ts'
import type { GuardedAct } from '../../../domain/operators/acts/guarded-act.ts'
import {
  ASK_AGAIN,
  type OfRepayment,
  REFUSE_CLAIM,
} from '../../../domain/operators/acts/receipt-acts.ts'
import { pageUndecided, type Undecided } from '../../../domain/repayments/undecided.ts'
import type { TypedApp } from '../../app-type.ts'
import { amountSchema } from '../../schemas/amounts.ts'
import { idInput, idText, pageOf, timestamp, toPageBody } from '../../schemas/fields.ts'
import { operatorOperation } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { deskPageQuery } from '../page-query.ts'
import { outcomeSchema, performAct, reasonText } from '../perform-act.ts'

const RECEIPT_EXAMPLE = {
  kind: 'contested' as const,
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  repayment_id: 'rep_01k9x4m2q8e0tb7f2v5j6h8n3c',
  delivered: { amount: '5000.00', asset: 'USD' },
  reference: 'wire-20261125-0001',
  transfer_id: '20261125MMQFMP0B000123',
  paid_for: {
    tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3d',
    repayment_id: 'rep_01k9x4m2q8e0tb7f2v5j6h8n3d',
  },
  since: '2026-11-25T12:00:00.000Z',
}

const receiptSchema = z
  .strictObject({
    kind: z.enum(['contested']).describe('contested: its transfer pays another repayment'),
    tenant_id: idText('ten'),
    facility_id: idText('fac'),
    repayment_id: idText('rep'),
    delivered: amountSchema.nullable().describe('What the tenant reported'),
    reference: z.string().nullable(),
    transfer_id: z.string().describe("The treasury's own id of the transfer"),
    paid_for: z
      .strictObject({ tenant_id: idText('ten'), repayment_id: idText('rep') })
      .nullable()
      .describe('The repayment that the transfer pays'),
    since: timestamp,
  })
  .meta({ id: 'UndecidedReceipt', examples: [RECEIPT_EXAMPLE] })

const params = z.strictObject({ tenant_id: idInput('ten'), repayment_id: idInput('rep') })
const reasonSchema = z
  .strictObject({ reason: reasonText })
  .meta({ examples: [{ reason: 'the payer is of the other tenant' }] })

export function receiptRoutes(app: TypedApp, context: OperatorContext): void {
  app.get(
    '/receipts/undecided',
    {
      schema: operatorOperation({
        id: 'listUndecidedReceipts',
        summary: 'List the receipts of all tenants about which an operator has to decide',
        tag: 'Operations',
        querystring: z.strictObject(deskPageQuery),
        response: { 200: pageOf(receiptSchema, 'UndecidedReceiptPage', RECEIPT_EXAMPLE) },
        errors: ['cursor_invalid'],
      }),
    },
    async (request) => {
      const { db, cursors } = context
      return toPageBody(await pageUndecided(db, { request: request.query, cursors }), toBody)
    },
  )

  const decide = (
    path: string,
    { id, summary }: { id: string; summary: string },
    guarded: GuardedAct<OfRepayment, unknown>,
  ) =>
    app.post(
      `/tenants/:tenant_id/repayments/:repayment_id/${path}`,
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
        const { tenant_id: tenantId, repayment_id: repaymentId } = request.params
        const asked = { tenantId, repaymentId }
        return await performAct(context, request, guarded, { asked, reason: request.body.reason })
      },
    )
  const again = {
    id: 'askAboutReceipt',
    summary: 'Ask the treasury again about a contested receipt',
  }
  decide('ask-again', again, ASK_AGAIN)
  const refused = { id: 'refuseReceipt', summary: 'Fail a contested repayment as not received' }
  decide('refuse', refused, REFUSE_CLAIM)
}

function toBody(receipt: Undecided): z.input<typeof receiptSchema> {
  const { delivered, transfer } = receipt
  const { paidFor } = transfer
  return {
    kind: receipt.kind,
    tenant_id: receipt.tenantId,
    facility_id: receipt.facilityId,
    repayment_id: receipt.repaymentId,
    delivered: delivered ? formatAmount(delivered) : null,
    reference: receipt.reference ?? null,
    transfer_id: transfer.id,
    paid_for: paidFor ? { tenant_id: paidFor.tenantId, repayment_id: paidFor.repaymentId } : null,
    since: receipt.since.toISOString(),
  }
}

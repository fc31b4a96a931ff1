import { z } from 'zod'
import { formatAmount } from '../../../core/money.ts'
import {
  APPLY_SUSPENSE,
  ASK_AGAIN,
  REFUSE_CLAIM,
  RETURN_SUSPENSE,
} from '../../../domain/operators/acts/receipt-acts.ts'
import { pageUndecided, type Undecided } from '../../../domain/repayments/undecided.ts'
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
  in_suspense: null,
  holds_until: null,
  final_at: null,
  since: '2026-11-25T12:00:00.000Z',
}

const receiptSchema = z
  .strictObject({
    kind: z
      .enum(['contested', 'in_suspense'])
      .describe('Its transfer pays another repayment; or far more was received than reported'),
    tenant_id: idText('ten'),
    facility_id: idText('fac'),
    repayment_id: idText('rep'),
    delivered: amountSchema.nullable().describe('What the tenant reported'),
    reference: z.string().nullable(),
    transfer_id: z.string().nullable().describe("The treasury's own id of a contested transfer"),
    paid_for: z
      .strictObject({ tenant_id: idText('ten'), repayment_id: idText('rep') })
      .nullable()
      .describe('The repayment that the transfer pays'),
    in_suspense: amountSchema.nullable(),
    holds_until: timestamp.nullable().describe('Until then it holds an escalation'),
    final_at: timestamp.nullable().describe('Until then the money can be taken back'),
    since: timestamp,
  })
  .meta({ id: 'UndecidedReceipt', examples: [RECEIPT_EXAMPLE] })

const params = z.strictObject({ tenant_id: idInput('ten'), repayment_id: idInput('rep') })

const REPAYMENT = '/tenants/:tenant_id/repayments/:repayment_id'

export function receiptRoutes(app: OperatorApp, context: OperatorContext): void {
  app.get('/receipts/undecided', {
    id: 'listUndecidedReceipts',
    summary: 'List the receipts of all tenants about which an operator has to decide',
    tag: 'Operations',
    querystring: z.strictObject(deskPageQuery),
    response: { 200: pageOf(receiptSchema, 'UndecidedReceiptPage', RECEIPT_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { db, cursors, clockFor } = context
      const list = { request: request.query, cursors, clockFor }
      return toPageBody(await pageUndecided(db, list), toBody)
    },
  })

  const act = { tag: 'Operations', params } as const
  const deciding = { ...act, example: { reason: 'the payer is of the other tenant' } }
  actRoute(app, context, `${REPAYMENT}/ask-again`, {
    id: 'askAboutReceipt',
    summary: 'Ask the treasury again about a contested receipt',
    ...deciding,
    guarded: ASK_AGAIN,
  })
  actRoute(app, context, `${REPAYMENT}/refuse`, {
    id: 'refuseReceipt',
    summary: 'Fail a contested repayment as not received',
    ...deciding,
    guarded: REFUSE_CLAIM,
  })
  actRoute(app, context, `${REPAYMENT}/suspense/apply`, {
    id: 'applySuspense',
    summary: 'Apply what is in suspense of a repayment',
    ...deciding,
    guarded: APPLY_SUSPENSE,
  })
  actRoute(app, context, `${REPAYMENT}/suspense/return`, {
    id: 'returnSuspense',
    summary: 'Return what is in suspense of a repayment',
    ...act,
    body: { destination: externalName(200) },
    example: { destination: 'account-1', reason: 'sent twice, as the payer confirms' },
    guarded: RETURN_SUSPENSE,
  })
}

const toReceiptBody = bodyOf(receiptSchema)

function toBody(receipt: Undecided) {
  const { delivered } = receipt
  const transfer = receipt.kind === 'contested' ? receipt.transfer : undefined
  const suspense = receipt.kind === 'in_suspense' ? receipt : undefined
  return toReceiptBody({
    ...receipt,
    delivered: delivered && formatAmount(delivered),
    ...{ transferId: transfer?.id, paidFor: transfer?.paidFor },
    inSuspense: suspense && formatAmount(suspense.amount),
    ...{ holdsUntil: suspense?.holdsUntil, finalAt: suspense?.finalAt },
  })
}

import { z } from 'zod'
import { formatDecimal, formatUsd } from '../../../core/money.ts'
import { inTransaction } from '../../../db/database.ts'
import {
  type BookedCorrection,
  getCorrections,
} from '../../../domain/facilities/corrections/corrections.ts'
import { requestWriteOffReading } from '../../../domain/facilities/corrections/write-off-reading.ts'
import { getFacility } from '../../../domain/facilities/facilities.ts'
import type { CorrectionPreview } from '../../../domain/margin/preview-correction.ts'
import { assertAllowed } from '../../../domain/operators/actions.ts'
import {
  CORRECT_FACILITY,
  type CorrectionResult,
  storeCorrection,
  tryCorrection,
} from '../../../domain/operators/acts/correction-acts.ts'
import type { Outcome } from '../../../domain/operators/approvals/propose.ts'
import { usdText } from '../../schemas/amounts.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { correctionMembers, readCorrection } from '../../schemas/correction-input.ts'
import { idText, listOf, timestamp } from '../../schemas/fields.ts'
import { operatorOf } from '../authenticate-operator.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { deskContextOf, outcomeSchema, perform, toOutcomeBody, withReason } from '../perform-act.ts'
import { facilityParams } from './margin-schemas.ts'

const CORRECTION_EXAMPLE = {
  id: 'cor_01k9x4m2q8e0tb7f2v5j6h8n3c',
  kind: 'waive_interest' as const,
  amount_usd: '27.40',
  rate: null,
  from: null,
  until: null,
  corrected_at: '2026-11-22T12:00:00.000Z',
  undone_at: null,
}

const correctionObject = z.strictObject({
  id: idText('cor'),
  kind: z.enum(['waive_interest', 'credit', 'rate', 'write_off', 'forbearance', 'close']),
  amount_usd: usdText.nullable(),
  rate: z.string().nullable(),
  from: timestamp.nullable(),
  until: timestamp.nullable(),
  corrected_at: timestamp,
  undone_at: timestamp.nullable(),
})

const correctionsSchema = listOf(correctionObject, 'Corrections', CORRECTION_EXAMPLE)

const DEBT_EXAMPLE = {
  state: 'APPROVED',
  ...{ principal_usd: '50000.00', interest_usd: '27.40', total_usd: '50027.40', rate: '0.1' },
  ...{ refund_due_usd: '0.00', deficit_usd: null },
}

const debtSchema = z.strictObject({
  state: z.string(),
  principal_usd: z.string(),
  interest_usd: z.string(),
  total_usd: z.string(),
  rate: z.string(),
  refund_due_usd: z.string(),
  deficit_usd: z.string().nullable(),
})

const anyLine = z.record(z.string(), z.unknown())

export const previewSchema = z
  .strictObject({
    debt: z.strictObject({ before: debtSchema, after: debtSchema }),
    statement_lines: z
      .strictObject({ before: z.array(anyLine), after: z.array(anyLine), more: z.int() })
      .describe('Lines that change: as they are, and as they will be'),
    entries: z
      .strictObject({
        before: z.int(),
        after: z.int(),
        added: z.array(
          z.strictObject({
            id: z.string(),
            kind: z.string(),
            value_date: z.string(),
            lines: z.array(
              z.strictObject({ account: z.string(), asset: z.string(), amount: z.string() }),
            ),
          }),
        ),
      })
      .describe('Of the journal, which only grows; a debit is positive'),
  })
  .meta({
    id: 'CorrectionPreview',
    examples: [
      {
        debt: {
          before: DEBT_EXAMPLE,
          after: { ...DEBT_EXAMPLE, interest_usd: '0.00', total_usd: '50000.00' },
        },
        statement_lines: { before: [], after: [], more: 0 },
        entries: { before: 3, after: 3, added: [] },
      },
    ],
  })

const CORRECTING_EXAMPLE = {
  kind: 'waive_interest' as const,
  amount: { amount: '27.40', asset: 'USD' },
  reason: 'the bank confirmed its delay of a day',
}

const { reason: _, ...PREVIEWING_EXAMPLE } = CORRECTING_EXAMPLE

const previewing = z.strictObject(correctionMembers).meta({ examples: [PREVIEWING_EXAMPLE] })

const correcting = withReason({ ...correctionMembers }, CORRECTING_EXAMPLE)

const proposedSchema = outcomeSchema
  .extend({
    preview: previewSchema.nullable().describe('What it would change now, or has changed'),
  })
  .meta({
    id: 'ProposedCorrection',
    examples: [
      {
        ...{ outcome: 'proposed', approval_id: 'apr_01k9x4m2q8e0tb7f2v5j6h8n3c' },
        ...{ expires_at: '2026-11-25T12:00:00.000Z', preview: null },
      },
    ],
  })

export function correctionRoutes(app: OperatorApp, context: OperatorContext): void {
  app.get('/tenants/:tenant_id/facilities/:facility_id/corrections', {
    id: 'listCorrections',
    summary: 'List the corrections of a facility, the oldest first',
    tag: 'Margin',
    params: facilityParams,
    response: { 200: correctionsSchema },
    async handler(request) {
      const { tenant_id: tenantId, facility_id: facilityId } = request.params
      const all = await getCorrections(context.db, tenantId, facilityId)
      return { items: all.map(toCorrectionBody) }
    },
  })
  addPreview(app, context)
  addProposal(app, context)
}

function addPreview(app: OperatorApp, context: OperatorContext): void {
  app.post('/tenants/:tenant_id/facilities/:facility_id/corrections/preview', {
    id: 'previewCorrection',
    summary: 'See what a correction would change, without changing it',
    tag: 'Margin',
    params: facilityParams,
    body: previewing,
    response: { 200: previewSchema },
    errors: ['scope_missing', 'facility_not_approved', 'facility_on_hold', 'outstanding_balance'],
    async handler(request) {
      const { tenant_id: tenantId, facility_id: facilityId } = request.params
      const actor = { kind: 'operator' as const, ...operatorOf(request) }
      assertAllowed(actor, CORRECT_FACILITY.action)
      const correction = readCorrection(request.body)
      const acting = { actor, now: context.clock() }
      return await inTransaction(context.db, (tx) =>
        tryCorrection(deskContextOf(context, tx, acting), { tenantId, facilityId, correction }),
      )
    },
  })
}

function addProposal(app: OperatorApp, context: OperatorContext): void {
  app.post('/tenants/:tenant_id/facilities/:facility_id/corrections', {
    id: 'correctFacility',
    summary: 'Correct a facility, which another operator confirms',
    description:
      'A proposal ends after 3 days, or when money, rate, terms, state or a hold of the facility change. Of a write-off the custodian is asked what it holds, until it is confirmed.',
    tag: 'Margin',
    params: facilityParams,
    body: correcting,
    response: { 200: proposedSchema },
    errors: ['scope_missing', 'facility_not_approved', 'facility_on_hold', 'outstanding_balance'],
    async handler(request) {
      const { tenant_id: tenantId, facility_id: facilityId } = request.params
      const { reason, ...given } = request.body
      const correction = readCorrection(given)
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, CORRECT_FACILITY.action)
      if (correction.kind === 'write_off') await askCustodian(context, tenantId, facilityId)
      return await perform(context, request, CORRECT_FACILITY, {
        asked: { tenantId, facilityId, correction: storeCorrection(correction) },
        reason,
        toBody: toProposedBody,
      })
    },
  })
}

/** Before the act, which must not wait for the answer. */
async function askCustodian(
  { db, clock }: OperatorContext,
  tenantId: string,
  facilityId: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await getFacility(tx, tenantId, facilityId)
    await requestWriteOffReading({ tx, tenantId, realNow: clock() }, facilityId)
  })
}

function toProposedBody(outcome: Outcome<CorrectionResult>): z.input<typeof proposedSchema> {
  const preview =
    outcome.kind === 'done'
      ? outcome.result.preview
      : (outcome.proposed.preview as { preview: CorrectionPreview } | undefined)?.preview
  return { ...toOutcomeBody(outcome), preview: preview ?? null }
}

const showCorrection = bodyOf(correctionObject)

const toCorrectionBody = ({ cents, ratePpm, at, ...one }: BookedCorrection) =>
  showCorrection({
    ...{ ...one, correctedAt: at },
    amountUsd: cents === undefined ? null : formatUsd(cents),
    rate: ratePpm === undefined ? null : formatDecimal(ratePpm, 6),
  })

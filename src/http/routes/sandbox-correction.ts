import { z } from 'zod'
import { correctFacility, membersOf } from '../../domain/margin/correct-facility.ts'
import { sandboxControl } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { amountSchema, decimalText } from '../schemas/amounts.ts'
import { correctionMembers, readCorrection } from '../schemas/correction-input.ts'
import { idInput, idText, timestamp } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

const EXAMPLE = { kind: 'credit' as const, amount: { amount: '50.00', asset: 'USD' } }

const correctionInput = z.strictObject(correctionMembers).meta({ examples: [EXAMPLE] })

const correctionSchema = z
  .strictObject({
    facility_id: idText('fac'),
    correction_id: idText('cor').describe('Of `undo`: that of the correction which is undone'),
    kind: correctionMembers.kind,
    amount: amountSchema.optional(),
    rate: decimalText.optional(),
    from: timestamp.optional(),
    until: timestamp.optional(),
  })
  .meta({
    id: 'SandboxCorrection',
    examples: [
      {
        facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
        correction_id: 'cor_01k9x4m2q8e0tb7f2v5j6h8n3c',
        ...EXAMPLE,
      },
    ],
  })

export function sandboxCorrectionRoute(app: TenantApp, context: RouteContext): void {
  app.post('/sandbox/facilities/:facility_id/corrections', {
    id: 'correctSandboxFacility',
    summary: 'Correct a facility',
    description:
      "As two of the lender's operators do: `facility.corrected` reports it. A write-off goes by what counts as collateral, where the custodian has not answered lately.",
    tag: 'Sandbox',
    config: sandboxControl('facility:write'),
    params: z.strictObject({ facility_id: idInput('fac') }),
    body: correctionInput,
    response: { 200: correctionSchema },
    errors: [
      'sandbox_only',
      'not_found',
      'facility_not_approved',
      'facility_on_hold',
      'outstanding_balance',
    ],
    handler: (request, reply) =>
      context.mutate(request, reply, async (tenant) => {
        const { facility_id: facilityId } = request.params
        const correction = readCorrection(request.body)
        const lending = { ...context, ...tenant }
        const { correctionId } = await correctFacility(
          lending,
          facilityId,
          correction,
          'what counts',
        )
        const about = { facility_id: facilityId, correction_id: correctionId }
        return {
          status: 200,
          body: { ...about, kind: correction.kind, ...membersOf(correction) },
        }
      }),
  })
}

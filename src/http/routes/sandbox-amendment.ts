import { z } from 'zod'
import { getFacility } from '../../domain/facilities/facilities.ts'
import { amendFacilities, compareFacilities } from '../../domain/margin/amendments/amend.ts'
import { viewFacility } from '../../domain/margin/facility-view.ts'
import { sandboxControl } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { decimalInput } from '../schemas/amounts.ts'
import { idInput, idText, timestampInputLike } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'
import { FACILITY_EXAMPLE, nextTermsSchema, termsSchema, toTermsBody } from './facility-schemas.ts'

const amendmentInput = z
  .strictObject({
    version: z
      .int()
      .min(0)
      .max(999_999_999)
      .optional()
      .describe('Of the margin policy')
      .meta({ examples: [3] }),
    rate: decimalInput(6).optional().describe('Annual interest rate'),
    effective_from: timestampInputLike('2026-12-20T12:00:00.000Z')
      .optional()
      .describe('Not before then, if it needs notice'),
  })
  .meta({ examples: [{ rate: '0.12' }] })

const amendmentSchema = z
  .strictObject({
    facility_id: idText('fac'),
    terms: termsSchema.optional(),
    next_terms: nextTermsSchema,
  })
  .meta({
    id: 'SandboxAmendment',
    examples: [
      {
        ...{ facility_id: FACILITY_EXAMPLE.id, terms: FACILITY_EXAMPLE.terms },
        next_terms: {
          effective_at: '2026-12-20T12:00:00.000Z',
          terms: { ...FACILITY_EXAMPLE.terms, rate: '0.12' },
        },
      },
    ],
  })

export function sandboxAmendmentRoute(app: TenantApp, context: RouteContext): void {
  app.post('/sandbox/facilities/:facility_id/amendments', {
    id: 'amendSandboxFacility',
    summary: 'Amend the terms of a facility',
    description:
      "As the lender's operators do: to a version of the margin policy, a rate or both. What is stricter waits for 30 days of the tenant's time and for the end of an open warning or call; the rest is immediate.",
    tag: 'Sandbox',
    config: sandboxControl('facility:write'),
    params: z.strictObject({ facility_id: idInput('fac') }),
    body: amendmentInput,
    response: { 200: amendmentSchema },
    errors: ['sandbox_only', 'not_found', 'limit_reached'],
    handler: (request, reply) =>
      context.mutate(request, reply, async (tenant) => {
        const { tx, tenantId, now, realNow } = tenant
        const { facility_id: facilityId } = request.params
        const { version, rate, effective_from: from } = request.body
        const amendment = { version, ratePpm: rate, from }
        const chosen = { facilities: [{ tenantId, facilityId }] }
        const { compared } = await compareFacilities(tx, amendment, chosen, realNow)
        const tenantOf = async () => tenant
        await amendFacilities(
          { tx, now: realNow, tenantOf, askedBy: undefined },
          amendment,
          compared,
        )
        const { termsOf } = await context.termsAt(tx, now)
        const facility = await getFacility(tx, tenantId, facilityId)
        const view = await viewFacility(tx, { prices: context.prices, termsOf }, facility, now)
        return { status: 200, body: { facility_id: facilityId, ...toTermsBody(view) } }
      }),
  })
}

import { z } from 'zod'
import {
  type Amendment,
  type Chosen,
  MOST_AMENDED,
} from '../../../domain/margin/amendments/amend.ts'
import {
  amendmentToJson,
  previewAmendment,
} from '../../../domain/margin/amendments/preview-amendment.ts'
import { assertAllowed } from '../../../domain/operators/actions.ts'
import {
  AMEND_FACILITIES,
  readStoredAmendment,
} from '../../../domain/operators/acts/amendment-acts.ts'
import { getStoredRequest } from '../../../domain/operators/approvals/approvals.ts'
import { decimalInput, decimalText } from '../../schemas/amounts.ts'
import { idInput } from '../../schemas/fields.ts'
import { operatorOf } from '../authenticate-operator.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { createSingleRun } from '../single-run.ts'
import {
  OWN_TERMS,
  PASS_SECONDS,
  PREVIEW_EXAMPLE,
  previewObject,
  termsSchema,
} from './administration/margin-policy.ts'
import { fromInput, versionInput } from './amendments.ts'
import { facilityParams } from './margin-schemas.ts'

const boundTerms = termsSchema.extend({ version: z.int(), rate: decimalText })

const previewSchema = z.strictObject({
  with_notice: z.int().describe('Stricter: 30 days after their event, or later'),
  without_notice: z.int().describe('Nowhere stricter: bound immediately'),
  left: z
    .int()
    .describe(
      `Older ones beyond ${MOST_AMENDED}; of a proposal, those that compare otherwise by now`,
    ),
  groups: z
    .array(
      z.strictObject({
        facilities: z.int(),
        with_notice: z.boolean(),
        before: boundTerms,
        after: boundTerms,
      }),
    )
    .describe('Facilities whose terms change alike, the largest group first; at most 10'),
  more_groups: z.int(),
  effect: previewObject.describe('In the book of now, if all of them were bound to it'),
})

type Preview = z.input<typeof previewSchema>

const EXAMPLE: Preview = {
  ...{ with_notice: 12, without_notice: 0, left: 0, more_groups: 0, effect: PREVIEW_EXAMPLE },
  groups: [
    {
      ...{ facilities: 12, with_notice: true },
      before: { version: 0, rate: '0.1', ...OWN_TERMS },
      after: { version: 3, rate: '0.1', ...OWN_TERMS, floor_ltv: '0.65' },
    },
  ],
}

const amendmentPreview = previewSchema.meta({ id: 'AmendmentPreview', examples: [EXAMPLE] })

/** Routes that show what an amendment would do, before it is proposed and before it is confirmed. */
export function amendmentPreviewRoutes(app: OperatorApp, context: OperatorContext): void {
  const { config, db, clock, clockFor, prices, termsAt } = context
  const source = { prices, clockFor, isShared: config.stack === 'live' }
  const runAlone = createSingleRun(PASS_SECONDS)
  const preview = async (amendment: Amendment, chosen: Chosen) => {
    const reading = { source, now: clock(), termsAt }
    const found = await runAlone(() => previewAmendment(db, reading, amendment, chosen))
    return amendmentToJson(found) as Preview
  }
  const assertMayAmend = (request: Parameters<typeof operatorOf>[0]) =>
    assertAllowed({ kind: 'operator', ...operatorOf(request) }, AMEND_FACILITIES.action)

  app.post('/amendments/preview', {
    id: 'previewAmendments',
    summary: 'Compute what amending all facilities of older versions would change',
    description: 'Changes nothing. Refuses what the amendment refuses.',
    tag: 'Margin',
    config: { idempotencyKey: 'ignored' },
    body: z
      .strictObject({
        version: versionInput,
        tenant_id: idInput('ten').optional().describe('Of this tenant alone'),
        rate: decimalInput(6).optional(),
        effective_from: fromInput,
      })
      .meta({ examples: [{ version: 3 }] }),
    response: { 200: amendmentPreview },
    errors: ['scope_missing', 'not_found', 'rate_limited'],
    async handler(request) {
      assertMayAmend(request)
      const { version, tenant_id: tenantId, rate, effective_from: from } = request.body
      return await preview({ version, ratePpm: rate, from }, { tenantId })
    },
  })

  app.post('/tenants/:tenant_id/facilities/:facility_id/amendments/preview', {
    id: 'previewAmendment',
    summary: 'Compute what amending a facility would change',
    description: 'Changes nothing. Refuses what the amendment refuses.',
    tag: 'Margin',
    config: { idempotencyKey: 'ignored' },
    params: facilityParams,
    body: z
      .strictObject({
        version: versionInput.optional(),
        rate: decimalInput(6).optional(),
        effective_from: fromInput,
      })
      .meta({ examples: [{ rate: '0.085' }] }),
    response: { 200: amendmentPreview },
    errors: ['scope_missing', 'rate_limited'],
    async handler(request) {
      assertMayAmend(request)
      const { tenant_id: tenantId, facility_id: facilityId } = request.params
      const { version, rate, effective_from: from } = request.body
      const chosen = { facilities: [{ tenantId, facilityId }] }
      return await preview({ version, ratePpm: rate, from }, chosen)
    },
  })

  app.get('/approvals/:id/effect', {
    id: 'getApprovalEffect',
    summary: 'Compute what a proposed amendment would change now',
    description: 'Changes nothing. Null for a proposal of another act.',
    tag: 'Approvals',
    params: z.strictObject({ id: idInput('apr') }),
    response: {
      200: z
        .strictObject({ amendment: previewSchema.nullable() })
        .meta({ id: 'ApprovalEffect', examples: [{ amendment: EXAMPLE }] }),
    },
    errors: ['rate_limited'],
    async handler(request) {
      const { action, request: stored } = await getStoredRequest(db, request.params.id)
      if (action !== AMEND_FACILITIES.action) return { amendment: null }
      const { amendment, proposed } = readStoredAmendment(stored)
      return { amendment: await preview(amendment, { proposed }) }
    },
  })
}

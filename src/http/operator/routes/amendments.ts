import { z } from 'zod'
import { formatDecimal } from '../../../core/money.ts'
import {
  type Amendment,
  type Chosen,
  compareFacilities,
  MOST_AMENDED,
} from '../../../domain/margin/amendments/amend.ts'
import { type PendingAmendment, pagePending } from '../../../domain/margin/amendments/pending.ts'
import {
  amendmentToJson,
  previewAmendment,
} from '../../../domain/margin/amendments/preview-amendment.ts'
import { assertAllowed } from '../../../domain/operators/actions.ts'
import {
  AMEND_FACILITIES,
  readStoredAmendment,
  toStoredAmendment,
  WITHDRAW_AMENDMENT,
} from '../../../domain/operators/acts/amendment-acts.ts'
import { getStoredRequest } from '../../../domain/operators/approvals/approvals.ts'
import { decimalInput, decimalText } from '../../schemas/amounts.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import {
  idInput,
  idText,
  pageOf,
  timestamp,
  timestampInput,
  toPageBody,
} from '../../schemas/fields.ts'
import { actRoute } from '../act-route.ts'
import { operatorOf } from '../authenticate-operator.ts'
import { deskPageQuery, type OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { outcomeSchema, perform, toOutcomeBody, withReason } from '../perform-act.ts'
import { createSingleRun } from '../single-run.ts'
import {
  OWN_TERMS,
  PASS_SECONDS,
  PREVIEW_EXAMPLE,
  previewObject,
  termsSchema,
} from './administration/margin-policy.ts'
import { facilityParams } from './margin-schemas.ts'

const versionInput = z.int().min(0).max(999_999_999).describe('Of the margin policy')

const fromInput = timestampInput
  .optional()
  .describe("Not before then, of the tenant's time; what is nowhere stricter is immediate")

const terms = { rate: decimalInput(6).optional(), effective_from: fromInput }
const ofOne = { version: versionInput.optional(), ...terms }
const ofAll = {
  version: versionInput,
  tenant_id: idInput('ten').optional().describe('Of this tenant alone'),
  ...terms,
}

const amendedSchema = outcomeSchema
  .extend({
    with_notice: z.int().describe('Stricter: 30 days after their event, or later'),
    without_notice: z.int().describe('Nowhere stricter: bound immediately'),
    left: z.int().describe(`Older ones beyond ${MOST_AMENDED}, for another proposal`),
  })
  .meta({
    id: 'ProposedAmendment',
    examples: [
      {
        ...{ outcome: 'proposed', approval_id: 'apr_01k9x4m2q8e0tb7f2v5j6h8n3c' },
        ...{ expires_at: '2026-11-25T12:00:00.000Z', with_notice: 1, without_notice: 0, left: 0 },
      },
    ],
  })

const pendingObject = z.strictObject({
  tenant_id: idText('ten'),
  facility_id: idText('fac'),
  effective_at: timestamp.describe(
    "Of the tenant's time; it waits for the end of an open warning or call too",
  ),
  version: z.int().describe('Of the margin policy, to which it binds'),
  rate: decimalText.describe('Annual interest rate, from then on'),
  bound_version: z.int().describe('In force until then'),
  asked_by: z.string().nullable().describe('The operator; null: the tenant, on its sandbox'),
  event_id: idText('evt').nullable().describe('Its notice; null: no longer kept'),
})

const PENDING_EXAMPLE: z.input<typeof pendingObject> = {
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  ...{ effective_at: '2026-12-20T12:00:00.000Z', version: 3, rate: '0.1', bound_version: 0 },
  ...{ asked_by: 'ada@lender.example', event_id: 'evt_01k9x4m2q8e0tb7f2v5j6h8n3c' },
}

export function amendmentRoutes(app: OperatorApp, context: OperatorContext): void {
  const { db, cursors } = context
  app.get('/amendments', {
    id: 'listAmendments',
    summary: 'List the amendments that wait, of all tenants, the next first',
    tag: 'Margin',
    querystring: z.strictObject(deskPageQuery),
    response: { 200: pageOf(pendingObject, 'AmendmentPage', PENDING_EXAMPLE) },
    errors: ['cursor_invalid'],
    handler: async (request) =>
      toPageBody(await pagePending(db, { request: request.query, cursors }), toPendingBody),
  })

  app.post('/amendments', {
    id: 'amendFacilities',
    summary: 'Bind all facilities of older versions to a version of the margin policy',
    description: `At most ${MOST_AMENDED} in one proposal. Each is compared again when it is confirmed; one whose comparison has changed is left out.`,
    tag: 'Margin',
    body: withReason(ofAll, { version: 3, reason: 'volatility of ETH' }),
    response: { 200: amendedSchema },
    errors: ['scope_missing', 'not_found', 'limit_reached'],
    async handler(request) {
      const { version, tenant_id: tenantId, rate, effective_from: from, reason } = request.body
      const amendment = { version, ratePpm: rate, from }
      return await amend(context, request, { amendment, chosen: { tenantId }, reason })
    },
  })

  app.post('/tenants/:tenant_id/facilities/:facility_id/amendments', {
    id: 'amendFacility',
    summary: 'Bind a facility to a version of the margin policy, or to a rate',
    tag: 'Margin',
    params: facilityParams,
    body: withReason(ofOne, { rate: '0.085', reason: 'agreed on 3 November' }),
    response: { 200: amendedSchema },
    errors: ['scope_missing', 'limit_reached'],
    async handler(request) {
      const { tenant_id: tenantId, facility_id: facilityId } = request.params
      const { version, rate, effective_from: from, reason } = request.body
      const amendment = { version, ratePpm: rate, from }
      const chosen = { facilities: [{ tenantId, facilityId }] }
      return await amend(context, request, { amendment, chosen, reason })
    },
  })

  actRoute(app, context, '/tenants/:tenant_id/facilities/:facility_id/amendments/withdraw', {
    id: 'withdrawAmendment',
    summary: 'Withdraw the amendment of a facility that waits',
    tag: 'Margin',
    params: facilityParams,
    example: { reason: 'contract ended' },
    guarded: WITHDRAW_AMENDMENT,
  })
}

const toPendingObject = bodyOf(pendingObject)

const toPendingBody = (pending: PendingAmendment) =>
  toPendingObject({ ...pending, rate: formatDecimal(pending.ratePpm, 6) })

type Asked = {
  amendment: Parameters<typeof compareFacilities>[1]
  chosen: Chosen
  reason: string
}

async function amend(
  context: OperatorContext,
  request: Parameters<typeof operatorOf>[0],
  { amendment, chosen, reason }: Asked,
) {
  // Before what is read for the comparison.
  assertAllowed({ kind: 'operator', ...operatorOf(request) }, AMEND_FACILITIES.action)
  const { db, clock } = context
  const { compared, left } = await compareFacilities(db, amendment, chosen, clock())
  const stricter = compared.filter(({ isStricter }) => isStricter).length
  const counts = { with_notice: stricter, without_notice: compared.length - stricter, left }
  return await perform(context, request, AMEND_FACILITIES, {
    ...{ asked: toStoredAmendment(amendment, compared), reason },
    toBody: (outcome) => ({ ...toOutcomeBody(outcome), ...counts }),
  })
}

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
    body: z.strictObject(ofAll).meta({ examples: [{ version: 3 }] }),
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
    body: z.strictObject(ofOne).meta({ examples: [{ rate: '0.085' }] }),
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

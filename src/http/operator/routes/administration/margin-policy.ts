import { z } from 'zod'
import { applyTerms, changedTerms, showTerms } from '../../../../domain/margin/margin-terms.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../../domain/margin/policy.ts'
import { proposeVersion } from '../../../../domain/margin/versions/propose-version.ts'
import { versionToJson } from '../../../../domain/margin/versions/version-json.ts'
import {
  countBound,
  listPolicyVersions,
  readOwnPolicy,
} from '../../../../domain/margin/versions/versions.ts'
import { assertAllowed } from '../../../../domain/operators/actions.ts'
import {
  SET_MARGIN_POLICY,
  WITHDRAW_MARGIN_POLICY,
} from '../../../../domain/operators/acts/margin-policy-acts.ts'
import { usdText } from '../../../schemas/amounts.ts'
import { ordinalInput, timestamp, timestampInput } from '../../../schemas/fields.ts'
import { actRoute } from '../../act-route.ts'
import { operatorOf } from '../../authenticate-operator.ts'
import type { OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'
import { outcomeSchema, perform, toOutcomeBody, withReason } from '../../perform-act.ts'
import { createSingleRun } from '../../single-run.ts'

const share = z.string()

/** Every member, as a policy file has it. */
export const termsSchema = z.strictObject({
  floor_ltv: share,
  cure_ltv: share,
  tiers: z.array(z.strictObject({ above_ltv: share, cure_hours: z.number() })),
  critical_ltv: share,
  confirm_seconds: z.number(),
  relapse_hours: z.number(),
  relapse_least_hours: z.number(),
  least_usd: usdText,
  target_ltv: share,
  sale_fee: share,
  deep_ltv: share,
  dust_usd: usdText,
  haircuts: z.record(z.string(), share),
})

type Terms = z.input<typeof termsSchema>

export const OWN_TERMS = showTerms(DEFAULT_MARGIN_POLICY) as Terms

const VERSION_EXAMPLE = {
  ...{ version: 1, state: 'scheduled' as const, effective_from: '2026-12-01T00:00:00.000Z' },
  ...{ note: 'volatility of ETH', proposed_by: 'ada@lender.example' },
  ...{ signed_by: 'grace@lender.example', created_at: '2026-11-22T12:00:00.000Z' },
  ...{ terms: OWN_TERMS, bound: 0, next: 0 },
}

const versionObject = z.strictObject({
  version: z.int(),
  state: z.enum(['in_force', 'scheduled', 'superseded', 'withdrawn']),
  effective_from: timestamp,
  note: z.string(),
  proposed_by: z.string(),
  signed_by: z.string(),
  created_at: timestamp,
  withdrawn_at: timestamp.optional(),
  withdrawal_note: z.string().optional(),
  withdrawal_proposed_by: z.string().optional(),
  withdrawal_signed_by: z.string().optional(),
  terms: termsSchema,
  bound: z.int().describe('Facilities that are bound to it'),
  next: z.int().describe('Facilities that an amendment will bind to it'),
})

const policySchema = z
  .strictObject({
    in_force: z.string().describe('The number of a version, or the name of the own terms'),
    own_bound: z.int().describe('Facilities that are bound to them'),
    own_terms: termsSchema.describe("The service's own, before the first version"),
    versions: z.array(versionObject).describe('Oldest first'),
  })
  .meta({
    id: 'MarginPolicyVersions',
    examples: [
      { in_force: '2026-11', own_bound: 12, own_terms: OWN_TERMS, versions: [VERSION_EXAMPLE] },
    ],
  })

export const PREVIEW_EXAMPLE = {
  at: '2026-11-22T12:00:00.000Z',
  warned_by_tier: { 1: 3, 2: 0, 3: 0 },
  warned_debt_usd: '120000.00',
  ...{ worsened: 0, sold: 0, sold_debt_usd: '0.00', relieved: 0 },
}

export const previewObject = z.strictObject({
  at: timestamp,
  warned_by_tier: z.strictObject({ 1: z.int(), 2: z.int(), 3: z.int() }),
  warned_debt_usd: usdText,
  worsened: z.int(),
  sold: z.int(),
  sold_debt_usd: usdText,
  relieved: z.int(),
})

const proposedSchema = outcomeSchema
  .extend({ preview: previewObject.describe('What it would change in the book today') })
  .meta({
    id: 'ProposedMarginPolicy',
    examples: [
      {
        ...{ outcome: 'proposed', approval_id: 'apr_01k9x4m2q8e0tb7f2v5j6h8n3c' },
        ...{ expires_at: '2026-11-25T12:00:00.000Z', preview: PREVIEW_EXAMPLE },
      },
    ],
  })

/** A preview is a pass over the whole book. */
export const PASS_SECONDS = 60

export function marginPolicyRoutes(app: OperatorApp, context: OperatorContext): void {
  addList(app, context)
  addPreview(app, context)
  addProposal(app, context)
  addWithdrawal(app, context)
}

function addList(app: OperatorApp, { db, clock, termsAt }: OperatorContext): void {
  app.get('/margin-policy', {
    id: 'listMarginPolicyVersions',
    summary: 'Read the versions of the margin policy and its haircuts',
    tag: 'Administration',
    response: { 200: policySchema },
    async handler() {
      const now = clock()
      const versions = await listPolicyVersions(db)
      const { marginPolicy } = await termsAt(db, now)
      const countsOf = await countBound(db)
      return {
        in_force: marginPolicy.version,
        own_bound: countsOf(0).bound,
        own_terms: showTerms(await readOwnPolicy(db)) as Terms,
        versions: versions.map((version) => {
          const { terms, ...about } = versionToJson(version, versions, now)
          return { ...about, terms: terms as Terms, ...countsOf(version.number) }
        }),
      }
    },
  })
}

/** Passes over the book, one at a time. */
function createProposer({ config, db, clock, clockFor, prices, termsAt }: OperatorContext) {
  const source = { prices, clockFor, isShared: config.stack === 'live' }
  const runAlone = createSingleRun(PASS_SECONDS)
  return async (terms: z.output<typeof changedTerms>, from?: Date) => {
    const now = clock()
    const { request: asked } = await runAlone(() =>
      proposeVersion(
        db,
        { source, now, termsAt },
        (base) => applyTerms(terms, base).policy,
        from ?? now,
      ),
    )
    return { asked, preview: asked.preview as z.input<typeof previewObject> }
  }
}

function addPreview(app: OperatorApp, context: OperatorContext): void {
  const propose = createProposer(context)
  app.post('/margin-policy/preview', {
    id: 'previewMarginPolicy',
    summary: 'Compute what a version of the margin policy would change in the book now',
    description: 'Changes nothing. What is left out is as in the latest version.',
    tag: 'Administration',
    config: { idempotencyKey: 'ignored' },
    body: z
      .strictObject({ terms: changedTerms })
      .meta({ examples: [{ terms: { haircuts: { ETH: '0.10' } } }] }),
    response: {
      200: z
        .strictObject({ preview: previewObject })
        .meta({ id: 'MarginPolicyPreview', examples: [{ preview: PREVIEW_EXAMPLE }] }),
    },
    errors: ['rate_limited'],
    async handler(request) {
      const { preview } = await propose(request.body.terms)
      return { preview }
    },
  })
}

function addProposal(app: OperatorApp, context: OperatorContext): void {
  const propose = createProposer(context)
  app.post('/margin-policy', {
    id: 'proposeMarginPolicy',
    summary: 'Propose a version of the margin policy, with what it would change in the book',
    description:
      'What is left out is as in the version before. It takes effect at least 15 minutes after it is confirmed, and after every other version.',
    tag: 'Administration',
    body: withReason(
      { terms: changedTerms, effective_from: timestampInput },
      {
        terms: { haircuts: { ETH: '0.10' } },
        ...{ effective_from: '2026-12-01T00:00:00Z', reason: 'volatility of ETH' },
      },
    ),
    response: { 200: proposedSchema },
    errors: ['scope_missing', 'rate_limited'],
    async handler(request) {
      const { terms, effective_from: effectiveFrom, reason } = request.body
      // Before the pass over the book, of which one runs at a time.
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, SET_MARGIN_POLICY.action)
      const { asked, preview } = await propose(terms, effectiveFrom)
      return await perform(context, request, SET_MARGIN_POLICY, {
        ...{ asked, reason },
        toBody: (outcome) => ({ ...toOutcomeBody(outcome), preview }),
      })
    },
  })
}

function addWithdrawal(app: OperatorApp, context: OperatorContext): void {
  actRoute(app, context, '/margin-policy/:number/withdraw', {
    id: 'withdrawMarginPolicy',
    summary: 'Withdraw a version that has not taken effect',
    tag: 'Administration',
    params: z.strictObject({ number: ordinalInput }),
    example: { reason: 'contract ended' },
    guarded: WITHDRAW_MARGIN_POLICY,
  })
}

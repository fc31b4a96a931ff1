import { z } from 'zod'
import { formatPrice } from '../../domain/collateral/prices.ts'
import { scheduleEvaluation } from '../../domain/margin/evaluation/evaluate.ts'
import { type OverriddenOutcome, overrideChecks } from '../../domain/onboarding/move-checks.ts'
import { listSandboxPrices, setSandboxPrice } from '../../providers/sandbox/prices-sandbox.ts'
import { SANDBOX_ANSWERS, setSandboxAnswer } from '../../providers/sandbox/sandbox-answers.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { type RouteConfig, readsWith, sandboxControl } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { assetText, priceInput, priceText } from '../schemas/amounts.ts'
import { idInput } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'
import { sandboxAmendmentRoute } from './sandbox-amendment.ts'
import { sandboxBreakRoute } from './sandbox-break.ts'
import { sandboxCorrectionRoute } from './sandbox-correction.ts'
import { sandboxCustodianRoute } from './sandbox-custodian.ts'
import { sandboxHoldRoute } from './sandbox-hold.ts'
import { sandboxReturnRoute } from './sandbox-return.ts'

const priceSchema = z
  .strictObject({ asset: assetText, price_usd: priceText })
  .meta({ id: 'SandboxPrice', examples: [{ asset: 'BTC', price_usd: '70000' }] })

const priceListSchema = z
  .strictObject({
    items: z.array(
      z.strictObject({
        asset: assetText,
        price_usd: priceText,
        source: z
          .enum(['tenant', 'market'])
          .describe('Whether you set the price or it is the sandbox market price'),
      }),
    ),
  })
  .meta({
    id: 'SandboxPriceList',
    examples: [
      {
        items: [
          { asset: 'BTC', price_usd: '70000', source: 'tenant' },
          { asset: 'ETH', price_usd: '4000', source: 'market' },
        ],
      },
    ],
  })

const outcomes = { pass: 'passed', fail: 'failed', review: 'review' } as const satisfies Record<
  string,
  OverriddenOutcome
>

const outcomeSchema = z
  .strictObject({ outcome: z.enum(['pass', 'fail', 'review']) })
  .meta({ examples: [{ outcome: 'pass' }] })

const overriddenSchema = z
  .strictObject({ decided: z.int().describe('Number of checks that were decided') })
  .meta({ id: 'SandboxCompliance', examples: [{ decided: 2 }] })

const answerSchema = z
  .strictObject({ next: z.enum(SANDBOX_ANSWERS).describe('How the next call is answered') })
  .meta({ id: 'SandboxProvider', examples: [{ next: 'fail' }] })

export function sandboxRoutes(app: TenantApp, context: RouteContext): void {
  pricesRoute(app, context)
  priceRoute(app, context)
  complianceRoute(app, context)
  providerRoute(app, context, 'custodian', 'facility:write')
  providerRoute(app, context, 'payments', 'repayment:write')
  sandboxCustodianRoute(app, context)
  sandboxCorrectionRoute(app, context)
  sandboxHoldRoute(app, context)
  sandboxAmendmentRoute(app, context)
  sandboxReturnRoute(app, context)
  sandboxBreakRoute(app, context)
}

function pricesRoute(app: TenantApp, { db, clockFor, config }: RouteContext): void {
  app.get('/sandbox/prices', {
    id: 'listSandboxPrices',
    summary: "Read the prices of the tenant's sandbox",
    description: 'USD is always worth 1 and is not listed.',
    tag: 'Sandbox',
    config: { ...readsWith('facility:read'), sandboxOnly: true },
    response: { 200: priceListSchema },
    errors: ['sandbox_only'],
    async handler(request) {
      const { tenantId } = callerOf(request)
      const now = await clockFor(db, tenantId)
      const prices = await listSandboxPrices(db, tenantId, config.sandboxMarket, now)
      return {
        items: prices.map(({ asset, price, isSet }) => ({
          asset,
          price_usd: formatPrice(price),
          source: isSet ? ('tenant' as const) : ('market' as const),
        })),
      }
    },
  })
}

function priceRoute(app: TenantApp, context: RouteContext): void {
  const { mutate, config } = context
  const market = config.sandboxMarket
  const newPriceSchema = z
    .strictObject({
      asset: z.enum([...market.keys()]),
      price_usd: priceInput.nullable().describe('null returns to the market price'),
    })
    .meta({ examples: [{ asset: 'BTC', price_usd: '70000' }] })

  app.post('/sandbox/prices', {
    id: 'setSandboxPrice',
    summary: "Set a price on the tenant's sandbox",
    description: 'Returns the current price. USD is always worth 1.',
    tag: 'Sandbox',
    config: sandboxControl('facility:write'),
    body: newPriceSchema,
    response: { 200: priceSchema },
    errors: ['sandbox_only'],
    handler: (request, reply) =>
      mutate(request, reply, async (tenant) => {
        const { tx, tenantId, now } = tenant
        const { asset, price_usd: price } = request.body
        await setSandboxPrice(tx, tenantId, { asset, price: price ?? undefined }, now)
        await scheduleEvaluation(tx, tenant, tenantId, now)
        const inForce = price ?? market.get(asset) ?? 0n
        return { status: 200, body: { asset, price_usd: formatPrice(inForce) } }
      }),
  })
}

function complianceRoute(app: TenantApp, { mutate }: RouteContext): void {
  app.post('/sandbox/borrowers/:borrower_id/compliance', {
    id: 'setSandboxCompliance',
    summary: "Decide a borrower's compliance checks",
    description:
      'Decides the checks that are pending or in review; `pass` also overrides failed ones. The borrower is then evaluated in the background.',
    tag: 'Sandbox',
    config: sandboxControl('borrower:write'),
    params: z.strictObject({ borrower_id: idInput('bor') }),
    body: outcomeSchema,
    response: { 200: overriddenSchema },
    errors: ['sandbox_only'],
    handler: (request, reply) =>
      mutate(request, reply, async (tenant) => {
        const outcome = outcomes[request.body.outcome]
        const { borrower_id: borrowerId } = request.params
        const decided = await overrideChecks(tenant, borrowerId, outcome)
        return { status: 200, body: { decided } }
      }),
  })
}

const NEXT_CALL = {
  custodian:
    'Applies to the next floor, release, order or question about an account, for a push or an escalation; where the custodian is the portfolio source, also to the read before an application is decided. It applies to one call; other calls succeed at once. Reads made every minute or before an order are not counted.',
  payments:
    'It applies to one call; other calls succeed at once. Tags in the reference of an execution report choose what is received: `+over`, or `+over2500`, is 1,000.00 or 2,500.00 more than reported; `+revocable`, or `+revocable30`, is money that can be taken back for 60 or 30 days, which shows `final_at`.',
} as const

function providerRoute(
  app: TenantApp,
  { mutate }: RouteContext,
  provider: 'custodian' | 'payments',
  scope: RouteConfig['scope'],
): void {
  app.post(`/sandbox/${provider}`, {
    id: provider === 'custodian' ? 'setSandboxCustodian' : 'setSandboxPayments',
    summary: `Choose how the ${provider} provider answers its next call for the tenant`,
    description: NEXT_CALL[provider],
    tag: 'Sandbox',
    config: sandboxControl(scope),
    body: answerSchema,
    response: { 200: answerSchema },
    errors: ['sandbox_only'],
    handler: (request, reply) =>
      mutate(request, reply, async ({ tx, tenantId }) => {
        const { next } = request.body
        await setSandboxAnswer(tx, tenantId, provider, next)
        return { status: 200, body: { next } }
      }),
  })
}

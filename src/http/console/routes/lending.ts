import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import { formatPrice } from '../../../domain/collateral/prices.ts'
import { findDraw, unknownDraw } from '../../../domain/facilities/draws/draws.ts'
import { getBorrower } from '../../../domain/onboarding/borrowers.ts'
import { listChecks } from '../../../domain/onboarding/reviews.ts'
import { findRepayment, unknownRepayment } from '../../../domain/repayments/repayments.ts'
import { KEPT_CHANGES, listPriceChanges } from '../../../providers/sandbox/prices-sandbox.ts'
import { callerOf } from '../../authentication/authenticate.ts'
import type { RouteContext } from '../../route-context.ts'
import { assetText, priceText } from '../../schemas/amounts.ts'
import { idInput, idText, timestamp } from '../../schemas/fields.ts'
import type { ConsoleApp } from '../operation.ts'

const placeSchema = z
  .strictObject({ facility_id: idText('fac') })
  .meta({ id: 'Place', examples: [{ facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c' }] })

const changesSchema = z
  .strictObject({
    market_usd: priceText.describe('In force before the first change, unless there were more'),
    items: z
      .array(
        z.strictObject({
          at: timestamp.describe("By the tenant's clock"),
          price_usd: priceText,
          source: z.enum(['tenant', 'market']),
        }),
      )
      .max(KEPT_CHANGES),
  })
  .meta({
    id: 'PriceChanges',
    examples: [
      {
        market_usd: '100000',
        items: [{ at: '2026-11-22T12:00:00.000Z', price_usd: '70000', source: 'tenant' }],
      },
    ],
  })

const checksSchema = z
  .strictObject({
    items: z.array(
      z.strictObject({
        kind: z.enum(['kyc', 'kyb', 'aml']),
        status: z.enum(['pending', 'review', 'passed', 'failed']),
      }),
    ),
  })
  .meta({ id: 'Checks', examples: [{ items: [{ kind: 'kyc', status: 'review' }] }] })

export function lendingRoutes(app: ConsoleApp, context: RouteContext): void {
  placeRoutes(app, context)
  checksRoute(app, context)
  priceChangesRoute(app, context)
}

/** /v1 names draws and repayments within their facility; a search has the id alone. */
function placeRoutes(app: ConsoleApp, { db }: RouteContext): void {
  app.get('/draws/:id', {
    id: 'locateDraw',
    summary: 'Find the facility of a draw',
    tag: 'Lending',
    config: { limitClass: 'console', scope: 'facility:read' },
    params: z.strictObject({ id: idInput('drw') }),
    response: { 200: placeSchema },
    async handler(request) {
      const draw = await findDraw(db, callerOf(request).tenantId, request.params.id)
      if (!draw) throw unknownDraw()
      return { facility_id: draw.facilityId }
    },
  })

  app.get('/repayments/:id', {
    id: 'locateRepayment',
    summary: 'Find the facility of a repayment',
    tag: 'Lending',
    config: { limitClass: 'console', scope: 'facility:read' },
    params: z.strictObject({ id: idInput('rep') }),
    response: { 200: placeSchema },
    async handler(request) {
      const repayment = await findRepayment(db, callerOf(request).tenantId, request.params.id)
      if (!repayment) throw unknownRepayment()
      return { facility_id: repayment.facilityId }
    },
  })
}

/** /v1 says whether a borrower is eligible; a person wants to see what it waits for. */
function checksRoute(app: ConsoleApp, { db }: RouteContext): void {
  app.get('/borrowers/:id/checks', {
    id: 'listChecks',
    summary: 'Read how the checks of a borrower stand',
    tag: 'Lending',
    config: { limitClass: 'console', scope: 'borrower:read' },
    params: z.strictObject({ id: idInput('bor') }),
    response: { 200: checksSchema },
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { id } = await getBorrower(db, tenantId, request.params.id)
      const checks = await listChecks(db, tenantId, id)
      return { items: checks.map(({ kind, status }) => ({ kind, status })) }
    },
  })
}

function priceChangesRoute(app: ConsoleApp, { db, clockFor, config }: RouteContext): void {
  app.get('/sandbox/prices/:asset', {
    id: 'listPriceChanges',
    summary: "Read how a price of the tenant's sandbox was set, oldest first",
    tag: 'Lending',
    config: { limitClass: 'console', scope: 'facility:read', sandboxOnly: true },
    params: z.strictObject({ asset: assetText }),
    response: { 200: changesSchema },
    errors: ['sandbox_only'],
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { asset } = request.params
      const market = config.sandboxMarket.get(asset)
      if (market === undefined) throw new Refusal('not_found', 'There is no such asset.')
      const now = await clockFor(db, tenantId)
      const changes = await listPriceChanges(db, tenantId, { asset, market }, now)
      return {
        market_usd: formatPrice(market),
        items: changes.map(({ at, price, isSet }) => ({
          at: at.toISOString(),
          price_usd: formatPrice(price),
          source: isSet ? ('tenant' as const) : ('market' as const),
        })),
      }
    },
  })
}

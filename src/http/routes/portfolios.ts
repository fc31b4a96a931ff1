import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isKnownAsset } from '../../core/assets.ts'
import { formatQuantity } from '../../core/money.ts'
import { SECOND_MS } from '../../core/time.ts'
import { formatAsOf } from '../../domain/collateral/as-of.ts'
import { getPortfolioSource, PORTFOLIO_SOURCES } from '../../domain/collateral/portfolio-source.ts'
import {
  digestOf,
  findNewestAsOf,
  findOutcome,
  getPortfolio,
  type PushOutcome,
  type Snapshot,
} from '../../domain/collateral/portfolios.ts'
import { choosePortfolioSource } from '../../domain/facilities/custody/change-source.ts'
import { pushPortfolio } from '../../domain/margin/evaluation/push-portfolio.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { rateLimited, setRateHeaders } from '../limits/admit.ts'
import type { BucketDecision } from '../limits/token-buckets.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { idInput } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'
import { portfolioSchema, pushedSchema, snapshotSchema } from './portfolio-schemas.ts'

type Push = { tenantId: string; borrowerId: string; snapshot: Snapshot }

export function portfolioRoutes(app: TenantApp, context: RouteContext): void {
  readingRoute(app, context)
  pushingRoute(app, context)
}

function readingRoute(app: TenantApp, { db }: RouteContext): void {
  app.get('/borrowers/:borrower_id/portfolio', {
    id: 'getPortfolio',
    summary: "Read a borrower's newest portfolio",
    description:
      'The newest snapshot as it was pushed. Read the collateral of the facility for what counts as collateral.',
    tag: 'Collateral',
    config: readsWith('borrower:read'),
    params: z.strictObject({ borrower_id: idInput('bor') }),
    response: { 200: portfolioSchema },
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { borrower_id: borrowerId } = request.params
      const { asOfMicros, receivedAt, positions } = await getPortfolio(db, tenantId, borrowerId)
      return {
        as_of: formatAsOf(asOfMicros),
        received_at: receivedAt.toISOString(),
        positions: positions.map((position) => ({
          asset: position.asset,
          quantity: formatQuantity(position),
        })),
      }
    },
  })
}

/** Full replace by `as_of`. */
function pushingRoute(app: TenantApp, context: RouteContext): void {
  const { config } = context
  app.put('/borrowers/:borrower_id/portfolio', {
    id: 'putPortfolio',
    summary: "Replace a borrower's portfolio",
    description:
      'The newest `as_of` wins, in whatever order snapshots arrive; an older one is answered `applied: false`. Above the rate limit the newest snapshot of each borrower waits for a token, and those that it replaces are answered `applied: false` at once; 429 comes only far above the limit. `unknown_assets` names what the service does not know: a code that is mistyped counts nothing. An Idempotency-Key is accepted and not recorded: sending a snapshot again changes nothing.',
    tag: 'Collateral',
    config: {
      limitClass: 'portfolio_ingest',
      scope: 'portfolio:write',
      idempotencyKey: 'accepted',
      maxBodyBytes: config.portfolioMaxBodyBytes,
      shedsLoad: true,
    },
    params: z.strictObject({ borrower_id: idInput('bor') }),
    body: snapshotSchema,
    response: { 200: pushedSchema },
    errors: ['as_of_conflict', 'as_of_in_future'],
    async handler(request, reply) {
      const { as_of: asOfMicros, positions } = request.body
      const push = {
        tenantId: callerOf(request).tenantId,
        borrowerId: request.params.borrower_id,
        snapshot: { asOfMicros, positions },
      }
      const { tokenless } = request
      const outcome = tokenless
        ? await shed(context, { request, reply }, push, tokenless)
        : await store(context, push)
      if (!outcome) return reply.hijack()
      const unknown = positions.map(({ asset }) => asset).filter((asset) => !isKnownAsset(asset))
      return {
        applied: outcome.applied,
        as_of: formatAsOf(outcome.asOfMicros),
        ...(unknown.length > 0 && { unknown_assets: unknown }),
      }
    },
  })
}

/** Not through `mutate`: no key is recorded, and one push may answer several requests. */
function store(context: RouteContext, push: Push): Promise<PushOutcome> {
  const { tenantId, borrowerId, snapshot } = push
  const terms = { ...context, futureToleranceMs: toleranceOf(context) }
  return pushPortfolio(context.db, terms, { tenantId, borrowerId }, snapshot)
}

/** Answered from what is stored, or queued. Undefined when the client has gone. */
async function shed(
  context: RouteContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  push: Push,
  decision: BucketDecision,
): Promise<PushOutcome | undefined> {
  const { db, buckets, clockFor, line } = context
  const { tenantId, borrowerId, snapshot } = push
  const flood = await buckets.take({ tenantId }, 'portfolio_flood')
  if (!flood.allowed) throw rateLimited(flood, 'portfolio_flood')
  // Refused now rather than after it has replaced a waiting snapshot.
  const now = await clockFor(db, tenantId)
  const terms = { now, futureToleranceMs: toleranceOf(context) }
  const known = await findOutcome(db, { tenantId, borrowerId }, snapshot, terms)
  if (known) return known

  const { ended, leave } = line.enter(
    {
      tenantId,
      borrowerId,
      asOfMicros: snapshot.asOfMicros,
      digest: digestOf(snapshot.positions),
      bytes: request.rawBody.length,
      store: () => store(context, push),
    },
    decision,
  )
  if (reply.raw.destroyed) leave()
  reply.raw.once('close', leave)
  const end = await ended
  switch (end.kind) {
    case 'stored':
      setRateHeaders(reply, end.decision)
      return end.outcome
    case 'superseded': {
      const newest = await findNewestAsOf(db, tenantId, borrowerId)
      return { applied: false, asOfMicros: newest ?? end.byAsOfMicros }
    }
    case 'left':
      return undefined
    default: {
      const unreachable: never = end
      return unreachable
    }
  }
}

function toleranceOf({ config }: RouteContext): number {
  return config.asOfToleranceSeconds * SECOND_MS
}

const sourceSchema = z
  .strictObject({
    mode: z
      .enum(PORTFOLIO_SOURCES)
      .describe(
        '`custodian`: positions are also read from the custodian, and the smaller quantity counts',
      ),
  })
  .meta({ id: 'PortfolioSource', examples: [{ mode: 'custodian' }] })

export function portfolioSourceRoutes(app: TenantApp, { db, mutate }: RouteContext): void {
  app.get('/portfolio-source', {
    id: 'getPortfolioSource',
    summary: 'Read where positions come from',
    tag: 'Collateral',
    // Keys read it with the scope that sets it; a viewer sets nothing.
    config: { ...readsWith('portfolio:write'), personScope: 'borrower:read' },
    response: { 200: sourceSchema },
    handler: async (request) => ({
      mode: await getPortfolioSource(db, callerOf(request).tenantId),
    }),
  })
  app.put('/portfolio-source', {
    id: 'setPortfolioSource',
    summary: 'Choose where positions come from',
    description:
      '`push`: the newest snapshot only. `custodian`: for each asset the smaller quantity of the newest snapshot and the custodian.',
    tag: 'Collateral',
    config: {
      limitClass: 'platform_config',
      scope: 'portfolio:write',
      idempotencyKey: 'required',
    },
    body: sourceSchema,
    response: { 200: sourceSchema },
    handler: (request, reply) =>
      mutate(request, reply, async ({ tx, tenantId, ...instant }) => {
        const { mode } = request.body
        await choosePortfolioSource(tx, tenantId, mode, instant)
        return { status: 200, body: { mode } }
      }),
  })
}

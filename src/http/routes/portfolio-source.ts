import { z } from 'zod'
import { getPortfolioSource, PORTFOLIO_SOURCES } from '../../domain/collateral/portfolio-source.ts'
import { choosePortfolioSource } from '../../domain/facilities/custody/change-source.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import type { TenantApp } from '../schemas/operation.ts'

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

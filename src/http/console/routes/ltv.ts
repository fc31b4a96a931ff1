import { z } from 'zod'
import { formatFixed } from '../../../core/money.ts'
import { getFacility } from '../../../domain/facilities/facilities.ts'
import { readLtv } from '../../../domain/margin/history/read-ltv.ts'
import { callerOf } from '../../authentication/authenticate.ts'
import type { RouteContext } from '../../route-context.ts'
import { idInput, timestamp, timestampInputLike } from '../../schemas/fields.ts'
import type { ConsoleApp } from '../operation.ts'

const historySchema = z
  .strictObject({
    interval: z.enum(['hour', 'day']),
    items: z.array(
      z.strictObject({
        at: timestamp.describe("By the tenant's clock"),
        ltv: z.string(),
        debt_usd: z.string(),
        collateral_usd: z.string(),
      }),
    ),
  })
  .meta({
    id: 'LtvHistory',
    examples: [
      {
        interval: 'hour',
        items: [
          {
            at: '2026-11-22T12:00:00.000Z',
            ltv: '0.482000',
            debt_usd: '48200.00',
            collateral_usd: '100000.00',
          },
        ],
      },
    ],
  })

export function ltvRoutes(app: ConsoleApp, { db, clockFor }: RouteContext): void {
  app.get('/facilities/:id/ltv', {
    id: 'readLtvHistory',
    summary: 'Read the loan-to-value of a facility over time, oldest first',
    tag: 'History',
    config: { limitClass: 'console', scope: 'facility:read' },
    params: z.strictObject({ id: idInput('fac') }),
    querystring: z.strictObject({
      from: timestampInputLike('2026-11-08T12:00:00Z')
        .optional()
        .describe('By the hour where it lies at most 14 days back, else by the day'),
      to: timestampInputLike('2026-11-22T12:00:00Z').optional(),
    }),
    response: { 200: historySchema },
    async handler(request) {
      const { tenantId } = callerOf(request)
      const facility = await getFacility(db, tenantId, request.params.id)
      const now = await clockFor(db, tenantId)
      const key = { tenantId, facilityId: facility.id }
      const { interval, points } = await readLtv(db, key, request.query, now)
      return {
        interval,
        items: points.map(({ at, ltv, debtCents, collateralCents }) => ({
          at: at.toISOString(),
          ltv,
          debt_usd: formatFixed(debtCents, 2),
          collateral_usd: formatFixed(collateralCents, 2),
        })),
      }
    },
  })
}

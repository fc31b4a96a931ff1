import { z } from 'zod'
import { previewFacility, readMarginLevels } from '../../domain/margin/foresight/read-foresight.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readAsOfNow } from '../read-as-of-now.ts'
import type { RouteContext } from '../route-context.ts'
import { idInput } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'
import { levelsSchema, toLevelsBody } from './levels-schemas.ts'
import { actsSchema, previewSchema, readActs, toPreviewBody } from './preview-schemas.ts'

const params = z.strictObject({ facility_id: idInput('fac') })

const config = {
  limitClass: 'valuation',
  scope: 'facility:read',
  idempotencyKey: 'ignored',
} as const

export function foresightRoutes(app: TenantApp, context: RouteContext): void {
  app.get('/facilities/:facility_id/margin-levels', {
    id: 'getMarginLevels',
    summary: 'Read at which prices a facility would be warned and its collateral sold',
    description:
      'Exact, by the rules of the ladder: at each price the line holds, and one unit of price above it does not. A price counts once it has held for a minute. Empty where no warning can be raised.',
    tag: 'Margin',
    config,
    params,
    response: { 200: levelsSchema },
    errors: ['facility_not_approved'],
    async handler(request) {
      const { facility_id: facilityId } = request.params
      const levels = await readAsOfNow(context, callerOf(request).tenantId, (reading) =>
        readMarginLevels({ ...context, ...reading }, facilityId),
      )
      return toLevelsBody(levels)
    },
  })

  app.post('/facilities/:facility_id/preview', {
    id: 'previewFacility',
    summary: 'Preview what draws, repayments, collateral, prices and days would do',
    description:
      'Changes nothing. Collateral moves first, then the repayment is confirmed and the draw is paid out, at the latest prices; then prices change; then time passes. The custodian is assumed to confirm the positions.',
    tag: 'Margin',
    config,
    params,
    body: actsSchema,
    response: { 200: previewSchema },
    errors: ['facility_not_approved'],
    async handler(request) {
      const { facility_id: facilityId } = request.params
      const acts = readActs(request.body)
      return await readAsOfNow(context, callerOf(request).tenantId, async (reading) => {
        const preview = await previewFacility({ ...context, ...reading }, facilityId, acts)
        return toPreviewBody(preview, reading.marginPolicy)
      })
    },
  })
}

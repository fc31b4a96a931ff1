import { z } from 'zod'
import { readDecisionFacts } from '../../domain/margin/decisions/decision-record.ts'
import { listMarginDecisions } from '../../domain/margin/decisions/decisions.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { toDecisionBody } from '../schemas/decision-body.ts'
import { idInput, ordinalInput } from '../schemas/fields.ts'
import { decisionListSchema } from '../schemas/margin-decision.ts'
import type { TenantApp } from '../schemas/operation.ts'

/** What each decision was made from, so that it can be recomputed. */
export function marginDecisionRoutes(app: TenantApp, { db }: RouteContext): void {
  app.get('/facilities/:facility_id/margin-warnings/:number/decisions', {
    id: 'listMarginDecisions',
    summary: 'List the decisions about a margin warning, each with its inputs',
    description: 'Oldest first.',
    tag: 'Margin',
    config: readsWith('facility:read'),
    params: z.strictObject({ facility_id: idInput('fac'), number: ordinalInput }),
    response: { 200: decisionListSchema },
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { facility_id: facilityId, number } = request.params
      const decisions = await listMarginDecisions(db, tenantId, facilityId, number)
      return {
        items: decisions.map((decision) =>
          toDecisionBody({ ...decision, facts: readDecisionFacts(decision.facts) }),
        ),
      }
    },
  })
}

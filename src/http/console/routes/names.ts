import { z } from 'zod'
import { listNames, MOST_SUGGESTED } from '../../../domain/facilities/names.ts'
import { callerOf } from '../../authentication/authenticate.ts'
import type { RouteContext } from '../../route-context.ts'
import { MOST_NAMES, namedIds, namesSchema } from '../../schemas/names.ts'
import type { ConsoleApp } from '../operation.ts'

export function nameRoutes(app: ConsoleApp, { db }: RouteContext): void {
  app.get('/names', {
    id: 'listNames',
    summary: 'Read the external ids of borrowers and facilities, or those that begin so',
    description: `\`of\`: at most ${MOST_NAMES} ids, separated by commas. \`begins\`: at most ${MOST_SUGGESTED} of each kind.`,
    tag: 'Lending',
    config: { limitClass: 'console', scope: 'facility:read' },
    querystring: z
      .strictObject({ of: namedIds, begins: z.string().min(1).max(100).optional() })
      .meta({ examples: [{ begins: 'loan-47' }] }),
    response: {
      200: namesSchema.meta({
        id: 'Names',
        examples: [{ items: [{ id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c', name: 'loan-4711' }] }],
      }),
    },
    async handler(request) {
      const { tenantId } = callerOf(request)
      return { items: await listNames(db, tenantId, request.query) }
    },
  })
}

import { z } from 'zod'
import { listNamesOfAll } from '../../../domain/facilities/names.ts'
import { MOST_NAMES, namedIds, namesSchema } from '../../schemas/names.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'

export function nameRoutes(app: OperatorApp, { db }: OperatorContext): void {
  app.get('/names', {
    id: 'listNames',
    summary: 'Read the names of tenants and the external ids of what they hold',
    description: `\`of\`: at most ${MOST_NAMES} of \`ten_…\` and \`ten_…/fac_…\`, separated by commas; answered as they were asked for.`,
    tag: 'Reviews',
    querystring: z.strictObject({ of: namedIds }),
    response: {
      200: namesSchema.meta({
        id: 'Names',
        examples: [{ items: [{ id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c', name: 'Acme' }] }],
      }),
    },
    async handler(request) {
      return { items: await listNamesOfAll(db, request.query.of) }
    },
  })
}

import { z } from 'zod'
import { FOUND_KINDS, findAnything } from '../../../domain/operators/find/find.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { idText, listOf, text } from '../../schemas/fields.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'

const FOUND_EXAMPLE = {
  kind: 'facility' as const,
  id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  about: 'approved',
  page: '/margin/ten_01k9x4m2q8e0tb7f2v5j6h8n3c/fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
}

const foundObject = z.strictObject({
  kind: z.enum(FOUND_KINDS),
  id: z.string(),
  tenant_id: idText('ten').nullable(),
  about: z.string().nullable().describe('In words, such as its state'),
  page: z.string().describe("Path of the desk's page that shows it"),
})

const foundSchema = listOf(foundObject, 'FoundAnything', FOUND_EXAMPLE)

export function findRoutes(app: OperatorApp, { db }: OperatorContext): void {
  app.get('/find', {
    id: 'findAnything',
    summary: 'Find what an id names, of whatever kind and tenant, and the page that shows it',
    description:
      "Also the id of a request (`X-SVC-Request-Id`), what a tenant has given as `external_id`, the beginning of a tenant's name, and a transfer, by the provider's id or the reference that a tenant has reported. Without a match `items` is empty.",
    tag: 'Actions',
    querystring: z.strictObject({ text: text(200) }),
    response: { 200: foundSchema },
    handler: async (request) => ({
      items: (await findAnything(db, request.query.text)).map(bodyOf(foundObject)),
    }),
  })
}

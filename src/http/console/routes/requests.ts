import { z } from 'zod'
import {
  getRequest,
  type LoggedRequest,
  listRequests,
} from '../../../domain/request-log/read-requests.ts'
import { callerOf } from '../../authentication/authenticate.ts'
import type { RouteContext } from '../../route-context.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import {
  idFilter,
  idText,
  pageOf,
  pageQuery,
  text,
  timestamp,
  timestampInputLike,
  toPageBody,
} from '../../schemas/fields.ts'
import type { ConsoleApp } from '../operation.ts'

const EXAMPLE = {
  id: 'req_01k9x4m2q8e0tb7f2v5j6h8n3c',
  received_at: '2026-11-22T12:00:00.000Z',
  via: 'api' as const,
  method: 'GET',
  route: '/v1/borrowers/:borrower_id',
  path: '/v1/borrowers/bor_01k9x4m2q8e0tb7f2v5j6h8n3c',
  status: 404,
  code: 'not_found',
  key_id: 'key_01k9x4m2q8e0tb7f2v5j6h8n3c',
  person_id: null,
  duration_ms: 3.2,
  idempotency_key: null,
  resource_id: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c',
}

const requestSchema = z.strictObject({
  id: idText('req'),
  received_at: timestamp,
  via: z.enum(['api', 'console']),
  method: z.string(),
  route: z.string(),
  path: z.string().describe('Without its query'),
  status: z.int(),
  code: z.string().nullable().describe('Of a refusal'),
  key_id: z.string().nullable(),
  person_id: z.string().nullable().describe('Who sent it in the console'),
  duration_ms: z.number(),
  idempotency_key: z.string().nullable(),
  resource_id: z.string().nullable(),
})

const detailSchema = requestSchema
  .extend({
    query: z.record(z.string(), z.string()).optional(),
    answer: z.unknown().optional().describe('Of a refusal'),
    string_to_sign: z.string().optional().describe('Of `signature_invalid`, what was verified'),
    sent: z.record(z.string(), z.string()).optional().describe('The headers beside it'),
  })
  .meta({ id: 'RequestDetails', examples: [EXAMPLE] })

/** A class such as 4xx, or one status. */
const statusFilter = z
  .string()
  .regex(/^[1-5](xx|\d\d)$/, { error: 'Invalid format. Expected 4xx, or a status such as 404.' })
  .transform((given) => {
    const from = Number(given.replace('xx', '00'))
    return { from, to: given.endsWith('xx') ? from + 99 : from }
  })

export const periodQuery = {
  since: timestampInputLike('2026-11-22T00:00:00Z').optional(),
  until: timestampInputLike('2026-11-23T00:00:00Z').optional().describe('Excluded'),
}

export function requestRoutes(app: ConsoleApp, { db, cursors }: RouteContext): void {
  app.get('/requests', {
    id: 'listRequests',
    summary: "List the tenant's requests of the last days, newest first",
    tag: 'History',
    config: { limitClass: 'console', scope: 'webhook:read' },
    querystring: z.strictObject({
      ...pageQuery,
      ...periodQuery,
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
      status: statusFilter.optional(),
      code: text(64).optional(),
      key_id: idFilter('key'),
      path: text(300).optional().describe('A route, or how the path begins'),
      resource: text(64).optional(),
    }),
    response: { 200: pageOf(requestSchema, 'RequestPage', EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { from, limit, ...given } = request.query
      const { status: statuses, key_id: keyId, resource: resourceId, ...others } = given
      const filters = { ...others, statuses, keyId, resourceId }
      const { tenantId } = callerOf(request)
      const page = await listRequests(db, tenantId, { from, limit, filters }, cursors)
      return toPageBody(page, toRequestBody)
    },
  })

  app.get('/requests/:id', {
    id: 'getRequest',
    summary: 'Read one request, with the answer of a refusal',
    tag: 'History',
    config: { limitClass: 'console', scope: 'webhook:read' },
    params: z.strictObject({ id: z.string() }),
    response: { 200: detailSchema },
    async handler(request) {
      const { details, ...found } = await getRequest(
        db,
        callerOf(request).tenantId,
        request.params.id,
      )
      const { string_to_sign: signed } = (details.answer ?? {}) as { string_to_sign?: unknown }
      return {
        ...toRequestBody(found),
        ...details,
        ...(typeof signed === 'string' && { string_to_sign: signed }),
      }
    },
  })
}

const showRequest = bodyOf(requestSchema)

const toRequestBody = (request: LoggedRequest) =>
  showRequest({ ...request, receivedAt: request.at })

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from '../../core/errors.ts'
import { FIELD_CODE_NAMES, FIELD_CODES } from '../../core/field-errors.ts'
import { appOf, type Described } from '../app-type.ts'
import { ERROR_CATALOGUE } from '../errors/catalogue.ts'
import { PROBLEM_TYPE } from '../errors/problem.ts'
import type { KeyUse } from '../route-config.ts'

const fieldErrorSchema = z.strictObject({
  pointer: z.string().describe('JSON pointer into the body, or ?name for a query parameter'),
  code: z.enum(FIELD_CODE_NAMES).describe(
    Object.entries(FIELD_CODES)
      .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
      .join('\n'),
  ),
  detail: z.string().describe('What is expected, with an example, for people'),
})

/** `id` names the schema in its document. */
export function problemOf(id: string, codes: readonly ErrorCode[]) {
  const problem = z.looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(codes),
    detail: z.string(),
    request_id: z.string(),
    errors: z.array(fieldErrorSchema).optional(),
  })
  return problem.meta({
    id,
    examples: [
      {
        type: 'https://api.example.com/errors/not_found',
        title: 'Not Found',
        status: 404,
        code: 'not_found',
        detail: 'There is no such borrower.',
        request_id: 'req_01k9x4m2q8e0tb7f2v5j6h8n3c',
      },
    ],
  })
}

const problemSchema = problemOf('Problem', ERROR_CODES)

/** Refusals that any operation can return. */
const ALWAYS: readonly ErrorCode[] = [
  'malformed_request',
  'signature_missing',
  'signature_malformed',
  'timestamp_out_of_range',
  'signature_invalid',
  'scope_missing',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'validation_failed',
  'rate_limited',
  'internal',
  'unavailable',
]

export const WITH_BODY: readonly ErrorCode[] = [
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
]
export const WITH_KEY: readonly ErrorCode[] = [
  'idempotency_key_invalid',
  'idempotency_in_progress',
  'idempotency_key_reused',
]

/** Refuses query parameters that no handler reads. */
const NO_QUERY = z.strictObject({})

type Operation = Described & {
  tag:
    | 'Keys'
    | 'Onboarding'
    | 'Collateral'
    | 'Facilities'
    | 'Repayments'
    | 'Margin'
    | 'Webhooks'
    | 'Events'
    | 'Sandbox'
  /** An example, where the success is also served as CSV. */
  csv?: string
}

/** Takes the `/v1` operations. */
export type TenantApp = ReturnType<typeof tenantApp>

export const tenantApp = (app: FastifyInstance) => appOf(app, describeOperation)

function describeOperation({ response, csv, errors = [], ...definition }: Operation) {
  const { idempotencyKey: use } = definition.config ?? {}
  return toSchema(definition, {
    codes: [
      ...ALWAYS,
      ...errors,
      // A POST without a body schema may still be sent a body.
      ...(definition.body || use === 'required' ? WITH_BODY : []),
      ...(isChange(use) ? (['tenant_suspended'] as const) : []),
      ...(use === 'required' ? (['idempotency_key_missing'] as const) : []),
      ...(use === 'required' || use === 'honoured' ? WITH_KEY : []),
      ...(use === 'accepted' ? (['idempotency_key_invalid'] as const) : []),
    ],
    response: alsoCsv(response, csv),
    problemSchema,
  })
}

/** The schema of a route, for validation and OpenAPI. Any path with parameters may be answered `not_found`. */
export function toSchema(
  {
    id,
    summary,
    description,
    tag,
    params,
    querystring,
    body,
  }: Omit<Described, 'response'> & { tag: string },
  {
    codes,
    response,
    problemSchema: problem,
  }: { codes: readonly ErrorCode[]; response: object; problemSchema: z.ZodType },
) {
  const all = new Set([...codes, ...(params ? (['not_found'] as const) : [])])
  return {
    ...{ querystring: querystring ?? NO_QUERY, ...(params && { params }), ...(body && { body }) },
    ...{ operationId: id, summary, ...(description !== undefined && { description }) },
    tags: [tag],
    response: { ...response, ...problemResponses(all, problem) },
  }
}

const isChange = (use: KeyUse | undefined) => use !== undefined && use !== 'ignored'

function alsoCsv(response: Record<number, z.ZodType>, csv: string | undefined) {
  const json = response[200]
  if (csv === undefined || !json) return response
  const table = z.string().meta({ examples: [csv] })
  const content = { 'application/json': { schema: json }, 'text/csv': { schema: table } }
  return { ...response, 200: { description: 'OK', content } }
}

function problemResponses(
  codes: ReadonlySet<ErrorCode>,
  schema: z.ZodType,
): Record<number, unknown> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = ERROR_CATALOGUE[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: names
          .sort()
          .map((name) => `\`${name}\``)
          .join(', '),
        content: { [PROBLEM_TYPE]: { schema } },
      },
    ]),
  )
}

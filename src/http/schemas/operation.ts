import { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from '../../core/errors.ts'
import { FIELD_CODE_NAMES, FIELD_CODES } from '../../core/field-errors.ts'
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

const WITH_BODY: readonly ErrorCode[] = ['invalid_json', 'body_too_large', 'unsupported_media_type']
const WITH_KEY: readonly ErrorCode[] = [
  'idempotency_key_invalid',
  'idempotency_in_progress',
  'idempotency_key_reused',
]

/** Refuses query parameters that no handler reads. */
export const NO_QUERY = z.strictObject({})

type Operation<Responses extends Record<number, z.ZodType>, Parts> = Parts & {
  /** Verb and noun, unique and permanent: generated clients name their methods after it. */
  id: string
  summary: string
  description?: string
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
  response: Responses
  /** An example, where the success is also served as CSV. */
  csv?: string
  /** Refusals beyond those of the pipeline. */
  errors?: readonly ErrorCode[]
  idempotencyKey?: KeyUse
}

/**
 * The schema of a route, for validation, types and OpenAPI. Without a `querystring` every query
 * parameter is refused.
 */
export function operation<
  const Responses extends Record<number, z.ZodType>,
  const Parts extends { body?: z.ZodType; querystring?: z.ZodType; params?: z.ZodType },
>(definition: Operation<Responses, Parts>) {
  const {
    id,
    summary,
    description,
    tag,
    response,
    csv,
    errors = [],
    idempotencyKey,
    ...parts
  } = definition
  const codes = new Set([
    ...ALWAYS,
    ...errors,
    // A POST without a body schema may still be sent a body.
    ...(definition.body || idempotencyKey === 'required' ? WITH_BODY : []),
    ...(definition.params ? (['not_found'] as const) : []),
    ...(isChange(idempotencyKey) ? (['tenant_suspended'] as const) : []),
    ...(idempotencyKey === 'required' ? (['idempotency_key_missing'] as const) : []),
    ...(idempotencyKey === 'required' || idempotencyKey === 'honoured' ? WITH_KEY : []),
    ...(idempotencyKey === 'accepted' ? (['idempotency_key_invalid'] as const) : []),
  ])
  return {
    ...({ querystring: NO_QUERY, ...parts } as unknown as Parts),
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    response: { ...alsoCsv(response, csv), ...problemResponses(codes, problemSchema) } as Responses,
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

export function problemResponses(
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

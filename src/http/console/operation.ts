import type { z } from 'zod'
import { CONSOLE_ERROR_CODES, ERROR_CODES, type ErrorCode } from '../../core/errors.ts'
import type { KeyUse } from '../route-config.ts'
import { NO_QUERY, problemOf, problemResponses } from '../schemas/operation.ts'

const problemSchema = problemOf('ConsoleProblem', [...ERROR_CODES, ...CONSOLE_ERROR_CODES])

/** Refusals that any operation of the console can return. */
const ALWAYS: readonly ErrorCode[] = [
  'malformed_request',
  'cross_origin',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'validation_failed',
  'rate_limited',
  'internal',
  'unavailable',
]

const WITH_BODY: readonly ErrorCode[] = ['invalid_json', 'body_too_large', 'unsupported_media_type']
const WITH_SESSION: readonly ErrorCode[] = [
  'session_required',
  'passkey_required',
  'link_waiting',
  'scope_missing',
]
const WITH_KEY: readonly ErrorCode[] = [
  'idempotency_key_invalid',
  'idempotency_in_progress',
  'idempotency_key_reused',
]

type Operation<Responses extends Record<number, z.ZodType>, Parts> = Parts & {
  /** Verb and noun, unique: the application names its calls after it. */
  id: string
  summary: string
  tag: 'Session' | 'Passkeys' | 'Keys' | 'People' | 'Actions' | 'Lending' | 'History'
  response: Responses
  /** Refusals beyond those of the pipeline. */
  errors?: readonly ErrorCode[]
  idempotencyKey?: Extract<KeyUse, 'honoured'>
  /** Before anyone has signed in. */
  isOpen?: true
}

/** As `operation`, for routes of the console's own interface. */
export function consoleOperation<
  const Responses extends Record<number, z.ZodType>,
  const Parts extends { body?: z.ZodType; querystring?: z.ZodType; params?: z.ZodType },
>(definition: Operation<Responses, Parts>) {
  const { id, summary, tag, response, errors = [], idempotencyKey, isOpen, ...parts } = definition
  const codes = new Set([
    ...ALWAYS,
    ...errors,
    ...(isOpen ? [] : WITH_SESSION),
    ...(definition.body ? WITH_BODY : []),
    ...(definition.params ? (['not_found'] as const) : []),
    ...(idempotencyKey ? WITH_KEY : []),
  ])
  return {
    ...({ querystring: NO_QUERY, ...parts } as unknown as Parts),
    operationId: id,
    summary,
    tags: [tag],
    response: { ...response, ...problemResponses(codes, problemSchema) } as Responses,
  }
}

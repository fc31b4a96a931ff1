import type { z } from 'zod'
import {
  CONSOLE_ERROR_CODES,
  ERROR_CODES,
  type ErrorCode,
  OPERATOR_ERROR_CODES,
} from '../../core/errors.ts'
import { NO_QUERY, problemOf, problemResponses } from '../schemas/operation.ts'

const problemSchema = problemOf('OperatorProblem', [
  ...ERROR_CODES,
  ...CONSOLE_ERROR_CODES,
  ...OPERATOR_ERROR_CODES,
])

/** Refusals that any operation can return. */
const ALWAYS: readonly ErrorCode[] = [
  'malformed_request',
  'cross_origin',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'validation_failed',
  'internal',
  'unavailable',
]

/** A POST without a body schema may still be sent a body. */
export const WITH_BODY: readonly ErrorCode[] = [
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
]
const WITH_KEY: readonly ErrorCode[] = [
  'idempotency_key_invalid',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'secret_not_retrievable',
]

/** Of a token, or of a session in the desk. */
const WITH_OPERATOR: readonly ErrorCode[] = [
  'token_required',
  'session_required',
  'passkey_required',
  'link_waiting',
]

type Operation<Responses extends Record<number, z.ZodType>, Parts> = Parts & {
  /** Verb and noun, unique. */
  id: string
  summary: string
  description?: string
  tag:
    | 'Administration'
    | 'Session'
    | 'Operators'
    | 'Actions'
    | 'Approvals'
    | 'Book'
    | 'Books'
    | 'Margin'
    | 'Reviews'
    | 'Operations'
  response: Responses
  /** Refusals beyond those of the pipeline. */
  errors?: readonly ErrorCode[]
  /** Before anyone has signed in. */
  isOpen?: true
  /** Without a body. What has one, changes something. */
  isChange?: true
}

/** As `operation`, for the operator API. */
export function operatorOperation<
  const Responses extends Record<number, z.ZodType>,
  const Parts extends { body?: z.ZodType; querystring?: z.ZodType; params?: z.ZodType },
>(definition: Operation<Responses, Parts>) {
  const { id, summary, description, tag, response, errors = [], ...rest } = definition
  const { isOpen, isChange, ...parts } = rest
  const codes = new Set([
    ...ALWAYS,
    ...errors,
    ...(isOpen ? [] : WITH_OPERATOR),
    ...(definition.body || isChange ? [...WITH_BODY, ...WITH_KEY] : []),
    ...(definition.params ? (['not_found'] as const) : []),
  ])
  return {
    ...({ querystring: NO_QUERY, ...parts } as unknown as Parts),
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    response: { ...response, ...problemResponses(codes, problemSchema) } as Responses,
  }
}

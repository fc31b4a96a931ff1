import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, Refusal } from '../../core/errors.ts'
import { isConnectionLost, isPoolExhausted, lostNode, sqlState } from '../../db/errors.ts'
import { ERROR_CATALOGUE } from './catalogue.ts'
import { CONSOLE_ERRORS } from './console-errors.ts'
import { OPERATOR_ERRORS } from './operator-errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    refusalCode?: ErrorCode
    /** The problem object sent, as text. */
    problem?: string
  }
}

export const PROBLEM_TYPE = 'application/problem+json'

export function toProblem(refusal: Refusal, errorsUrl: string, requestId: string) {
  const { status, title } = ERROR_CATALOGUE[refusal.code]
  return {
    type: `${errorsUrl}/${refusal.code}`,
    title,
    status,
    code: refusal.code,
    detail: refusal.message,
    request_id: requestId,
    ...(refusal.extras.errors ? { errors: refusal.extras.errors } : {}),
    ...refusal.extras.members,
  }
}

export function problemHeaders(refusal: Refusal): Record<string, string> {
  const { retryAfterSeconds } = refusal.extras
  const { status } = ERROR_CATALOGUE[refusal.code]
  return {
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 401 ? { 'www-authenticate': schemeOf(refusal.code) } : {}),
  }
}

/** Browsers ask for nothing under a scheme that they do not know. */
function schemeOf(code: ErrorCode): string {
  if (Object.hasOwn(OPERATOR_ERRORS, code)) return 'Bearer'
  return Object.hasOwn(CONSOLE_ERRORS, code) ? 'SVC-Console' : 'SVC-Ed25519'
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  errorsUrl: string,
): FastifyReply {
  const problem = toProblem(refusal, errorsUrl, request.id)
  request.refusalCode = refusal.code
  request.problem = JSON.stringify(problem)
  return (
    reply
      .code(problem.status)
      .headers(problemHeaders(refusal))
      .header('content-type', PROBLEM_TYPE)
      // As bytes, because Fastify adds a charset to text and this media type has none.
      .send(Buffer.from(request.problem))
  )
}

/**
 * Anything that is not a Refusal, one of Fastify's errors or a lost database becomes `internal`;
 * its cause is only logged.
 */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'FST_ERR_BAD_URL':
      return new Refusal('malformed_request', 'The path has an invalid percent-encoding.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return unsupportedMediaType()
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal('uri_too_long', 'A segment of the path is too long.')
  }
  if (code !== undefined && String(code).startsWith('FST_ERR_') && isClientFault(error)) {
    return new Refusal('malformed_request', 'The request cannot be read.', { cause: error })
  }
  if (isPoolExhausted(error)) {
    // Overload is not a fault: no cause, so no stack is logged.
    const detail = 'The server is overloaded; the request did not run.'
    return new Refusal('unavailable', detail, { retryAfterSeconds: 1 })
  }
  if (isDatabaseUnavailable(error)) {
    const missing = lostNode(error) === undefined ? 'The database' : 'A node of the database'
    return new Refusal('unavailable', `${missing} is not available.`, {
      retryAfterSeconds: 1,
      cause: error,
    })
  }
  return new Refusal('internal', 'Internal error. Nothing was changed.', {
    cause: error,
  })
}

function isClientFault(error: unknown): boolean {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500
}

export function unsupportedMediaType(): Refusal {
  return new Refusal('unsupported_media_type', 'Send the body as Content-Type: application/json.')
}

/**
 * No connection, lock and statement timeouts (55P03, 57014), conflicts after retries (40001,
 * 40P01). An AggregateError counts if all its errors do.
 */
function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isDatabaseUnavailable)
  }
  return isConnectionLost(error) || /^(55P03|57014|40001|40P01)$/.test(sqlState(error) ?? '')
}

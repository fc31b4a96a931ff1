import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, Refusal } from '../core/errors.ts'
import { isConnectionLost, isPoolExhausted, sqlState } from '../db/errors.ts'
import { ERROR_CATALOGUE } from './error-catalogue.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the problem that this request was answered by, if it was. */
    refusalCode?: ErrorCode
  }
}

export const PROBLEM_TYPE = 'application/problem+json'

/** Builds the problem object of the interface, Errors, with the request's id. */
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

/** The headers that go with a refusal, whatever carries it. */
export function problemHeaders(refusal: Refusal): Record<string, string> {
  const { retryAfterSeconds } = refusal.extras
  const { status } = ERROR_CATALOGUE[refusal.code]
  return {
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 401 ? { 'www-authenticate': 'SVC-Ed25519' } : {}),
  }
}

/** Sends a refusal as a problem object. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  errorsUrl: string,
): FastifyReply {
  const problem = toProblem(refusal, errorsUrl, request.id)
  request.refusalCode = refusal.code
  return (
    reply
      .code(problem.status)
      .headers(problemHeaders(refusal))
      .header('content-type', PROBLEM_TYPE)
      // As bytes, to which Fastify adds no charset parameter: the media type has none.
      .send(Buffer.from(JSON.stringify(problem)))
  )
}

/**
 * What a thrown error means to the tenant. Refusals speak for themselves; Fastify's own errors and
 * lost databases have their codes; anything else is `internal`, with its cause for the log alone.
 */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'FST_ERR_BAD_URL':
      return new Refusal('malformed_request', 'The path has a percent sign that encodes nothing.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return unsupportedMediaType()
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal('uri_too_long', 'A part of the path is too long to be one of our ids.')
  }
  if (code !== undefined && String(code).startsWith('FST_ERR_') && isClientFault(error)) {
    return new Refusal('malformed_request', 'The request cannot be read.', { cause: error })
  }
  if (isPoolExhausted(error)) {
    // Load, and no fault: there is no cause that a stack would lead to.
    const detail = 'No database connection came free in time; the request did not run.'
    return new Refusal('unavailable', detail, { retryAfterSeconds: 1 })
  }
  if (isDatabaseUnavailable(error)) {
    return new Refusal('unavailable', 'The database cannot be reached at this moment.', {
      retryAfterSeconds: 1,
      cause: error,
    })
  }
  return new Refusal('internal', 'Something went wrong on our side. Nothing was changed.', {
    cause: error,
  })
}

function isClientFault(error: unknown): boolean {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500
}

/** What a body that is not JSON is refused with. */
export function unsupportedMediaType(): Refusal {
  return new Refusal('unsupported_media_type', 'Send the body as Content-Type: application/json.')
}

/**
 * Lost or overloaded rather than wrong: no connection, lock and statement time-outs (55P03, 57014),
 * and conflicts that outlived their retries (40001, 40P01). Of errors thrown together, all of them.
 */
function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isDatabaseUnavailable)
  }
  return isConnectionLost(error) || /^(55P03|57014|40001|40P01)$/.test(sqlState(error) ?? '')
}

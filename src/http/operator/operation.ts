import type { FastifyInstance } from 'fastify'
import {
  CONSOLE_ERROR_CODES,
  ERROR_CODES,
  type ErrorCode,
  OPERATOR_ERROR_CODES,
} from '../../core/errors.ts'
import { appOf, type Described } from '../app-type.ts'
import { pageQueryUpTo } from '../schemas/fields.ts'
import { problemOf, toSchema, WITH_BODY, WITH_KEY } from '../schemas/operation.ts'

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

/** Of a token, or of a session in the desk. */
const WITH_OPERATOR: readonly ErrorCode[] = [
  'token_required',
  'session_required',
  'passkey_required',
  'link_waiting',
]

export type Operation = Described & {
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
  /** Before anyone has signed in. */
  isOpen?: true
  /** Without a body. What has one, changes something. */
  isChange?: true
}

/** Takes the operations of the operator API. */
export type OperatorApp = ReturnType<typeof operatorApp>

export const operatorApp = (app: FastifyInstance) => appOf(app, describeOperation)

export function describeOperation({
  response,
  errors = [],
  isOpen,
  isChange,
  ...definition
}: Operation) {
  const codes = [
    ...ALWAYS,
    ...errors,
    ...(isOpen ? [] : WITH_OPERATOR),
    ...(definition.body || isChange
      ? [...WITH_BODY, ...WITH_KEY, 'secret_not_retrievable' as const]
      : []),
  ]
  return toSchema(definition, { codes, response, problemSchema })
}

export const deskPageQuery = pageQueryUpTo(100)

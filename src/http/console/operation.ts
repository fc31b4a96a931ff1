import type { FastifyInstance } from 'fastify'
import { CONSOLE_ERROR_CODES, ERROR_CODES, type ErrorCode } from '../../core/errors.ts'
import { appOf, type Described } from '../app-type.ts'
import { problemOf, toSchema, WITH_BODY, WITH_KEY } from '../schemas/operation.ts'

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

const WITH_SESSION: readonly ErrorCode[] = [
  'session_required',
  'passkey_required',
  'link_waiting',
  'scope_missing',
]

type Operation = Described & {
  tag: 'Session' | 'Passkeys' | 'Keys' | 'People' | 'Actions' | 'Lending' | 'History'
  /** Before anyone has signed in. */
  isOpen?: true
}

/** Takes the operations of the console's own interface. */
export type ConsoleApp = ReturnType<typeof consoleApp>

export const consoleApp = (app: FastifyInstance) => appOf(app, describeOperation)

export function describeOperation({ response, errors = [], isOpen, ...definition }: Operation) {
  const codes = [
    ...ALWAYS,
    ...errors,
    ...(isOpen ? [] : WITH_SESSION),
    ...(definition.body ? WITH_BODY : []),
    ...(definition.config?.idempotencyKey === 'honoured' ? WITH_KEY : []),
  ]
  return toSchema(definition, { codes, response, problemSchema })
}

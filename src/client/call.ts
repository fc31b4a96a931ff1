import type { operations } from './generated/openapi-types.ts'
import { ROUTES } from './generated/routes.ts'
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf } from './operation-types.ts'
import type { RequestOptions, SendRequest } from './request.ts'

/** With your own `idempotencyKey` a call can be repeated after a restart of your process. */
export type CallOptions = Pick<RequestOptions, 'idempotencyKey' | 'signal'>

export type InputOf<Operation> = CallOptions &
  Pick<RequestOptions, 'accept'> &
  Part<'path', PathOf<Operation>> &
  Part<'body', BodyOf<Operation>> &
  Partial<Part<'query', QueryOf<Operation>>>

export type CallInput<Id extends OperationId> = InputOf<operations[Id]>

type Part<Name extends string, Value> = [Value] extends [undefined] ? unknown : Record<Name, Value>

/** Runs an operation of a document by its `operationId`. */
export type CallTo<Operations> = <Id extends keyof Operations>(
  id: Id,
  input: InputOf<Operations[Id]>,
) => Promise<AnswerOf<Operations[Id]>>

type Requests = Pick<operations, OperationId>

export type Call = CallTo<Requests>

type Routes<Operations> = Readonly<
  Record<keyof Operations, readonly [method: string, path: string]>
>

type Given = Pick<RequestOptions, 'accept'> &
  CallOptions & {
    path?: Record<string, string | number>
    query?: Record<string, string | number | undefined>
    body?: unknown
  }

export const createCall = (send: SendRequest): Call => createCallTo<Requests>(ROUTES, send)

export function createCallTo<Operations>(
  routes: Routes<Operations>,
  send: SendRequest,
): CallTo<Operations> {
  return async (id, input) => {
    const [method, template] = routes[id]
    const { path, ...rest }: Given = input as Given
    const target = template.replace(/\{(\w+)\}/g, (_, name) => segment(path?.[name]))
    return (await send(method, target, rest)) as AnswerOf<Operations[typeof id]>
  }
}

function segment(id: string | number | undefined): string {
  if (id === undefined || id === '' || id === '.' || id === '..') {
    throw new TypeError(`Not an identifier: "${id}".`)
  }
  return encodeURIComponent(id)
}

import { ROUTES } from './generated/routes.ts'
import type { Answer, Body, OperationId, PathOf, Query } from './operation-types.ts'
import type { RequestOptions, SendRequest } from './request.ts'

/** With your own `idempotencyKey` a call can be repeated after a restart of your process. */
export type CallOptions = Pick<RequestOptions, 'idempotencyKey' | 'signal'>

export type CallInput<Id extends OperationId> = CallOptions &
  Pick<RequestOptions, 'accept'> &
  Part<'path', PathOf<Id>> &
  Part<'body', Body<Id>> &
  Partial<Part<'query', Query<Id>>>

type Part<Name extends string, Value> = [Value] extends [undefined] ? unknown : Record<Name, Value>

/** Runs an operation of the OpenAPI document by its `operationId`. */
export type Call = <Id extends OperationId>(id: Id, input: CallInput<Id>) => Promise<Answer<Id>>

type Given = Pick<RequestOptions, 'accept'> &
  CallOptions & {
    path?: Record<string, string | number>
    query?: Record<string, string | number | undefined>
    body?: unknown
  }

export function createCall(send: SendRequest): Call {
  return async (id, input) => {
    const [method, template] = ROUTES[id]
    const { path, ...rest }: Given = input
    const target = template.replace(/\{(\w+)\}/g, (_, name) => segment(path?.[name]))
    return (await send(method, target, rest)) as Answer<typeof id>
  }
}

function segment(id: string | number | undefined): string {
  if (id === undefined || id === '' || id === '.' || id === '..') {
    throw new TypeError(`Not an identifier: "${id}".`)
  }
  return encodeURIComponent(id)
}

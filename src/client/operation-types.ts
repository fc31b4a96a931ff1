import type { operations } from './generated/openapi-types.ts'
import type { ROUTES } from './generated/routes.ts'

/** The name of an operation of the service; the document's webhooks have names of their own. */
export type OperationId = keyof typeof ROUTES

type Json<Content> = Content extends { content: { 'application/json': infer Body } }
  ? Body
  : undefined

/** What an operation answers when it succeeds; undefined where that is an empty body. */
export type Answer<Id extends OperationId> = operations[Id] extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201 | 202 | 204)]>
  : never

/** What an operation takes as its body; undefined where it takes none. */
export type Body<Id extends OperationId> = operations[Id] extends { requestBody: infer Content }
  ? Json<Content>
  : undefined

/** The identifiers in an operation's path; undefined where it has none. */
export type PathOf<Id extends OperationId> = operations[Id]['parameters'] extends {
  path: infer Path
}
  ? Path
  : undefined

/** The query of an operation, every member optional; undefined where it takes none. */
export type Query<Id extends OperationId> = operations[Id]['parameters'] extends {
  query?: infer Parameters
}
  ? NonNullable<Parameters> extends never
    ? undefined
    : NonNullable<Parameters>
  : undefined

/** One item of a list. */
export type Item<Id extends OperationId> =
  Answer<Id> extends { items: readonly (infer Listed)[] } ? Listed : never

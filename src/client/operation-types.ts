import type { operations } from './generated/openapi-types.ts'
import type { ROUTES } from './generated/routes.ts'

export type OperationId = keyof typeof ROUTES

type Json<Content> = Content extends { content: { 'application/json': infer Body } }
  ? Body
  : undefined

/** The answer on success; undefined for an empty body. */
export type Answer<Id extends OperationId> = operations[Id] extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201 | 202 | 204)]>
  : never

export type Body<Id extends OperationId> = operations[Id] extends { requestBody: infer Content }
  ? Json<Content>
  : undefined

export type PathOf<Id extends OperationId> = operations[Id]['parameters'] extends {
  path: infer Path
}
  ? Path
  : undefined

export type Query<Id extends OperationId> = operations[Id]['parameters'] extends {
  query?: infer Parameters
}
  ? NonNullable<Parameters> extends never
    ? undefined
    : NonNullable<Parameters>
  : undefined

export type Item<Id extends OperationId> =
  Answer<Id> extends { items: readonly (infer Listed)[] } ? Listed : never

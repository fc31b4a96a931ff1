import type { operations } from './generated/openapi-types.ts'
import type { ROUTES } from './generated/routes.ts'

export type OperationId = keyof typeof ROUTES

type Json<Content> = Content extends { content: { 'application/json': infer Body } }
  ? Body
  : undefined

/** The answer on success; undefined for an empty body. */
export type AnswerOf<Operation> = Operation extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201 | 202 | 204)]>
  : never

export type BodyOf<Operation> = Operation extends { requestBody: infer Content }
  ? Json<Content>
  : undefined

export type PathOf<Operation> = Operation extends { parameters: { path: infer Path } }
  ? Path
  : undefined

export type QueryOf<Operation> = Operation extends { parameters: infer Parameters }
  ? 'query' extends keyof Parameters
    ? NonNullable<Parameters['query']>
    : undefined
  : undefined

export type Answer<Id extends OperationId> = AnswerOf<operations[Id]>
export type Body<Id extends OperationId> = BodyOf<operations[Id]>
export type Query<Id extends OperationId> = QueryOf<operations[Id]>

export type Item<Id extends OperationId> =
  Answer<Id> extends { items: readonly (infer Listed)[] } ? Listed : never

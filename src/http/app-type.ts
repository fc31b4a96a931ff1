import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { ErrorCode } from '../core/errors.ts'

type Responses = Record<number, z.ZodType>

/** Validates a request, and describes an operation in its document. */
export type Described = {
  /** Verb and noun, unique and permanent: generated clients name their methods after it. */
  id: string
  summary: string
  description?: string
  config?: FastifyContextConfig
  params?: z.ZodType
  /** Without it every query parameter is refused. */
  querystring?: z.ZodType
  body?: z.ZodType
  response: Responses
  /** Refusals beyond those of the pipeline. */
  errors?: readonly ErrorCode[]
}

/** `handler` is typed by the zod schemas beside it. */
type Operation<About, Params, Query, Body, Answers> = About & {
  config?: FastifyContextConfig
  params?: Params
  querystring?: Query
  body?: Body
  response: Answers
  handler: RouteHandlerMethod<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    RouteGenericInterface,
    ContextConfigDefault,
    { params: Params; querystring: Query; body: Body; response: Answers },
    ZodTypeProvider,
    FastifyBaseLogger
  >
}

type AddOperation<About> = <
  const Answers extends Responses,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
>(
  path: string,
  operation: Operation<About, Params, Query, Body, Answers>,
) => void

/** Takes the operations of one interface: a path, and all about it in one definition. */
export type AppOf<About> = Record<'get' | 'post' | 'put' | 'patch' | 'delete', AddOperation<About>>

export function appOf<Definition extends Described>(
  app: FastifyInstance,
  describe: (definition: Definition) => FastifySchema,
): AppOf<Omit<Definition, 'config' | 'params' | 'querystring' | 'body' | 'response'>> {
  const adder =
    (method: string) =>
    (url: string, { handler, ...definition }: Definition & { handler: RouteHandlerMethod }) => {
      const { config = {} } = definition
      app.route({ method, url, config, schema: describe(definition as never), handler })
    }
  const [get, post, put, patch] = ['GET', 'POST', 'PUT', 'PATCH'].map(adder)
  return { get, post, put, patch, delete: adder('DELETE') } as never
}

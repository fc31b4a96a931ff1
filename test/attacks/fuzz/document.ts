import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { resolveRefs } from '../../support/api/resolve-refs.ts'

/** What the document uses of JSON Schema. */
export type Schema = {
  type?: string
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  /** Of a list of a fixed length. */
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
}

type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
type Described = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema; example?: unknown } } }
  responses: Record<string, DescribedResponse>
}
type DescribedResponse = {
  description?: string
  content?: Record<string, { schema: Schema }>
}

/** An operation as an OpenAPI document promises it. */
export type Operation = {
  id: string
  /** Such as `GET /v1/borrowers/{borrower_id}`. */
  name: string
  method: string
  path: string
  query: Parameter[]
  body: Schema | undefined
  example: unknown
  /** By status. */
  answers: ReadonlyMap<number, PromisedAnswer>
}

type PromisedAnswer = {
  /** Undefined where the answer has no body. */
  mediaType: string | undefined
  schema: z.ZodType | undefined
  /** The codes of the problem objects that come with this status. */
  codes: string[]
}

type Paths = Record<string, Record<string, Described>>

/** The operations of the committed document: a new route is attacked the day it comes. */
export function readOperations(): Operation[] {
  const text = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
  return operationsOf(JSON.parse(text))
}

export function operationsOf(document: { paths: object; components: object }): Operation[] {
  return Object.entries(resolveRefs(document.paths as Paths, document)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const media = described.requestBody?.content['application/json']
      return {
        id: described.operationId,
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        query: (described.parameters ?? []).filter((parameter) => parameter.in === 'query'),
        body: media?.schema,
        example: media?.example,
        answers: new Map(
          Object.entries(described.responses).map(([status, response]) => [
            Number(status),
            readAnswer(response),
          ]),
        ),
      }
    }),
  )
}

function readAnswer({ description = '', content = {} }: DescribedResponse): PromisedAnswer {
  const [media] = Object.entries(content)
  const schema = media?.[1].schema
  return {
    mediaType: media?.[0],
    schema: schema && z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]),
    codes: [...description.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
  }
}

/** The names in braces, in order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

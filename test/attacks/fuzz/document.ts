import { readFileSync } from 'node:fs'
import { z } from 'zod'

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

type Parameter = { name: string; in: string; schema: Schema }
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

/** An operation as the committed OpenAPI document promises it. */
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

type Document = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

/** The operations of a committed document: a new route is attacked the day it comes. */
export function readOperations(name = 'openapi.json'): Operation[] {
  const text = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')
  const document = JSON.parse(text) as Document
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const media = described.requestBody?.content['application/json']
      return {
        id: described.operationId,
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        query: (described.parameters ?? []).filter((parameter) => parameter.in === 'query'),
        body: media && inline(document, media.schema),
        example: media?.example,
        answers: new Map(
          Object.entries(described.responses).map(([status, response]) => [
            Number(status),
            readAnswer(document, response),
          ]),
        ),
      }
    }),
  )
}

function readAnswer(
  document: Document,
  { description = '', content = {} }: DescribedResponse,
): PromisedAnswer {
  const [media] = Object.entries(content)
  const schema = media && inline(document, media[1].schema)
  return {
    mediaType: media?.[0],
    schema: schema && z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]),
    codes: [...description.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
  }
}

/** The schema with what it refers to in its place. */
function inline(document: Document, schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    const name = typeof value?.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined
    const referred = name === undefined ? undefined : document.components.schemas[name]
    return referred ? inline(document, referred) : value
  })
}

/** The names in braces, in order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

import { STATUS_CODES } from 'node:http'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UUID_PATTERN } from '../limits/idempotency-key.ts'
import { type SharedParts, shareComponents } from './share-components.ts'

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>
type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>
type JsonSchema = Record<string, unknown>

/** Other routes are in another document, or in none. `describeScope` is given the route's, and its answer ends the
 * description. */
export function describeRoutesUnder(
  prefix: string,
  describeScope?: (scope: string | undefined) => string,
): Transform {
  return (input) => {
    if (!input.url.startsWith(prefix)) {
      return { schema: { hide: true } as FastifySchema, url: input.url }
    }
    const described = describeRoute(input)
    const schema = described.schema as FastifySchema & { hide?: boolean; description?: string }
    if (!describeScope || !schema || schema.hide) return described
    const parts = [schema.description, describeScope(input.route.config?.scope)]
    const description = parts.filter(Boolean).join('\n\n')
    return { ...described, schema: { ...schema, description } as FastifySchema }
  }
}

/** Adds what the zod schemas leave out. */
const describeRoute: Transform = (input) => {
  const described = jsonSchemaTransform(input)
  const schema = described.schema as FastifySchema & { hide?: boolean }
  if (!schema || schema.hide) return described
  return {
    ...described,
    schema: {
      ...schema,
      ...withExamples(schema.body, input.schema?.body),
      ...withIdempotencyKey(input.route.config?.idempotencyKey),
      response: nameSuccesses(schema.response as Record<string, JsonSchema>),
    },
  }
}

/** zod drops the examples of a body with a transformed member. */
function withExamples(body: unknown, source: unknown): { body?: unknown } {
  const { examples } = (source instanceof z.ZodType && z.globalRegistry.get(source)) || {}
  return body && examples ? { body: { ...body, examples } } : {}
}

/** The pipeline reads this header, so no zod schema has it. */
function withIdempotencyKey(use: string | undefined): { headers?: JsonSchema } {
  if (use === undefined || use === 'ignored') return {}
  const key = {
    type: 'string',
    // Not `format: uuid`: generated Python clients would send an object.
    pattern: UUID_PATTERN,
    example: '0b0f4f9a-3d0e-4b7e-9a51-6f0d9b1f2c3d',
    description:
      use === 'accepted'
        ? 'A UUID. Accepted and not recorded, because repeating this operation changes nothing.'
        : 'One UUID per operation. A retry sends the same one and gets the recorded answer.',
  }
  const required = use === 'required' ? ['Idempotency-Key'] : []
  return { headers: { type: 'object', properties: { 'Idempotency-Key': key }, required } }
}

function nameSuccesses(responses: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const named = Object.entries(responses).map(([status, response]) => [
    status,
    { description: STATUS_CODES[status], ...response },
  ])
  return Object.fromEntries(named)
}

/** `parts` are named in this document alone. */
export const finishDocument =
  (parts: SharedParts = {}): TransformObject =>
  (input) =>
    shareComponents(jsonSchemaTransformObject(input), parts)

import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { Refusal } from '../core/errors.ts'
import {
  describeFault,
  type FieldError,
  toFieldErrors,
  toJsonPointer,
  withExample,
} from '../core/field-errors.ts'
import { createExampleFinder } from './schemas/find-example.ts'

/** The first errors are enough to find the rest. */
const MAX_ERRORS = 20

/** Refuses `validation_failed`. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const exampleOf = createExampleFinder(schema)
  return (data) => {
    const result = schema.safeParse(data, { error: describeFault, reportInput: true })
    if (result.success) return { value: result.data }
    const { issues } = result.error
    if (httpPart !== 'body') {
      return {
        error: invalid('query', toFieldErrors(issues, { pointerOf: toParameter, exampleOf })),
      }
    }
    if (!isObject(data)) return { error: bodyNeeded(data, exampleOf([])) }
    return {
      error: invalid('body', toFieldErrors(issues, { pointerOf: toJsonPointer, exampleOf })),
    }
  }
}

function isObject(data: unknown): boolean {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

/** Every body is an object; Fastify passes an absent one as null. */
function bodyNeeded(data: unknown, example: unknown): Refusal {
  const code = data === null || data === undefined ? 'required' : 'wrong_type'
  const detail = withExample('Expected a JSON object as the body.', example)
  return new Refusal('validation_failed', 'The body must be a JSON object.', {
    errors: [{ pointer: '', code, detail }],
  })
}

function invalid(place: 'body' | 'query', errors: FieldError[]): Refusal {
  return new Refusal('validation_failed', `The ${place} is not valid; see errors.`, {
    errors: errors.slice(0, MAX_ERRORS),
  })
}

function toParameter(path: readonly PropertyKey[]): string {
  return `?${path.map(String).join('/')}`
}

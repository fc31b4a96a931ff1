import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { type FieldError, Refusal } from '../core/errors.ts'
import { tellFault } from '../core/tell-fault.ts'

/** The first faults are enough to find the rest by; thousands would be a burden of their own. */
const MAX_ERRORS = 20

/** Validates each part of a request by its zod schema; refuses `validation_failed`. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data) => {
    const result = schema.safeParse(data, { error: tellFault })
    if (result.success) return { value: result.data }
    if (httpPart === 'body' && !isObject(data)) return { error: bodyNeeded() }
    return { error: toValidationRefusal(result.error.issues, httpPart === 'body') }
  }
}

function isObject(data: unknown): boolean {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

/** Every body of the interface is an object; Fastify tells one that is absent as null. */
function bodyNeeded(): Refusal {
  const detail = 'A JSON body is needed, and it must be an object.'
  return new Refusal('validation_failed', detail, {
    errors: [{ pointer: '', code: 'invalid_type', detail }],
  })
}

function toValidationRefusal(issues: readonly z.core.$ZodIssue[], inBody: boolean): Refusal {
  const toPointer = inBody ? toJsonPointer : toParameter
  const errors = issues.flatMap((issue): FieldError[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, MAX_ERRORS).map((key) => ({
          pointer: toPointer([...issue.path, key]),
          code: 'unknown_member',
          detail: issue.message,
        }))
      : [{ pointer: toPointer(issue.path), code: issue.code, detail: issue.message }],
  )
  const place = inBody ? 'body' : 'query'
  return new Refusal('validation_failed', `The ${place} is not valid; see errors.`, {
    errors: errors.slice(0, MAX_ERRORS),
  })
}

/** RFC 6901; the whole body is the empty pointer. */
function toJsonPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('')
}

function toParameter(path: readonly PropertyKey[]): string {
  return `?${path.map(String).join('/')}`
}

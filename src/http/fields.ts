import { z } from 'zod'
import { parseTimestamp } from '../core/time.ts'

/**
 * Text of a tenant's: no control characters and no broken surrogates, neither of which a database
 * or a log keeps as it was.
 */
export function text(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), {
      error: 'Must have no control characters.',
    })
}

/** A timestamp of a request, read as a Date; the document shows it as date-time text. */
export const timestampInput = z.codec(z.string().meta({ format: 'date-time' }), z.date(), {
  decode: (value, context) => {
    const date = parseTimestamp(value)
    if (date) return date
    context.issues.push({
      code: 'custom',
      message: 'Must be a UTC timestamp such as 2026-11-20T12:00:00Z.',
      input: value,
    })
    return z.NEVER
  },
  encode: (date) => date.toISOString(),
})

/** A timestamp of a response: ISO 8601 UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 })

/** The path parameter that names a resource; its form is checked where the resource is looked up. */
export const pathId = z.string()

const MAX_PAGE = 500
const DEFAULT_PAGE = 100

/** The query of every list that is read page by page. */
export const pageQuery = {
  from: z
    .string()
    .max(1_024)
    .optional()
    .describe('`next_cursor` of the page before; left out for the first page'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_PAGE)
    .default(DEFAULT_PAGE)
    .describe(`Items of a page, at most ${MAX_PAGE}`),
}

import { z } from 'zod'
import { findUnseen } from '../core/external-reference.ts'
import type { Page } from '../core/page.ts'
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
    .refine(isPlain, { error: NOT_PLAIN })
    .refine(isUnicode, { error: NOT_UNICODE })
}

/** The same, where nothing may be said. */
export function textOrNothing(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine(isPlain, { error: NOT_PLAIN })
    .refine(isUnicode, { error: NOT_UNICODE })
}

/**
 * What something is called elsewhere, such as a transfer or an account: text in which a reader sees
 * every character, so that two that look alike are one.
 */
export function externalName(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine(isUnicode, { error: NOT_UNICODE, abort: true })
    .refine((value) => findUnseen(value) === undefined, { error: tellUnseen })
}

function tellUnseen({ input }: { input?: unknown }): string {
  const unseen = findUnseen(String(input))
  return `Must have no outer blanks, no invisible characters and no blank but the plain space: it has ${unseen}.`
}

const isPlain = (value: string) => !/\p{Cc}/u.test(value)
const isUnicode = (value: string) => value.isWellFormed()
const NOT_PLAIN = 'Must have no control characters, such as line breaks and tabs.'
const NOT_UNICODE =
  'Is not valid Unicode: it has one half of a surrogate pair (\\ud800 to \\udfff) without the other.'

/** Text of a request that `parse` reads into a value; what it cannot read is refused as `message`. */
export function textReadBy<Value>(
  parse: (text: string) => Value | undefined,
  message: string | ((text: string) => string),
  schema = z.string(),
) {
  return schema.transform((text, context) => {
    const value = parse(text)
    if (value !== undefined) return value
    const told = typeof message === 'string' ? message : message(text)
    context.issues.push({ code: 'custom', message: told, input: text })
    return z.NEVER
  })
}

/** How the document shows a timestamp of a request. */
export const timestampText = z.string().meta({ format: 'date-time' })

/** A timestamp of a request, read as a Date. */
export const timestampInput = textReadBy(
  parseTimestamp,
  'Must be a UTC timestamp such as 2026-11-20T12:00:00Z.',
  timestampText,
)

/** A timestamp of a response: ISO 8601 UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 })

/**
 * A parameter of path or query that names a resource; its form is checked where the resource is
 * looked up. What has characters of no id is the id of nothing, so that none reaches a database which
 * cannot take it.
 */
export const pathId = z.string().transform((text) => (/^\w+$/.test(text) ? text : ''))

/** A number of a path that counts from 1; anything that is none is the number of nothing, 0. */
export function readOrdinal(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
}

const MAX_PAGE = 500
const DEFAULT_PAGE = 100

/** The query of every list that is read page by page. */
export const pageQuery = {
  from: z
    .string()
    .max(1_024)
    .optional()
    .describe('`next_cursor` of the page before; left out for the first page'),
  limit: z
    .preprocess(readDigits, z.int().min(1).max(MAX_PAGE))
    .default(DEFAULT_PAGE)
    .meta({ description: `Items of a page, at most ${MAX_PAGE}`, default: DEFAULT_PAGE }),
}

/** A number written in plain digits; anything else is left for the schema to refuse. */
function readDigits(value: unknown): unknown {
  return typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : value
}

/** The schema of a page of `item`s, newest first. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string, example: z.input<Item>) {
  return z
    .strictObject({
      items: z.array(item),
      next_cursor: z.string().optional().describe('There while there is more'),
      has_more: z.boolean(),
    })
    .meta({ id, examples: [{ items: [example], has_more: false }] })
}

/** A page as responses show it. */
export function toPageBody<T, Body>(
  page: Page<T>,
  toBody: (item: T) => Body,
): { items: Body[]; next_cursor?: string; has_more: boolean } {
  const { nextCursor, hasMore } = page
  const items = page.items.map((item) => toBody(item))
  return { items, ...(nextCursor !== undefined && { next_cursor: nextCursor }), has_more: hasMore }
}

import { z } from 'zod'
import { findUnseen } from '../../core/external-reference.ts'
import { type FieldFault, issueOf, refusedAs } from '../../core/field-errors.ts'
import { type IdPrefix, idPattern, isId } from '../../core/ids.ts'
import type { Page } from '../../core/page.ts'
import { parseTimestamp, TIMESTAMP_PATTERN } from '../../core/time.ts'
import { CONTRACT_VERSION } from '../../domain/onboarding/documents.ts'

/**
 * Text of a tenant's: no control characters and no broken surrogates, neither of which a database
 * or a log keeps as it was.
 */
export function text(maxLength: number) {
  return textOrNothing(maxLength).min(1)
}

/** The same, where the text may be empty. */
export function textOrNothing(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine(isPlain, refusedAs(NOT_PLAIN))
    .refine(isUnicode, refusedAs(NOT_UNICODE))
    .meta({ pattern: PLAIN_PATTERN })
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
    .refine(isUnicode, { ...refusedAs(NOT_UNICODE), abort: true })
    .refine((value) => findUnseen(value) === undefined, {
      ...refusedAs(UNSEEN),
      error: describeUnseen,
    })
    .meta({ pattern: NAME_PATTERN })
}

function describeUnseen({ input }: { input?: unknown }): string {
  return `${UNSEEN.expected} It has ${findUnseen(String(input))}.`
}

const UNSEEN: FieldFault = {
  code: 'forbidden_character',
  expected:
    'Expected text without outer blanks, invisible characters or blanks other than the plain space.',
}

// Spelled so that every common regular expression engine reads it.
const PLAIN_PATTERN = '^[^\\x00-\\x1f\\x7f-\\x9f]*$'
// Control characters and outer blanks; the service refuses every other invisible character too.
const NAME_PATTERN =
  '^[^\\x00-\\x20\\x7f-\\xa0]([^\\x00-\\x1f\\x7f-\\xa0]*[^\\x00-\\x20\\x7f-\\xa0])?$'
const isPlain = (value: string) => !/\p{Cc}/u.test(value)
const isUnicode = (value: string) => value.isWellFormed()
const NOT_PLAIN: FieldFault = {
  code: 'forbidden_character',
  expected: 'Expected text without control characters, such as line breaks and tabs.',
}
const NOT_UNICODE: FieldFault = {
  code: 'forbidden_character',
  expected: 'Expected valid Unicode: half of a surrogate pair (\\ud800 to \\udfff) stands alone.',
}

/** Text of a request that `parse` reads into a value; what it cannot read is refused by `findFault`. */
export function textReadBy<Value>(
  parse: (text: string) => Value | undefined,
  findFault: (text: string) => FieldFault,
  schema = z.string(),
) {
  return schema.transform((text, context) => {
    const value = parse(text)
    if (value !== undefined) return value
    context.issues.push(issueOf(findFault(text), text))
    return z.NEVER
  })
}

/**
 * How the document shows a timestamp of a request. Not as `date-time`, which allows offsets: clients
 * generated from that would send +00:00, which is refused.
 */
export const timestampText = z.string().meta({ pattern: TIMESTAMP_PATTERN })

export const NO_TIMESTAMP: FieldFault = {
  code: 'wrong_format',
  expected: 'Invalid format. Expected a UTC timestamp that ends in Z.',
}

/** A timestamp of a request, read as a Date. */
export const timestampInput = textReadBy(parseTimestamp, () => NO_TIMESTAMP, timestampText)

/** A timestamp of a response: ISO 8601 UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 })

/** An id as a response shows it. */
export function idText(prefix: IdPrefix) {
  return z.string().meta({ pattern: idPattern(prefix) })
}

/**
 * An id in a path or body. One of another form is the id of nothing, '', so that it is answered as an
 * unknown one is.
 */
export function idInput(prefix: IdPrefix) {
  return idText(prefix).transform((text) => (isId(prefix, text) ? text : ''))
}

/** An id that a list is filtered by; one of another form is a mistake, not an empty list. */
export function idFilter(prefix: IdPrefix) {
  const expected = `Invalid format. Expected an id: ${prefix}_ and 26 characters.`
  return z
    .string()
    .refine((text) => isId(prefix, text), refusedAs({ code: 'wrong_format', expected }))
    .meta({ pattern: idPattern(prefix), examples: [`${prefix}_01k9x4m2q8e0tb7f2v5j6h8n3c`] })
    .optional()
}

const RESOURCE_PATTERN = '^(bor|fac|drw|rep)_[0-7][0-9a-hjkmnp-tv-z]{25}(/[1-9]\\d{0,8})?$'

/** The id of a resource that events are about: an id, or `fac_…/2` for a warning or call. */
export const resourceFilter = z
  .string()
  .regex(new RegExp(RESOURCE_PATTERN), {
    error: 'Invalid format. Expected an id, or a facility and a number.',
  })
  .meta({ examples: ['fac_01k9x4m2q8e0tb7f2v5j6h8n3c/1'] })
  .optional()

/** A number of a path that counts from 1; anything that is none is the number of nothing, 0. */
export const ordinalInput = z
  .string()
  .meta({ type: 'integer', minimum: 1, maximum: 999_999_999 })
  .transform((text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0))

/** A version of a contract, in requests and responses. */
export const contractVersion = z
  .string()
  .regex(CONTRACT_VERSION, { error: 'Invalid format. Expected a year and month.' })

/** A page position of a response. */
export const cursorText = z.string().meta({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 1_024 })

const MAX_PAGE = 500
const DEFAULT_PAGE = 100

/** The query of every list that is read page by page. */
export const pageQuery = {
  from: cursorText
    .max(1_024)
    .meta({ examples: ['q83vASNFZ4mrze8BNw'] })
    .optional()
    .describe('`next_cursor` of the page before; left out for the first page'),
  limit: z
    .preprocess(
      readDigits,
      z
        .int()
        .min(1)
        .max(MAX_PAGE)
        .meta({ default: DEFAULT_PAGE, examples: [DEFAULT_PAGE] }),
    )
    .default(DEFAULT_PAGE)
    .meta({ description: `Items of a page, at most ${MAX_PAGE}` }),
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
      next_cursor: cursorText.optional().describe('There while there is more'),
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

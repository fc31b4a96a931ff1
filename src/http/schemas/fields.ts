import { z } from 'zod'
import { findUnseen } from '../../core/external-reference.ts'
import { type FieldFault, issueOf, refusedAs } from '../../core/field-errors.ts'
import { type IdPrefix, idPattern, isId } from '../../core/ids.ts'
import { mapInSlices } from '../../core/limits/slices.ts'
import type { Page } from '../../core/page.ts'
import { parseTimestamp, TIMESTAMP_PATTERN } from '../../core/time.ts'
import { CONTRACT_VERSION } from '../../domain/onboarding/documents.ts'
import { ADDRESS } from '../../domain/people/address.ts'

/** Without control characters and broken surrogates, which databases and logs alter. */
export function text(maxLength: number) {
  return textOrNothing(maxLength).min(1)
}

/** May be empty. */
export function textOrNothing(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine(isPlain, refusedAs(NOT_PLAIN))
    .refine(isUnicode, refusedAs(NOT_UNICODE))
    .meta({ pattern: PLAIN_PATTERN })
}

/**
 * A name from another system, such as a transfer's: without invisible characters, so that
 * equal-looking names are equal.
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
    'Expected text without leading or trailing blanks, invisible characters, or blanks other than a plain space.',
}

// Written so that every common regular expression engine accepts it.
const PLAIN_PATTERN = '^[^\\x00-\\x1f\\x7f-\\x9f]*$'
// Control characters and outer blanks; the service refuses other invisible characters too.
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
  expected: 'Expected valid Unicode: it has an unpaired surrogate (\\ud800 to \\udfff).',
}

/** An id that the tenant has given. */
export const externalId = z
  .string()
  .min(1)
  .max(100)
  .refine(
    (text) => /^[ -~]*$/.test(text),
    refusedAs({ code: 'forbidden_character', expected: 'Expected printable ASCII characters.' }),
  )
  .meta({ pattern: '^[ -~]*$', examples: ['customer-4711'] })

/** The address of a person who signs in. */
export const emailInput = text(254).regex(ADDRESS, {
  error: 'Expected an e-mail address of ASCII characters.',
})

/** `parse` returns undefined for a text it refuses; `findFault` then describes why. */
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

/** Not `date-time`, which allows offsets: generated clients would send +00:00, which is refused. */
export const timestampText = z.string().meta({ pattern: TIMESTAMP_PATTERN })

export const NO_TIMESTAMP: FieldFault = {
  code: 'wrong_format',
  expected: 'Invalid format. Expected a UTC timestamp that ends in Z.',
}

export const timestampInput = textReadBy(parseTimestamp, () => NO_TIMESTAMP, timestampText)

/** For a query, which has no example as a whole. */
export function timestampInputLike(example: string) {
  const text = timestampText.meta({ examples: [example] })
  return textReadBy(parseTimestamp, () => NO_TIMESTAMP, text)
}

/** ISO 8601 UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 })

export function idText(prefix: IdPrefix) {
  return z.string().meta({ pattern: idPattern(prefix) })
}

/** For a member that the example of the whole leaves out. */
export function idInputLike(prefix: IdPrefix, example: string) {
  return readId(prefix, idText(prefix).meta({ examples: [example] }))
}

/**
 * An id of the wrong form becomes '', which no resource has: it is answered like an unknown one.
 */
export function idInput(prefix: IdPrefix) {
  return readId(prefix, idText(prefix))
}

function readId(prefix: IdPrefix, text: z.ZodString) {
  return text.transform((given) => (isId(prefix, given) ? given : ''))
}

/** An id of the wrong form is refused, not answered by an empty list. */
export function idFilter(prefix: IdPrefix) {
  const expected = `Invalid format. Expected an id: ${prefix}_ and 26 characters.`
  return z
    .string()
    .refine((text) => isId(prefix, text), refusedAs({ code: 'wrong_format', expected }))
    .meta({ pattern: idPattern(prefix), examples: [`${prefix}_01k9x4m2q8e0tb7f2v5j6h8n3c`] })
    .optional()
}

const RESOURCE_PATTERN = '^(bor|fac|drw|rep)_[0-7][0-9a-hjkmnp-tv-z]{25}(/[1-9]\\d{0,8})?$'

/** An id, or `fac_…/2` for a warning or call. */
export const resourceFilter = z
  .string()
  .regex(new RegExp(RESOURCE_PATTERN), {
    error: 'Invalid format. Expected an id, or a facility and a number.',
  })
  .meta({ examples: ['fac_01k9x4m2q8e0tb7f2v5j6h8n3c/1'] })
  .optional()

/** Counts from 1; anything else becomes 0, which nothing has. */
export const ordinalInput = z
  .string()
  .meta({ type: 'integer', minimum: 1, maximum: 999_999_999 })
  .transform((text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0))

export const contractVersion = z
  .string()
  .regex(CONTRACT_VERSION, { error: 'Invalid format. Expected a year and month.' })

export const cursorText = z.string().meta({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 1_024 })

const MAX_PAGE = 500
const DEFAULT_PAGE = 100

const cursorInput = cursorText
  .max(1_024)
  .meta({ examples: ['q83vASNFZ4mrze8BNw'] })
  .optional()
  .describe('`next_cursor` of the previous page; omit it for the first page')

/** `max` is at least the default. */
export function pageQueryUpTo(max: number) {
  return {
    from: cursorInput,
    limit: z
      .preprocess(
        readDigits,
        z
          .int()
          .min(1)
          .max(max)
          .meta({ default: DEFAULT_PAGE, examples: [DEFAULT_PAGE] }),
      )
      .default(DEFAULT_PAGE)
      .meta({ description: `Items per page, at most ${max}` }),
  }
}

export const pageQuery = pageQueryUpTo(MAX_PAGE)

/** Where `from` is an instant. */
export const cursorQuery = { cursor: cursorInput, limit: pageQuery.limit }

/** Anything but plain digits is left for the schema to refuse. */
function readDigits(value: unknown): unknown {
  return typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : value
}

export function pageOf<Item extends z.ZodType>(item: Item, id: string, example: z.input<Item>) {
  return z
    .strictObject({
      items: z.array(item),
      next_cursor: cursorText.optional().describe('Present while there are more items'),
      has_more: z.boolean(),
    })
    .meta({ id, examples: [{ items: [example], has_more: false }] })
}

/** A list that is answered whole. */
export function listOf<Item extends z.ZodType>(item: Item, id: string, example: z.input<Item>) {
  return z.strictObject({ items: z.array(item) }).meta({ id, examples: [{ items: [example] }] })
}

export async function toPageBody<T, Body>(
  page: Page<T>,
  toBody: (item: T) => Body,
): Promise<{ items: Body[]; next_cursor?: string; has_more: boolean }> {
  const { nextCursor, hasMore } = page
  const items = await mapInSlices(page.items, toBody)
  return { items, ...(nextCursor !== undefined && { next_cursor: nextCursor }), has_more: hasMore }
}

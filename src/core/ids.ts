import { typeidUnboxed } from 'typeid-js'

/** The kinds of things that carry an identifier, by the prefix a tenant sees. */
export const ID_PREFIXES = [
  'ten',
  'key',
  'whk',
  'sec',
  'bor',
  'sig',
  'chk',
  'fac',
  'drw',
  'rep',
  'evt',
  'rfd',
  'rdg',
  'req',
] as const

export type IdPrefix = (typeof ID_PREFIXES)[number]

/** What an identifier says of itself. */
export type ParsedId = {
  /** Real time, to the millisecond. Any instant up to the year 10889 where the id is made up. */
  madeAt: Date
}

/** A new identifier: prefix, underscore, 26 characters of a UUIDv7 in Crockford base32. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix)
}

/** A new identifier with the instant that it holds. */
export function newDatedId(prefix: IdPrefix): ParsedId & { id: string } {
  const id = newId(prefix)
  return { id, madeAt: timeOf(id.slice(prefix.length + 1)) }
}

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'
const ID_BODY = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** The first 48 of the 128 bits of a UUIDv7 are its time: ten characters of five bits, less two. */
const TIME_CHARACTERS = 10

/**
 * Reads an identifier of this kind; undefined for any other text. Never throws: 128 bits that are no
 * UUID have the form of an id too, and such an id is one of nothing.
 */
export function parseId(prefix: IdPrefix, text: string): ParsedId | undefined {
  if (!text.startsWith(`${prefix}_`)) return undefined
  const body = text.slice(prefix.length + 1)
  return ID_BODY.test(body) ? { madeAt: timeOf(body) } : undefined
}

/** The form of identifiers of this kind, as the OpenAPI document shows it. */
export function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`
}

/** Whether `text` has the form of an identifier of this kind; says nothing of its existence. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return parseId(prefix, text) !== undefined
}

function timeOf(body: string): Date {
  let millis = 0
  for (const character of body.slice(0, TIME_CHARACTERS)) {
    millis = millis * 32 + BASE32.indexOf(character)
  }
  return new Date(millis)
}

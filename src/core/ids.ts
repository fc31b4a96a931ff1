import { typeidUnboxed } from 'typeid-js'

export const ID_PREFIXES = [
  'ten',
  'key',
  'whk',
  'sec',
  'bor',
  'sig',
  'chk',
  'fac',
  'pau',
  'cor',
  'drw',
  'rep',
  'evt',
  'rfd',
  'rdg',
  'brk',
  'req',
  'per',
  'inv',
  'ses',
  'psk',
  'act',
  'opr',
  'apr',
  'opt',
] as const

export type IdPrefix = (typeof ID_PREFIXES)[number]

export type ParsedId = {
  madeAt: Date
}

export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix)
}

/** Clocks that are further apart are wrong, and no order follows from them. */
export const MOST_SKEW_MS = 60_000

/** Of the instant `notBefore` where this process's clock is a little behind it. */
export function newDatedId(prefix: IdPrefix, notBefore?: Date): ParsedId & { id: string } {
  const id = newId(prefix)
  const body = id.slice(prefix.length + 1)
  const madeAt = timeOf(body)
  const behindMs = notBefore ? notBefore.getTime() - madeAt.getTime() : 0
  if (!notBefore || behindMs <= 0 || behindMs > MOST_SKEW_MS) return { id, madeAt }
  const dated = digitsOf(notBefore) + body.slice(TIME_CHARACTERS)
  return { id: `${prefix}_${dated}`, madeAt: notBefore }
}

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'
const ID_BODY = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Earlier releases could make ids such as `key_eu1_01k9x4…`, and these keys stay valid. */
const KEYS_OLD_PART = /^[a-z0-9]{1,8}_/

/** The first 48 bits of a UUIDv7 are its time: ten base32 characters less two bits. */
const TIME_CHARACTERS = 10

/** Undefined for a text of another form. Any 128 bits have the form, also those of no UUID. */
export function parseId(prefix: IdPrefix, text: string): ParsedId | undefined {
  const body = bodyOf(prefix, text)
  return body === undefined ? undefined : { madeAt: timeOf(body) }
}

function bodyOf(prefix: IdPrefix, text: string): string | undefined {
  if (!text.startsWith(prefix) || text[prefix.length] !== '_') return undefined
  const rest = text.slice(prefix.length + 1)
  const body = prefix === 'key' ? rest.replace(KEYS_OLD_PART, '') : rest
  return ID_BODY.test(body) ? body : undefined
}

export function idPattern(prefix: IdPrefix): string {
  const oldPart = prefix === 'key' ? '([a-z0-9]{1,8}_)?' : ''
  return `^${prefix}_${oldPart}[0-7][0-9a-hjkmnp-tv-z]{25}$`
}

export function isId(prefix: IdPrefix, text: string): boolean {
  return bodyOf(prefix, text) !== undefined
}

/** No id of the kind that was made at or after the instant is before it in their order. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${digitsOf(at).padEnd(26, '0')}`
}

function digitsOf(at: Date): string {
  let millis = Math.max(0, at.getTime())
  let digits = ''
  for (let n = 0; n < TIME_CHARACTERS; n += 1) {
    digits = `${BASE32[millis % 32]}${digits}`
    millis = Math.floor(millis / 32)
  }
  return digits
}

function timeOf(body: string): Date {
  let millis = 0
  for (const character of body.slice(0, TIME_CHARACTERS)) {
    millis = millis * 32 + BASE32.indexOf(character)
  }
  return new Date(millis)
}

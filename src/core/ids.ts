import { TypeID, typeidUnboxed } from 'typeid-js'

/** The kinds of things that carry an identifier, by the prefix a tenant sees. */
export type IdPrefix =
  | 'ten'
  | 'key'
  | 'whk'
  | 'sec'
  | 'bor'
  | 'sig'
  | 'chk'
  | 'fac'
  | 'drw'
  | 'rep'
  | 'evt'
  | 'rfd'
  | 'req'

/** A new identifier: prefix, underscore, 26 characters of a UUIDv7 in Crockford base32. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix)
}

const ID_BODY = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Whether `text` has the form of an identifier of this kind; says nothing of its existence. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && ID_BODY.test(text.slice(prefix.length + 1))
}

/** The real time, to the millisecond, at which an identifier was made. */
export function idTime(id: string): Date {
  const uuid = TypeID.fromString(id).toUUID()
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16))
}

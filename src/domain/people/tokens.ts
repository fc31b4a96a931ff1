import { hash, randomBytes } from 'node:crypto'
import { isId } from '../../core/ids.ts'
import { type Audience, LENDER, type People, peopleOf } from '../../db/sql/people-tables.ts'
import type { PeopleIn } from './person.ts'

export type ParsedToken = { prefix: string; hash: Buffer }

const TOKEN = /^([0-9a-z_]{1,40})\.[A-Za-z0-9_-]{43}$/

/** 256 random bits after a prefix that says where to find it. Stored as a hash. */
export function newToken(prefix: string): { token: string; hash: Buffer } {
  const token = `${prefix}.${randomBytes(32).toString('base64url')}`
  return { token, hash: hashOf(token) }
}

/** Undefined for a text of another form. */
export function parseToken(token: string): ParsedToken | undefined {
  const [, prefix] = TOKEN.exec(token) ?? []
  return prefix === undefined ? undefined : { prefix, hash: hashOf(token) }
}

const hashOf = (token: string) => hash('sha256', token, 'buffer')

const LENDER_PREFIXES = { invitation: 'opi', session: 'ops' }

type TokenKind = keyof typeof LENDER_PREFIXES

/** A tenant's begins with the tenant's id, so that a lookup names its tenant. */
export function newTokenOf(people: People, kind: TokenKind) {
  return newToken(people.audience === 'tenant' ? people.tenantId : LENDER_PREFIXES[kind])
}

/** Undefined for a text of another form. */
export function parseTokenOf<A extends Audience>(
  audience: A,
  kind: TokenKind,
  token: string,
): { people: PeopleIn<A>; hash: Buffer } | undefined {
  const parsed = parseToken(token)
  const people = parsed && peopleBy(audience, kind, parsed.prefix)
  return people && { people: people as PeopleIn<A>, hash: parsed.hash }
}

function peopleBy(audience: Audience, kind: TokenKind, prefix: string): People | undefined {
  if (audience === 'lender') return prefix === LENDER_PREFIXES[kind] ? LENDER : undefined
  return isId('ten', prefix) ? peopleOf(prefix) : undefined
}

import { hash, randomBytes } from 'node:crypto'

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

import { hash, randomBytes } from 'node:crypto'
import { isId } from '../../../core/ids.ts'

export type ParsedToken = { tenantId: string; hash: Buffer }

const TOKEN = /^(ten_[0-9a-z]{26})\.[A-Za-z0-9_-]{43}$/

/** 256 random bits after the tenant's id, so that a lookup names its tenant. Stored as a hash. */
export function newToken(tenantId: string): { token: string; hash: Buffer } {
  const token = `${tenantId}.${randomBytes(32).toString('base64url')}`
  return { token, hash: hashOf(token) }
}

/** Undefined for a text of another form. */
export function parseToken(token: string): ParsedToken | undefined {
  const [, tenantId] = TOKEN.exec(token) ?? []
  if (tenantId === undefined || !isId('ten', tenantId)) return undefined
  return { tenantId, hash: hashOf(token) }
}

const hashOf = (token: string) => hash('sha256', token, 'buffer')

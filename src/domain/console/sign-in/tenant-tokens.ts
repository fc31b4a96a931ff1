import { isId } from '../../../core/ids.ts'
import { parseToken } from '../../sign-in/tokens.ts'

export type TenantToken = { tenantId: string; hash: Buffer }

/** Begins with the tenant's id, so that a lookup names its tenant. Undefined for another form. */
export function parseTenantToken(token: string): TenantToken | undefined {
  const parsed = parseToken(token)
  if (!parsed || !isId('ten', parsed.prefix)) return undefined
  return { tenantId: parsed.prefix, hash: parsed.hash }
}

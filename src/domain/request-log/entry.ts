import type { RequestDetails } from '../../db/schema/history.ts'

/** One answered request of a tenant; either `keyId` or `personId` says who sent it. */
export type RequestEntry = {
  tenantId: string
  /** Carries the instant at which the request came. */
  requestId: string
  method: string
  route: string
  /** Without its query. */
  path: string
  status: number
  code: string | undefined
  keyId: string | undefined
  personId: string | undefined
  durationMs: number
  idempotencyKey: string | undefined
  resourceId: string | undefined
  details: RequestDetails | undefined
  /** Took no token of the tenant: not signed by it, or refused for its rate. */
  isFree: boolean
}

/** What an entry takes in memory besides its answer, roughly. */
const ENTRY_BYTES = 600

export function sizeOf({ path, details }: RequestEntry): number {
  return ENTRY_BYTES + path.length + (details ? JSON.stringify(details).length : 0)
}

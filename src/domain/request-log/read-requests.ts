import type { CursorCodec } from '../../core/cursor.ts'
import { Refusal } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import {
  cutPage,
  describeFilters,
  mapPage,
  type Page,
  type PageRequest,
  readPosition,
} from '../../core/page.ts'
import type { Db } from '../../db/database.ts'
import type { RequestDetails } from '../../db/schema/history.ts'
import {
  type RequestFilters,
  type RequestPosition,
  type RequestSummaryRow,
  selectReadEnd,
  selectRequest,
  selectRequests,
} from './queries.ts'

export type LoggedRequest = {
  id: string
  at: Date
  via: 'api' | 'console'
  method: string
  route: string
  path: string
  status: number
  code: string | undefined
  keyId: string | undefined
  personId: string | undefined
  durationMs: number
  idempotencyKey: string | undefined
  resourceId: string | undefined
}

/** Read in milliseconds, and seldom without a hit. */
const MAX_READ = 5_000

/** Newest first. Without an index for a filter, a page ends after 5,000 requests were read: it may
 * then have few items or none, and more follow. Refuses `cursor_invalid`. */
export async function listRequests(
  db: Db,
  tenantId: string,
  { filters, ...request }: PageRequest & { filters: RequestFilters },
  cursors: CursorCodec,
): Promise<Page<LoggedRequest>> {
  const context = contextOf(tenantId, filters)
  const position = readPosition({ request, cursors, context })
  const stretch = {
    before: position === undefined ? undefined : positionOf(position),
    maxRead: MAX_READ,
  }
  const limit = request.limit + 1
  const rows = await selectRequests(db, tenantId, filters, { ...stretch, limit })
  const { items, hasMore } = cutPage(rows, request.limit)
  const end = hasMore
    ? items.at(-1)?.request_id
    : (await selectReadEnd(db, tenantId, filters, stretch))?.requestId
  const page = {
    items,
    nextCursor: end && cursors.encode(end, context),
    hasMore: end !== undefined,
  }
  return mapPage(page, toRequest)
}

/** Refuses `not_found`. */
export async function getRequest(
  db: Db,
  tenantId: string,
  requestId: string,
): Promise<LoggedRequest & { details: RequestDetails }> {
  const position = positionOf(requestId)
  const row = position && (await selectRequest(db, tenantId, position))
  if (!row) throw new Refusal('not_found', 'There is no such request in the log.')
  return { ...toRequest(row), details: row.details ?? {} }
}

function positionOf(requestId: string): RequestPosition | undefined {
  const parsed = parseId('req', requestId)
  return parsed && { requestId, receivedAt: parsed.madeAt }
}

/** Names each filter: a cursor of other filters is refused. */
function contextOf(tenantId: string, filters: RequestFilters): string {
  return `requests/${tenantId}/${describeFilters(filters)}`
}

function toRequest(row: RequestSummaryRow): LoggedRequest {
  return {
    id: row.request_id,
    at: row.received_at,
    via: row.person_id === null ? 'api' : 'console',
    method: row.method,
    route: row.route,
    path: row.path,
    status: row.status,
    code: row.code ?? undefined,
    keyId: row.key_id ?? undefined,
    personId: row.person_id ?? undefined,
    durationMs: row.duration_us / 1_000,
    idempotencyKey: row.idempotency_key ?? undefined,
    resourceId: row.resource_id ?? undefined,
  }
}

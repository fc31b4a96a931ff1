import type { CursorCodec } from '../../core/cursor.ts'
import { describeFilters, type Page, type PageRequest, readPosition } from '../../core/page.ts'
import type { Db } from '../../db/database.ts'
import type { DeliveryState } from '../../db/schema/events.ts'
import { inSnapshot } from '../../db/transactions/snapshot.ts'
import { findSequences } from '../events/log/find-sequences.ts'
import { type Delivery, withAttempts } from './deliveries.ts'
import {
  type DeliveryPosition,
  selectTenantDeliveries,
  type TenantDeliveryRow,
} from './delivery-queries.ts'

export type DeliveryFilters = {
  webhookId?: string | undefined
  eventType?: string | undefined
  state?: DeliveryState | undefined
  /** When the event was recorded; up to but without `until`. */
  since?: Date | undefined
  until?: Date | undefined
}

/** Where a row may not pass the filters, so many are read for a page. */
const MAX_READ = 1_000

/** Deliveries to all webhooks with their last attempt, newest event first. By type, or by most
 * states, a page may have few items or none, and more follow. Refuses `cursor_invalid`. */
export async function listTenantDeliveries(
  db: Db,
  tenantId: string,
  { filters, ...request }: PageRequest & { filters: DeliveryFilters },
  cursors: CursorCodec,
): Promise<Page<Delivery>> {
  const context = `deliveries/${tenantId}/${describeFilters(filters)}`
  const position = readPosition({ request, cursors, context })
  const sequences = await findSequences(db, tenantId, filters)
  const { webhookId, eventType, state } = filters
  const wanted = { webhookId, state, sequences }
  const isExact = eventType === undefined && (state === undefined || state === 'dead_lettered')
  const limit = isExact ? request.limit + 1 : Math.max(MAX_READ, request.limit + 1)
  const before = position === undefined ? undefined : toPosition(position)
  const rows = await inSnapshot(db, {}, (tx) =>
    selectTenantDeliveries(tx, tenantId, wanted, { before, limit }),
  )
  const passing = rows
    .map(asShown)
    .filter(
      (row) =>
        (eventType === undefined || row.event_type === eventType) &&
        (state === undefined || row.state === state),
    )
  const items = passing.slice(0, request.limit)
  const end =
    passing.length > request.limit ? items.at(-1) : rows.length === limit ? rows.at(-1) : undefined
  return {
    items: await withAttempts(db, tenantId, items, 1),
    nextCursor: end && cursors.encode(`${end.sequence}/${end.webhook_id}`, context),
    hasMore: end !== undefined,
  }
}

/** A pending delivery of an inactive webhook is shown as cancelled. */
function asShown(row: TenantDeliveryRow): TenantDeliveryRow {
  if (row.is_active) return row
  const state = row.state === 'pending' ? 'cancelled' : row.state
  return { ...row, state, next_attempt_at: null }
}

function toPosition(text: string): DeliveryPosition {
  const [sequence = '', webhookId = ''] = text.split('/')
  return { sequence: BigInt(sequence), webhookId }
}

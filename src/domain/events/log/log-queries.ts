import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

export type LogRow = {
  event_id: string
  sequence: bigint
  body: string
  previous_hash: Buffer
  hash: Buffer
}

const LOG_COLUMNS = ['event_id', 'sequence', 'body', 'previous_hash', 'hash'] as const

export type EventSubject = {
  resourceId?: string | undefined
  facilityId?: string | undefined
  borrowerId?: string | undefined
}

/** Empty: of every type. */
type LogStretch = {
  after: bigint
  types: readonly string[]
  limit: number
}

export async function selectEventsAbout(
  db: Db,
  tenantId: string,
  about: EventSubject,
  page: LogStretch,
): Promise<LogRow[]> {
  return await queryEventsAbout(db, tenantId, about, page).execute()
}

/** For a test of the plan. */
export function queryEventsAbout(
  db: Db,
  tenantId: string,
  { resourceId, facilityId, borrowerId }: EventSubject,
  page: LogStretch,
) {
  // As an expression, so that no plan walks the whole log by number to find the few that fit.
  const number = sql<bigint>`sequence + 0`
  let query = db
    .selectFrom('events')
    .select(LOG_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where(number, '>', page.after)
  if (resourceId !== undefined) query = query.where('resource_id', '=', resourceId)
  if (facilityId !== undefined) query = query.where('facility_id', '=', facilityId)
  if (borrowerId !== undefined) query = query.where('borrower_id', '=', borrowerId)
  if (page.types.length > 0) query = query.where('type', 'in', [...page.types])
  return query.orderBy(number).limit(page.limit)
}

export async function selectEventsAfter(
  db: Db,
  tenantId: string,
  page: LogStretch,
): Promise<LogRow[]> {
  if (page.types.length === 0) {
    return await db
      .selectFrom('events')
      .select(LOG_COLUMNS)
      .where('tenant_id', '=', tenantId)
      .where('sequence', '>', page.after)
      .orderBy('sequence')
      .limit(page.limit)
      .execute()
  }
  // One ordered index walk a type: finds a rare type without reading what lies between.
  const { rows } = await sql<LogRow>`
    SELECT e.event_id, e.sequence, e.body, e.previous_hash, e.hash
    FROM unnest(${[...page.types]}::text[]) AS wanted (type)
    CROSS JOIN LATERAL (
      SELECT event_id, sequence, body, previous_hash, hash FROM events
      WHERE tenant_id = ${tenantId} AND type = wanted.type AND sequence > ${page.after}
      ORDER BY sequence LIMIT ${page.limit}
    ) e
    ORDER BY e.sequence LIMIT ${page.limit}
  `.execute(db)
  return rows
}

/** The lowest number retained, or the next one when the log is empty, and the highest so far. A
 * later read sees all events up to `last`. */
export async function selectLogBounds(
  db: Db,
  tenantId: string,
): Promise<{ oldest: bigint; last: bigint }> {
  const { rows } = await sql<{ oldest: bigint; last: bigint }>`
    SELECT last_sequence AS last, coalesce(
      (SELECT sequence FROM events WHERE tenant_id = ${tenantId} AND sequence > 0
       ORDER BY sequence LIMIT 1),
      last_sequence + 1
    ) AS oldest
    FROM tenant_counters WHERE tenant_id = ${tenantId}
  `.execute(db)
  if (!rows[0]) throw new Error(`tenant ${tenantId} has no event counter`)
  return rows[0]
}

/** `recordedAt` is the instant within the id; it selects the partition. */
export async function selectEvent(
  db: Db,
  tenantId: string,
  eventId: string,
  recordedAt: Date,
): Promise<LogRow | undefined> {
  return await db
    .selectFrom('events')
    .select(LOG_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('event_id', '=', eventId)
    .where('recorded_at', '=', recordedAt)
    .executeTakeFirst()
}

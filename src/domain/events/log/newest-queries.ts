import { sql } from 'kysely'
import { firstIdAt } from '../../../core/ids.ts'
import type { Db } from '../../../db/database.ts'
import type { LogRow } from './log-queries.ts'

/** Events are numbered at their commit, and have their ids a little before. */
const NEIGHBOURS = 100

/** The highest number of an event recorded before the instant, give or take a few; null without one. */
export async function selectLastBefore(
  db: Db,
  tenantId: string,
  instant: Date,
): Promise<bigint | null> {
  const { rows } = await sql<{ last: bigint | null }>`
    SELECT max(sequence) AS last FROM (
      SELECT sequence FROM events
      WHERE tenant_id = ${tenantId} AND event_id < ${firstIdAt('evt', instant)}
        AND recorded_at < ${instant}
      ORDER BY event_id DESC LIMIT ${NEIGHBOURS}) newest`.execute(db)
  return rows[0]?.last ?? null
}

/** The lowest number of an event recorded at the instant or later. */
export async function selectFirstSince(
  db: Db,
  tenantId: string,
  instant: Date,
): Promise<bigint | null> {
  const { rows } = await sql<{ first: bigint | null }>`
    SELECT min(sequence) AS first FROM (
      SELECT sequence FROM events
      WHERE tenant_id = ${tenantId} AND event_id >= ${firstIdAt('evt', instant)}
        AND recorded_at >= ${instant}
      ORDER BY event_id LIMIT ${NEIGHBOURS}) oldest`.execute(db)
  return rows[0]?.first ?? null
}

/** Newest first. */
export async function selectNewestEvents(
  db: Db,
  tenantId: string,
  wanted: {
    type: string | undefined
    resourceId: string | undefined
    sequences: { from: bigint; to: bigint }
  },
  page: { before: bigint | undefined; limit: number },
): Promise<LogRow[]> {
  const { type, resourceId, sequences } = wanted
  // As an expression, so that no plan walks the whole log by number to find the few that fit.
  const isFew = resourceId !== undefined
  const number = isFew ? sql<bigint>`sequence + 0` : sql<bigint>`sequence`
  let query = db
    .selectFrom('events')
    .select(['event_id', 'sequence', 'body', 'previous_hash', 'hash'])
    .where('tenant_id', '=', tenantId)
    .where(number, '>=', sequences.from)
    .where(number, '<=', sequences.to)
  if (type !== undefined) query = query.where('type', '=', type)
  if (resourceId !== undefined) query = query.where('resource_id', '=', resourceId)
  if (page.before !== undefined) query = query.where(number, '<', page.before)
  return await query.orderBy(number, 'desc').limit(page.limit).execute()
}

export type EventMark = {
  sequence: bigint
  event_id: string
  type: string
  resource_type: string
  resource_id: string
  facility_id: string | null
  borrower_id: string | null
  recorded_at: Date
}

/** In order of number. */
export async function selectMarksAfter(
  db: Db,
  tenantId: string,
  after: bigint,
  limit: number,
): Promise<EventMark[]> {
  return await db
    .selectFrom('events')
    .select(['sequence', 'event_id', 'type', 'resource_type', 'resource_id'])
    .select(['facility_id', 'borrower_id', 'recorded_at'])
    .where('tenant_id', '=', tenantId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
}

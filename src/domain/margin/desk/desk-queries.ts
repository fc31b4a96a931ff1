import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'
import { isUnnoticed } from '../notices/notice-queries.ts'
import type { Tier } from '../policy.ts'

export type WarningRow = Selectable<Tables['margin_warnings']>

export type CallRow = Selectable<Tables['margin_calls']>

type Position = { at: Date; facilityId: string }

export type WarningFilter = {
  tenantId?: string | undefined
  tiers: readonly Tier[]
  dueBefore?: Date | undefined
  /** A raise of it has had no notice for so long, at this real instant. */
  unnoticed?: { realNow: Date; patienceMs: number } | undefined
}

/** By deadline, the earliest first. Each tier is read by index, then all are merged. */
export async function selectWarningsByDeadline(
  db: Db,
  { tenantId, tiers, dueBefore, unnoticed }: WarningFilter,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<WarningRow[]> {
  const conditions = [
    sql`status = 'OPEN'`,
    ...(tenantId === undefined ? [] : [sql`tenant_id = ${tenantId}`]),
    ...(dueBefore ? [sql`cure_deadline < ${dueBefore}`] : []),
    ...(unnoticed ? [isUnnoticed(unnoticed.realNow, unnoticed.patienceMs, 'w')] : []),
    ...(after ? [sql`(cure_deadline, facility_id) > (${after.at}, ${after.facilityId})`] : []),
  ]
  // @across tenants: the desk has one list of all.
  // @plan reads margin_warnings, margin_raises, margin_notices, facilities: those without a notice are
  // few among many that are open, and a page of them looks at each on its way.
  const ofTiers = tiers.map(
    (tier) => sql`(
      SELECT * FROM margin_warnings w
      WHERE ${sql.join(conditions, sql` AND `)} AND tier = ${tier}::smallint
      ORDER BY cure_deadline, facility_id LIMIT ${limit})`,
  )
  const { rows } = await sql<WarningRow>`
    SELECT w.* FROM (${sql.join(ofTiers, sql` UNION ALL `)}) w
    ORDER BY w.cure_deadline, w.facility_id LIMIT ${limit}`.execute(db)
  return rows
}

export type CallFilter = { tenantId?: string | undefined; isRunning: boolean }

/** The newest first: running ones by when they began, ended ones by when they ended. */
export async function selectNewestCalls(
  db: Db,
  { tenantId, isRunning }: CallFilter,
  { before, limit }: { before: (Position & { number: number }) | undefined; limit: number },
): Promise<CallRow[]> {
  // @across tenants: the desk has one list of all.
  const at = isRunning ? sql.ref('created_at') : sql.ref('completed_at')
  const conditions = [
    isRunning ? sql`status IN ('PENDING', 'SELLING')` : sql`status = 'COMPLETED'`,
    ...(tenantId === undefined ? [] : [sql`tenant_id = ${tenantId}`]),
    ...(before
      ? [sql`(${at}, facility_id, number) < (${before.at}, ${before.facilityId}, ${before.number})`]
      : []),
  ]
  const { rows } = await sql<CallRow>`
    SELECT * FROM margin_calls WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY ${at} DESC, facility_id DESC, number DESC LIMIT ${limit}`.execute(db)
  return rows
}

/** What happened at one instant is in the order in which one thing leads to the next. */
const TIMELINE_RANKS = {
  repayment_requested: 1,
  repayment_reported: 2,
  repayment_confirmed: 3,
  repayment_returned: 4,
  decision: 5,
  call_started: 6,
  order_placed: 7,
  order_filled: 8,
  call_ended: 9,
} as const

export type TimelineSource = keyof typeof TIMELINE_RANKS

/** `subject` is a warning or call with the number within it, or a repayment. */
export type TimelineKey = {
  at: Date
  source: TimelineSource
  rank: number
  subject: string
  number: number
  part: number
}

export type TimelinePosition = Pick<TimelineKey, 'at' | 'rank' | 'subject'>

/** Newest first; `subject` makes keys of one instant and rank distinct. */
export async function selectTimeline(
  db: Db,
  tenantId: string,
  facilityId: string,
  { before, limit }: { before: TimelinePosition | undefined; limit: number },
): Promise<TimelineKey[]> {
  const of = sql`tenant_id = ${tenantId} AND facility_id = ${facilityId}`
  const entry = (source: TimelineSource, at: RawBuilder<unknown>, subject: RawBuilder<unknown>) =>
    sql`SELECT ${at} AS at, ${source}::text AS source, ${TIMELINE_RANKS[source]}::int AS rank, ${subject}`
  const repayment = sql`repayment_id AS subject, 0 AS number, 0 AS part`
  const call = sql`lpad(number::text, 9, '0') AS subject, number, 0 AS part`
  const part = (outer: RawBuilder<unknown>) =>
    sql`lpad(${outer}::text, 9, '0') || '/' || lpad(number::text, 9, '0') AS subject,
      ${outer} AS number, number AS part`
  const order = part(sql.ref('call_number'))
  const rows = (
    source: TimelineSource,
    column: string,
    subject: RawBuilder<unknown>,
    of: RawBuilder<unknown>,
  ) => sql`${entry(source, sql.ref(column), subject)} ${of} AND ${sql.ref(column)} IS NOT NULL`
  const repayments = sql`FROM repayments WHERE ${of}`
  const calls = sql`FROM margin_calls WHERE ${of}`
  const sales = sql`FROM margin_sales WHERE ${of}`
  const sources = [
    rows('repayment_requested', 'requested_at', repayment, repayments),
    rows('repayment_reported', 'reported_at', repayment, repayments),
    rows('repayment_confirmed', 'applied_at', repayment, repayments),
    rows('repayment_returned', 'reversed_at', repayment, repayments),
    rows(
      'decision',
      'decided_at',
      part(sql.ref('warning_number')),
      sql`FROM margin_decisions WHERE ${of}`,
    ),
    rows('call_started', 'created_at', call, calls),
    rows('order_placed', 'ordered_at', order, sales),
    rows('order_filled', 'executed_at', order, sales),
    rows('call_ended', 'completed_at', call, calls),
  ]
  const stretch = before
    ? sql`WHERE (at, rank, subject) < (${before.at}, ${before.rank}, ${before.subject})`
    : sql``
  // @plan reads margin_decisions, repayments, margin_calls, margin_sales: those of one facility.
  const { rows: keys } = await sql<TimelineKey>`
    SELECT * FROM (${sql.join(sources, sql` UNION ALL `)}) entries ${stretch}
    ORDER BY at DESC, rank DESC, subject DESC LIMIT ${limit}`.execute(db)
  return keys
}

export async function selectTimelineRepayments(db: Db, tenantId: string, ids: readonly string[]) {
  return await db
    .selectFrom('repayments')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('repayment_id', '=', sql<string>`ANY (${[...ids]}::text[])`)
    .execute()
}

export async function selectCallsNumbered(
  db: Db,
  tenantId: string,
  facilityId: string,
  numbers: readonly number[],
) {
  return await db
    .selectFrom('margin_calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('number', '=', sql<number>`ANY (${[...numbers]}::int[])`)
    .execute()
}

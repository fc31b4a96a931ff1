import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CheckKind } from '../../db/schema/onboarding.ts'
import { exactTime } from '../../db/sql/as-text.ts'
import { execute, unprepared } from '../../db/transactions/execute.ts'

export type Stretch = { after: readonly string[] | undefined; limit: number }

/** Real time turned into a tenant's own. */
const tenantTime = (realNow: Date) =>
  sql<Date>`${realNow}::timestamptz + t.clock_offset_ms * interval '1 millisecond'`

/** Longest waiting first. */
export async function selectWaitingChecks(
  db: Db,
  filter: { tenantId: string | undefined; kind: CheckKind | undefined },
  { after, limit }: Stretch,
  realNow: Date,
) {
  // @across tenants: the desk has one list of all.
  const { tenantId, kind } = filter
  return await db
    .selectFrom('compliance_checks as c')
    .innerJoin('tenants as t', 't.tenant_id', 'c.tenant_id')
    .innerJoin('borrowers as b', (join) =>
      join.onRef('b.tenant_id', '=', 'c.tenant_id').onRef('b.borrower_id', '=', 'c.borrower_id'),
    )
    .select([
      ...(['c.tenant_id', 't.name', 'c.borrower_id', 'c.check_id', 'c.kind'] as const),
      ...(['c.created_at', 'b.type', 'b.residency_country', 'b.residency_state'] as const),
    ])
    .select([tenantTime(realNow).as('tenant_now'), exactTime('c.created_at').as('position')])
    // A literal: a plan for any status could not use the index of those in review.
    .where(sql<boolean>`c.status = 'review'`)
    .$if(tenantId !== undefined, (query) => query.where('c.tenant_id', '=', tenantId ?? ''))
    .$if(kind !== undefined, (query) => query.where('c.kind', '=', kind ?? 'aml'))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(c.created_at, c.check_id) > (${after?.[0]}::timestamptz, ${after?.[1]})`,
      ),
    )
    .orderBy('c.created_at')
    .orderBy('c.check_id')
    .limit(limit)
    .execute()
}

/** Applications that are not decided, longest waiting first, with what their decision needs. */
export async function selectWaitingApplications(
  db: Db,
  tenantId: string | undefined,
  { after, limit }: Stretch,
  { realNow, topic }: { realNow: Date; topic: string },
) {
  // @across tenants: the desk has one list of all.
  const waiting = db
    .selectFrom('facilities as f')
    .innerJoin('tenants as t', 't.tenant_id', 'f.tenant_id')
    .leftJoin('portfolio_sources as s', 's.tenant_id', 'f.tenant_id')
    .leftJoin('portfolios as p', (join) =>
      join.onRef('p.tenant_id', '=', 'f.tenant_id').onRef('p.borrower_id', '=', 'f.borrower_id'),
    )
    .leftJoin('custodian_positions as h', (join) =>
      join.onRef('h.tenant_id', '=', 'f.tenant_id').onRef('h.borrower_id', '=', 'f.borrower_id'),
    )
    .leftJoin('work as w', (join) =>
      join
        .onRef('w.tenant_id', '=', 'f.tenant_id')
        .on('w.topic', '=', topic)
        .onRef('w.subject_id', '=', 'f.facility_id'),
    )
    .select([
      ...(['f.tenant_id', 't.name', 'f.facility_id', 'f.borrower_id', 'f.limit_cents'] as const),
      ...(['f.created_at', 's.mode', 'p.received_at', 'h.read_at'] as const),
      ...(['w.attempts', 'w.last_error', 'w.due_at', 'w.ready', 'w.lease'] as const),
    ])
    .select([tenantTime(realNow).as('tenant_now'), exactTime('f.created_at').as('position')])
    // A literal, so that the plan for any parameters has the partial index.
    .where(sql<boolean>`f.state = 'PENDING'`)
    .$if(tenantId !== undefined, (query) => query.where('f.tenant_id', '=', tenantId ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(f.created_at, f.facility_id) > (${after?.[0]}::timestamptz, ${after?.[1]})`,
      ),
    )
    .orderBy('f.created_at')
    .orderBy('f.facility_id')
    .limit(limit)
  // All that wait, or one tenant's few: each has an index of its own.
  return await execute(db, unprepared(waiting))
}

/** Blocked for longest first. */
export async function selectBlockedBorrowers(
  db: Db,
  tenantId: string | undefined,
  { after, limit }: Stretch,
) {
  // @across tenants: the desk has one list of all.
  // @plan reads borrowers: all that are blocked, where one tenant's few are asked for.
  return await db
    .selectFrom('borrowers as b')
    .innerJoin('tenants as t', 't.tenant_id', 'b.tenant_id')
    .leftJoin('borrower_keys as k', (join) =>
      join.onRef('k.tenant_id', '=', 'b.tenant_id').onRef('k.borrower_id', '=', 'b.borrower_id'),
    )
    .select([
      ...(['b.tenant_id', 't.name', 'b.borrower_id', 'b.type'] as const),
      ...(['b.blocked_at', 'b.blocked_reason', 'k.sealed_key', 'k.erased_at'] as const),
    ])
    .select(exactTime('b.blocked_at').as('position'))
    .where('b.blocked_at', 'is not', null)
    .$if(tenantId !== undefined, (query) => query.where('b.tenant_id', '=', tenantId ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(b.blocked_at, b.borrower_id) > (${after?.[0]}::timestamptz, ${after?.[1]})`,
      ),
    )
    .orderBy('b.blocked_at')
    .orderBy('b.borrower_id')
    .limit(limit)
    .execute()
}

/** The last block or release of each, where the record of operators has one. */
export async function selectLastBlocks(
  db: Db,
  borrowers: readonly { tenant_id: string; borrower_id: string }[],
) {
  const { rows } = await sql<{
    borrower_id: string
    actor: string
    number: bigint
    action: string
  }>`
    SELECT b.borrower_id, last.actor, last.number, last.action
    FROM unnest(${borrowers.map((one) => one.tenant_id)}::text[],
                ${borrowers.map((one) => one.borrower_id)}::text[]) AS b (tenant_id, borrower_id)
    CROSS JOIN LATERAL (
      SELECT a.actor, a.number, a.action FROM operator_actions a
      WHERE a.subject_id = b.borrower_id AND a.tenant = b.tenant_id
        AND a.action IN ('borrowers.block', 'borrowers.unblock')
      ORDER BY a.number DESC LIMIT 1) last`.execute(db)
  return rows
}

export async function selectTenantName(db: Db, tenantId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('tenants')
    .select('name')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.name
}

export async function selectLatestFacility(db: Db, tenantId: string, borrowerId: string) {
  return await db
    .selectFrom('facilities')
    .select(['facility_id', 'state', 'limit_cents', 'created_at'])
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .orderBy('facility_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest first. */
export async function selectByExternalId(
  db: Db,
  kind: 'borrower' | 'facility',
  { externalId, tenantId }: { externalId: string; tenantId: string | undefined },
  limit: number,
): Promise<{ tenant_id: string; id: string }[]> {
  // @across tenants: operators have the tenant's id of a customer and not the tenant.
  const id = sql.ref(`${kind}_id`)
  const ofTenant = tenantId === undefined ? sql`` : sql`AND tenant_id = ${tenantId}`
  const { rows } = await sql<{ tenant_id: string; id: string }>`
    SELECT tenant_id, ${id} AS id FROM ${sql.table(kind === 'borrower' ? 'borrowers' : 'facilities')}
    WHERE external_id = ${externalId} ${ofTenant}
    ORDER BY ${id} DESC LIMIT ${limit}`.execute(db)
  return rows
}

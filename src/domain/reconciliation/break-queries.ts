import { sql } from 'kysely'
import type { SealedText } from '../../core/sealing.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { exactTime } from '../../db/sql/as-text.ts'

export type NewBreak = {
  id: string
  kind: Tables['reconciliation_breaks']['kind']
  area: Tables['reconciliation_breaks']['area']
  itemId: string
  facilityId: string | undefined
  day: string
  ours: object | undefined
  theirs: object | undefined
}

const asJson = (value: object | undefined) => (value ? JSON.stringify(value) : null)

/** Those that are neither open nor found on the same day before; returns how many. */
export async function insertBreaks(
  tx: Tx,
  tenantId: string,
  breaks: readonly NewBreak[],
  { now, realNow }: { now: Date; realNow: Date },
): Promise<number> {
  if (breaks.length === 0) return 0
  const { numAffectedRows } = await sql`
    INSERT INTO reconciliation_breaks
      (tenant_id, break_id, kind, area, item_id, facility_id, day, ours, theirs, found_at, written_at)
    SELECT ${tenantId}, b.break_id, b.kind, b.area, b.item_id, b.facility_id, b.day, b.ours::jsonb,
           b.theirs::jsonb, ${now}, ${realNow}
    FROM unnest(${breaks.map((one) => one.id)}::text[], ${breaks.map((one) => one.kind)}::text[],
                ${breaks.map((one) => one.area)}::text[], ${breaks.map((one) => one.itemId)}::text[],
                ${breaks.map((one) => one.facilityId ?? null)}::text[],
                ${breaks.map((one) => one.day)}::text[],
                ${breaks.map((one) => asJson(one.ours))}::text[],
                ${breaks.map((one) => asJson(one.theirs))}::text[])
      AS b (break_id, kind, area, item_id, facility_id, day, ours, theirs)
    WHERE NOT EXISTS (
      SELECT FROM reconciliation_breaks o WHERE o.tenant_id = ${tenantId} AND o.item_id = b.item_id
        AND o.kind = b.kind AND o.resolved_at IS NULL)
    ON CONFLICT (tenant_id, item_id, kind, day) DO NOTHING`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

export async function selectOpenBreaks(db: Db, tenantId: string) {
  // @plan reads reconciliation_breaks: all open ones of the tenant are checked again.
  return await db
    .selectFrom('reconciliation_breaks')
    .select(['break_id', 'kind', 'area', 'item_id', 'day'])
    .where('tenant_id', '=', tenantId)
    .where('resolved_at', 'is', null)
    .execute()
}

/** Returns the rows as they were before; fewer where some are resolved already. */
export async function resolveBreaks(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  resolved: { at: Date; by: string; resolution: SealedText },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('reconciliation_breaks')
    .set({
      resolved_at: resolved.at,
      resolved_by: resolved.by,
      resolution: resolved.resolution,
    })
    .where('tenant_id', '=', tenantId)
    .where('break_id', '=', sql<string>`ANY (${[...ids]}::text[])`)
    .where('resolved_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function lockBreak(tx: Tx, tenantId: string, breakId: string) {
  return await withKeys(tx)
    .where('r.tenant_id', '=', tenantId)
    .where('r.break_id', '=', breakId)
    .forNoKeyUpdate('r')
    .executeTakeFirst()
}

/** Breaks with the keys of their borrowers, as far as they are of a facility. */
function withKeys(db: Db) {
  return db
    .selectFrom('reconciliation_breaks as r')
    .leftJoin('facilities as f', (join) =>
      join.onRef('f.tenant_id', '=', 'r.tenant_id').onRef('f.facility_id', '=', 'r.facility_id'),
    )
    .leftJoin('borrower_keys as k', (join) =>
      join.onRef('k.tenant_id', '=', 'f.tenant_id').onRef('k.borrower_id', '=', 'f.borrower_id'),
    )
    .selectAll('r')
    .select(['f.borrower_id', 'k.sealed_key', 'k.erased_at'])
}

export async function updateOwner(
  tx: Tx,
  tenantId: string,
  breakId: string,
  { owner, note, at }: { owner: string; note: SealedText; at: Date },
): Promise<void> {
  await tx
    .updateTable('reconciliation_breaks')
    .set({ owner, note, taken_at: at })
    .where('tenant_id', '=', tenantId)
    .where('break_id', '=', breakId)
    .execute()
}

export type BreakFilter = {
  state: 'open' | 'resolved'
  tenantId?: string | undefined
  kind?: Tables['reconciliation_breaks']['kind'] | undefined
  area?: Tables['reconciliation_breaks']['area'] | undefined
  owner?: string | undefined
}

/** Open ones longest first, resolved ones by when they were found too. */
export async function selectBreaks(
  db: Db,
  filter: BreakFilter,
  { after, limit }: { after?: readonly string[] | undefined; limit: number },
) {
  // @across tenants: the operator has one list of all.
  // @plan reads reconciliation_breaks: a filter may leave few of many.
  const { tenantId, kind, area, owner, state } = filter
  return await withKeys(db)
    .select(exactTime('r.written_at').as('position'))
    .where('r.resolved_at', state === 'open' ? 'is' : 'is not', null)
    .$if(tenantId !== undefined, (query) => query.where('r.tenant_id', '=', tenantId ?? ''))
    .$if(kind !== undefined, (query) => query.where('r.kind', '=', kind ?? 'other_day'))
    .$if(area !== undefined, (query) => query.where('r.area', '=', area ?? 'bank'))
    .$if(owner !== undefined, (query) => query.where('r.owner', '=', owner ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(r.written_at, r.break_id) > (${after?.[0]}::timestamptz, ${after?.[1]})`,
      ),
    )
    .orderBy('r.written_at')
    .orderBy('r.break_id')
    .limit(limit)
    .execute()
}

export async function countOpenBreaks(
  db: Db,
): Promise<{ kind: string; open: number; oldest: Date }[]> {
  // @across tenants: a measure.
  // @plan reads reconciliation_breaks: open ones are few, and are all counted.
  const { rows } = await sql<{ kind: string; open: number; oldest: Date }>`
    SELECT kind, count(*)::int AS open, min(written_at) AS oldest FROM reconciliation_breaks
    WHERE resolved_at IS NULL GROUP BY kind`.execute(db)
  return rows
}

/** `dueAt` is by the tenant's clock: the end of the next day that is to be reconciled. */
export async function selectDueTimes(db: Db): Promise<{ tenantId: string; dueAt: Date }[]> {
  // @across tenants: a measure.
  // @plan reads reconciliations: a row a tenant.
  const rows = await db.selectFrom('reconciliations').select(['tenant_id', 'due_at']).execute()
  return rows.map((row) => ({ tenantId: row.tenant_id, dueAt: row.due_at }))
}

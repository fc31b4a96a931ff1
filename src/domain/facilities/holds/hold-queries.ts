import { sql } from 'kysely'
import type { SealedText } from '../../../core/sealing.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { HoldKind } from '../../../db/schema/facilities.ts'
import { exactTime } from '../../../db/sql/as-text.ts'

export type NewHold = { id: string; kind: HoldKind; reason: SealedText; now: Date }

export async function insertHold(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  { id, kind, reason, now }: NewHold,
): Promise<void> {
  await tx
    .insertInto('facility_pauses')
    .values({
      ...{ tenant_id: tenantId, facility_id: facilityId, pause_id: id },
      ...{ kind: 'hold', started_at: now, hold_kind: kind, reason },
    })
    .execute()
}

/** False for an unknown one, and for one that was lifted. */
export async function endHold(
  tx: Tx,
  tenantId: string,
  { facilityId, holdId }: { facilityId: string; holdId: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('facility_pauses')
    .set({ ended_at: now })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('pause_id', '=', holdId)
    .where('kind', '=', 'hold')
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Oldest first, lifted ones too. */
export async function selectHolds(db: Db, tenantId: string, facilityId: string) {
  return await withKeys(db)
    .where('p.tenant_id', '=', tenantId)
    .where('p.facility_id', '=', facilityId)
    .where('p.kind', '=', 'hold')
    .orderBy('p.started_at')
    .orderBy('p.pause_id')
    .execute()
}

/** Pauses with the keys of their borrowers. */
function withKeys(db: Db) {
  return db
    .selectFrom('facility_pauses as p')
    .innerJoin('facilities as f', (join) =>
      join.onRef('f.tenant_id', '=', 'p.tenant_id').onRef('f.facility_id', '=', 'p.facility_id'),
    )
    .leftJoin('borrower_keys as k', (join) =>
      join.onRef('k.tenant_id', '=', 'f.tenant_id').onRef('k.borrower_id', '=', 'f.borrower_id'),
    )
    .selectAll('p')
    .select(['f.borrower_id', 'k.sealed_key', 'k.erased_at'])
}

/** Those that lie, of every tenant, longest first. */
export async function selectLyingHolds(
  db: Db,
  { after, limit }: { after?: readonly string[] | undefined; limit?: number },
) {
  // @across tenants: the operator has one list of all.
  return await withKeys(db)
    .select(exactTime('p.started_at').as('position'))
    // Written out: the plan has the partial index.
    .where(sql<boolean>`p.kind = 'hold' AND p.ended_at IS NULL`)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(p.started_at, p.pause_id) > (${after?.[0]}::timestamptz, ${after?.[1]})`,
      ),
    )
    .orderBy('p.started_at')
    .orderBy('p.pause_id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()
}

/** Payouts that may have been ordered; others' locks are waited for. */
export async function recallDraws(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  now: Date,
): Promise<string[]> {
  const rows = await tx
    .updateTable('draws')
    .set({ recalled_at: now })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'PENDING')
    .where('payout_sent_at', 'is not', null)
    .where('recalled_at', 'is', null)
    .returning('draw_id')
    .execute()
  return rows.map((row) => row.draw_id)
}

export async function lockUnsentDraws(tx: Tx, tenantId: string, facilityId: string) {
  return await tx
    .selectFrom('draws')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'PENDING')
    .where('payout_sent_at', 'is', null)
    .orderBy('draw_id')
    .forNoKeyUpdate()
    .execute()
}

export async function selectPendingRefunds(
  tx: Tx,
  tenantId: string,
  facilityId: string,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('refunds')
    .select('refund_id')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'PENDING')
    .execute()
  return rows.map((row) => row.refund_id)
}

import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'

/** One slot a period. A stored slot far ahead comes from a wrong clock and does not count. */
export async function takeSlot(db: Db, slot: bigint): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('price_feed')
    .set({ slot })
    .where((where) => where.or([where('slot', '<', slot), where('slot', '>', slot + 1n)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The right to evaluate all facilities until `until`. */
export async function takeEvaluation(db: Db, now: Date, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('price_feed')
    .set({ evaluating_until: until })
    .where((where) =>
      where.or([where('evaluating_until', 'is', null), where('evaluating_until', '<=', now)]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Does nothing once another worker has it. */
export async function releaseEvaluation(db: Db, until: Date): Promise<void> {
  await db
    .updateTable('price_feed')
    .set({ evaluating_until: null })
    .where('evaluating_until', '=', until)
    .execute()
}

/** Undefined once another round has begun. */
export async function lockFeed(
  tx: Tx,
  slot: bigint,
): Promise<Selectable<Tables['price_feed']>['candidates'] | undefined> {
  const row = await tx
    .selectFrom('price_feed')
    .select('candidates')
    .where('slot', '=', slot)
    .forUpdate()
    .executeTakeFirst()
  return row?.candidates
}

export async function updatePendingPrices(
  tx: Tx,
  candidates: Selectable<Tables['price_feed']>['candidates'],
): Promise<void> {
  await tx
    .updateTable('price_feed')
    .set({ candidates: sql`${JSON.stringify(candidates)}::jsonb` })
    .execute()
}

export async function insertRound(
  tx: Tx,
  { accepted_at, prices, sources }: Insertable<Tables['price_rounds']>,
): Promise<void> {
  await tx
    .insertInto('price_rounds')
    .values({
      accepted_at,
      prices: sql`${JSON.stringify(prices)}::jsonb`,
      sources: sql`${JSON.stringify(sources)}::jsonb`,
    })
    .execute()
}

export async function selectNewestRound(db: Db, now: Date) {
  return await db
    .selectFrom('price_rounds')
    .select(['accepted_at', 'prices'])
    .where('accepted_at', '<=', now)
    .orderBy('accepted_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function selectRounds(db: Db, first: { from: Date; until: Date }, now: Date) {
  return await db
    .selectFrom('price_rounds')
    .select(['accepted_at', 'prices'])
    .where('accepted_at', '>=', (query) =>
      query
        .selectFrom('price_rounds')
        .select('accepted_at')
        .where('accepted_at', '>=', first.from)
        .where('accepted_at', '<=', first.until)
        .orderBy('accepted_at', 'desc')
        .limit(1),
    )
    .where('accepted_at', '<=', now)
    .orderBy('accepted_at')
    .execute()
}

/** Keeps the newest of all. */
export async function deleteRoundsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM price_rounds WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM price_rounds
      WHERE accepted_at < ${before} AND accepted_at < (SELECT max(accepted_at) FROM price_rounds)
      ORDER BY accepted_at LIMIT ${limit}
    ))`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export async function selectSources(db: Db, instants: readonly Date[]) {
  if (instants.length === 0) return []
  return await db
    .selectFrom('price_rounds')
    .select(['accepted_at', 'sources'])
    .where('accepted_at', '=', sql<Date>`ANY (${[...instants]}::timestamptz[])`)
    .orderBy('accepted_at')
    .execute()
}

import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

type Asked = { address: string; askedBy: string; now: Date }

/** Orders the questions of one asker, so that they are counted one after the other. */
export async function lockAsker(tx: Tx, askedBy: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`ask to confirm ${askedBy}`}, 0))`.execute(
    tx,
  )
}

/** When the asker's newest questions were asked, the newest first. */
export async function selectAskedAt(
  tx: Tx,
  askedBy: string,
  { after, limit }: { after: Date; limit: number },
): Promise<Date[]> {
  const rows = await tx
    .selectFrom('asked_addresses')
    .select('asked_at')
    .where('asked_by', '=', askedBy)
    .where('asked_at', '>', after)
    .orderBy('asked_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ asked_at }) => asked_at)
}

/** Undefined once it is written; else when the address was asked, which was later than `after`. */
export async function upsertAskedAddress(
  tx: Tx,
  { address, askedBy, now }: Asked,
  after: Date,
): Promise<Date | undefined> {
  const { rows } = await sql`
    INSERT INTO asked_addresses (address, asked_by, asked_at)
    VALUES (${address}, ${askedBy}, ${now})
    ON CONFLICT (address) DO UPDATE SET asked_by = excluded.asked_by, asked_at = excluded.asked_at
    WHERE asked_addresses.asked_at <= ${after} RETURNING address`.execute(tx)
  if (rows.length > 0) return undefined
  const found = await tx
    .selectFrom('asked_addresses')
    .select('asked_at')
    .where('address', '=', address)
    .executeTakeFirstOrThrow()
  return found.asked_at
}

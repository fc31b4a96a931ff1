import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'

export async function selectCurrentKey(db: Db) {
  return await db
    .selectFrom('receipt_keys')
    .select(['key_id', 'public_key', 'sealed'])
    .where('retired_at', 'is', null)
    .executeTakeFirst()
}

/** Waits for a process that makes the first one too, and leaves that one. */
export async function insertKey(tx: Tx, row: Insertable<Tables['receipt_keys']>): Promise<void> {
  await tx
    .insertInto('receipt_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Its private half goes: it signs nothing any more. */
export async function retireKey(tx: Tx, keyId: string, now: Date): Promise<void> {
  await tx
    .updateTable('receipt_keys')
    .set({ retired_at: now, sealed: null })
    .where('key_id', '=', keyId)
    .where('retired_at', 'is', null)
    .execute()
}

export async function updateSealedKey(tx: Tx, keyId: string, sealed: string): Promise<void> {
  await tx
    .updateTable('receipt_keys')
    .set({ sealed })
    .where('key_id', '=', keyId)
    .where('retired_at', 'is', null)
    .execute()
}

/** Oldest first. */
export async function selectKeys(db: Db) {
  return await db
    .selectFrom('receipt_keys')
    .select(['key_id', 'public_key', 'created_at', 'retired_at'])
    .orderBy('created_at')
    .orderBy('key_id')
    .execute()
}

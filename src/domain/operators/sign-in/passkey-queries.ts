import type { Db, Tx } from '../../../db/database.ts'
import type { NewPasskeyRow, PasskeyUse } from '../../sign-in/passkey-store.ts'

export async function countOperatorPasskeys(db: Db, operatorId: string): Promise<number> {
  const row = await db
    .selectFrom('operator_passkeys')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('operator_id', '=', operatorId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function selectOperatorPasskeys(db: Db, operatorId: string) {
  return await db
    .selectFrom('operator_passkeys')
    .select(['passkey_id', 'credential_id', 'transports', 'name', 'created_at', 'last_used_at'])
    .where('operator_id', '=', operatorId)
    .orderBy('passkey_id')
    .execute()
}

/** None of one who was removed. */
export async function selectOperatorPasskey(db: Db, credentialId: Buffer) {
  return await db
    .selectFrom('operator_passkeys as k')
    .innerJoin('operators as o', 'o.operator_id', 'k.operator_id')
    .select(['k.passkey_id', 'k.operator_id', 'k.public_key', 'k.counter'])
    .where('k.credential_id', '=', credentialId)
    .where('o.removed_at', 'is', null)
    .executeTakeFirst()
}

export async function insertOperatorPasskey(
  tx: Tx,
  operatorId: string,
  passkey: NewPasskeyRow,
): Promise<void> {
  await tx
    .insertInto('operator_passkeys')
    .values({
      passkey_id: passkey.passkeyId,
      operator_id: operatorId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: BigInt(passkey.counter),
      transports: [...passkey.transports],
      name: passkey.name,
      created_at: passkey.createdAt,
    })
    .execute()
}

/** Of two uses that show the same counter, one is of a copy: the second finds it used. */
export async function updateOperatorPasskeyUsed(
  tx: Tx,
  { passkeyId, from, to, now }: PasskeyUse,
): Promise<boolean> {
  const result = await tx
    .updateTable('operator_passkeys')
    .set({ counter: to, last_used_at: now })
    .where('passkey_id', '=', passkeyId)
    .where('counter', '=', from)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function deleteOperatorPasskey(
  tx: Tx,
  operatorId: string,
  passkeyId: string,
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('operator_passkeys')
    .where('operator_id', '=', operatorId)
    .where('passkey_id', '=', passkeyId)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

/** Returns how many there were. */
export async function deleteOperatorPasskeys(tx: Tx, operatorId: string): Promise<number> {
  const result = await tx
    .deleteFrom('operator_passkeys')
    .where('operator_id', '=', operatorId)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

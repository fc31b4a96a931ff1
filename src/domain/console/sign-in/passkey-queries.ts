import type { Db, Tx } from '../../../db/database.ts'
import type { NewPasskeyRow } from '../../sign-in/passkey-store.ts'

export async function countPasskeysOf(db: Db, tenantId: string, personId: string): Promise<number> {
  const row = await db
    .selectFrom('console_passkeys')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function selectPasskeys(db: Db, tenantId: string, personId: string) {
  return await db
    .selectFrom('console_passkeys')
    .select(['passkey_id', 'credential_id', 'transports', 'name', 'created_at', 'last_used_at'])
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .orderBy('passkey_id')
    .execute()
}

/** None of a person who was removed. */
export async function selectPasskeyByCredential(db: Db, tenantId: string, credentialId: Buffer) {
  return await db
    .selectFrom('console_passkeys as k')
    .innerJoin('console_people as p', (join) =>
      join.onRef('p.tenant_id', '=', 'k.tenant_id').onRef('p.person_id', '=', 'k.person_id'),
    )
    .select([
      'k.tenant_id',
      'k.passkey_id',
      'k.person_id',
      'k.credential_id',
      'k.public_key',
      'k.counter',
    ])
    .where('k.tenant_id', '=', tenantId)
    .where('k.credential_id', '=', credentialId)
    .where('p.removed_at', 'is', null)
    .executeTakeFirst()
}

export type NewPasskey = NewPasskeyRow & { tenantId: string; personId: string }

export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<void> {
  await tx
    .insertInto('console_passkeys')
    .values({
      tenant_id: passkey.tenantId,
      passkey_id: passkey.passkeyId,
      person_id: passkey.personId,
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
export async function updatePasskeyUsed(
  tx: Tx,
  tenantId: string,
  passkeyId: string,
  use: { from: bigint; to: bigint; now: Date },
): Promise<boolean> {
  const result = await tx
    .updateTable('console_passkeys')
    .set({ counter: use.to, last_used_at: use.now })
    .where('tenant_id', '=', tenantId)
    .where('passkey_id', '=', passkeyId)
    .where('counter', '=', use.from)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function deletePasskey(
  tx: Tx,
  tenantId: string,
  personId: string,
  passkeyId: string,
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('console_passkeys')
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('passkey_id', '=', passkeyId)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

/** Returns how many there were. */
export async function deletePasskeys(tx: Tx, tenantId: string, personId: string): Promise<number> {
  const result = await tx
    .deleteFrom('console_passkeys')
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import {
  among,
  isPerson,
  type People,
  type PersonKey,
  tablesOf,
  valuesOf,
} from '../../db/people-tables.ts'

/** What an authenticator has made. */
export type NewCredential = {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: readonly string[]
}

export type NewPasskeyRow = NewCredential & { passkeyId: string; name: string; createdAt: Date }

type PasskeyRow = {
  passkey_id: string
  credential_id: Buffer
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

export async function selectPasskeyCount(db: Db, key: PersonKey): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) FROM ${tablesOf(key).passkeys} WHERE ${isPerson(key)}`.execute(db)
  return Number(rows[0]?.count)
}

export async function selectPasskeys(db: Db, key: PersonKey): Promise<PasskeyRow[]> {
  const { rows } = await sql<PasskeyRow>`
    SELECT passkey_id, credential_id, transports, name, created_at, last_used_at
    FROM ${tablesOf(key).passkeys} WHERE ${isPerson(key)} ORDER BY passkey_id`.execute(db)
  return rows
}

/** None of another person, and none of one who was removed. */
export async function selectPasskeyByCredential(db: Db, key: PersonKey, credentialId: Buffer) {
  const { people, passkeys, person } = tablesOf(key)
  const { rows } = await sql<{ passkey_id: string; public_key: Buffer; counter: bigint }>`
    SELECT passkey_id, public_key, counter FROM ${passkeys} JOIN ${people} p USING (${person})
    WHERE ${isPerson(key)} AND credential_id = ${credentialId} AND removed_at IS NULL`.execute(db)
  return rows[0]
}

export async function insertPasskey(tx: Tx, key: PersonKey, passkey: NewPasskeyRow): Promise<void> {
  const { passkeys, person } = tablesOf(key)
  await sql`
    INSERT INTO ${passkeys} (${person}, passkey_id, credential_id, public_key, counter, transports,
      name, created_at)
    VALUES (${valuesOf(key)}, ${passkey.passkeyId}, ${passkey.credentialId}, ${passkey.publicKey},
      ${passkey.counter}, ${[...passkey.transports]}, ${passkey.name},
      ${passkey.createdAt})`.execute(tx)
}

/** Of two uses that show the same counter, one is of a copy: the second finds it used. */
export async function updatePasskeyUsed(
  tx: Tx,
  people: People,
  { passkeyId, from, to, now }: { passkeyId: string; from: bigint; to: bigint; now: Date },
): Promise<boolean> {
  const result = await sql`
    UPDATE ${tablesOf(people).passkeys} SET counter = ${to}, last_used_at = ${now}
    WHERE ${among(people)} AND passkey_id = ${passkeyId} AND counter = ${from}`.execute(tx)
  return result.numAffectedRows === 1n
}

/** Returns its name. */
export async function deletePasskey(
  tx: Tx,
  key: PersonKey,
  passkeyId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    DELETE FROM ${tablesOf(key).passkeys} WHERE ${isPerson(key)} AND passkey_id = ${passkeyId}
    RETURNING name`.execute(tx)
  return rows[0]?.name
}

/** Returns how many there were. */
export async function deletePasskeys(tx: Tx, key: PersonKey): Promise<number> {
  const result = await sql`DELETE FROM ${tablesOf(key).passkeys}
    WHERE ${isPerson(key)}`.execute(tx)
  return Number(result.numAffectedRows)
}

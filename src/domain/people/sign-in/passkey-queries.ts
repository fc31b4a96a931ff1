import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import {
  among,
  isPerson,
  type People,
  type PersonKey,
  tablesOf,
  valuesOf,
} from '../../../db/sql/people-tables.ts'

/** What an authenticator has made. */
export type NewCredential = {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: readonly string[]
}

export type NewPasskeyRow = NewCredential & {
  passkeyId: string
  name: string
  createdAt: Date
  /** Undefined: since ever. */
  heldSince: Date | undefined
  endsAt: Date | undefined
}

type PasskeyRow = {
  passkey_id: string
  credential_id: Buffer
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
  ends_at: Date | null
}

/** A new link replaces those that end. */
const isHeld = (now: Date) => sql`(ends_at IS NULL OR ends_at > ${now})`

/** Without those that a new link replaces. */
export async function selectPasskeyCount(db: Db, key: PersonKey): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) FROM ${tablesOf(key).passkeys}
    WHERE ${isPerson(key)} AND ends_at IS NULL`.execute(db)
  return Number(rows[0]?.count)
}

export async function selectPasskeys(db: Db, key: PersonKey, now: Date): Promise<PasskeyRow[]> {
  const { rows } = await sql<PasskeyRow>`
    SELECT passkey_id, credential_id, transports, name, created_at, last_used_at, ends_at
    FROM ${tablesOf(key).passkeys} WHERE ${isPerson(key)} AND ${isHeld(now)}
    ORDER BY passkey_id`.execute(db)
  return rows
}

type KnownPasskey = {
  passkey_id: string
  public_key: Buffer
  counter: bigint
  held_since: Date | null
}

/** None of another person, and none of one who was removed. */
export async function selectPasskeyByCredential(
  db: Db,
  key: PersonKey,
  credentialId: Buffer,
  now: Date,
) {
  const { people, passkeys, person } = tablesOf(key)
  const { rows } = await sql<KnownPasskey>`
    SELECT passkey_id, public_key, counter, held_since FROM ${passkeys} JOIN ${people} p USING (${person})
    WHERE ${isPerson(key)} AND credential_id = ${credentialId} AND ${isHeld(now)}
      AND removed_at IS NULL`.execute(db)
  return rows[0]
}

export async function insertPasskey(tx: Tx, key: PersonKey, passkey: NewPasskeyRow): Promise<void> {
  const { passkeys, person } = tablesOf(key)
  await sql`
    INSERT INTO ${passkeys} (${person}, passkey_id, credential_id, public_key, counter, transports,
      name, created_at, held_since, ends_at)
    VALUES (${valuesOf(key)}, ${passkey.passkeyId}, ${passkey.credentialId}, ${passkey.publicKey},
      ${passkey.counter}, ${[...passkey.transports]}, ${passkey.name},
      ${passkey.createdAt}, ${passkey.heldSince ?? null},
      ${passkey.endsAt ?? null})`.execute(tx)
}

/** Of two uses that show the same counter, one is of a copy: the second finds it used. Returns when the
 * passkey ends as it is now. */
export async function updatePasskeyUsed(
  tx: Tx,
  people: People,
  { passkeyId, from, to, now }: { passkeyId: string; from: bigint; to: bigint; now: Date },
): Promise<{ ends_at: Date | null } | undefined> {
  const { rows } = await sql<{ ends_at: Date | null }>`
    UPDATE ${tablesOf(people).passkeys} SET counter = ${to}, last_used_at = ${now}
    WHERE ${among(people)} AND passkey_id = ${passkeyId} AND counter = ${from}
    RETURNING ends_at`.execute(tx)
  return rows[0]
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

import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { isPerson, type PersonKey, tablesOf, valuesOf } from '../../db/sql/people-tables.ts'

type PersonsAddress = { email: string; confirmed_email: string | null }

/** Undefined for one who was removed. */
export async function selectAddress(db: Db, key: PersonKey): Promise<PersonsAddress | undefined> {
  const { rows } = await sql<PersonsAddress>`
    SELECT email, confirmed_email FROM ${tablesOf(key).people}
    WHERE ${isPerson(key)} AND removed_at IS NULL`.execute(db)
  return rows[0]
}

/** Returns false where it is confirmed, the person has another address by now, or was removed. */
export async function updateAddressConfirmed(
  tx: Tx,
  key: PersonKey,
  address: string,
): Promise<boolean> {
  const result = await sql`UPDATE ${tablesOf(key).people} SET confirmed_email = email
    WHERE ${isPerson(key)} AND email = ${address} AND removed_at IS NULL
      AND confirmed_email IS DISTINCT FROM email`.execute(tx)
  return result.numAffectedRows === 1n
}

export type NewAccountMail = {
  mailId: string
  kind: string
  subjectId: string | undefined
  now: Date
}

/** A mail to one of the lender's people is due at once; one to a tenant's is a piece of work. */
export async function insertAccountMail(
  tx: Tx,
  key: PersonKey,
  { mailId, kind, subjectId, now }: NewAccountMail,
): Promise<void> {
  const { mails, person } = tablesOf(key)
  const isDue = key.audience === 'lender'
  await sql`
    INSERT INTO ${mails} (${person}, mail_id, kind, subject_id, asked_at
      ${isDue ? sql`, due_at` : sql``})
    VALUES (${valuesOf(key)}, ${mailId}, ${kind}, ${subjectId ?? null}, ${now}
      ${isDue ? sql`, ${now}` : sql``})`.execute(tx)
}

export type AccountMailRow = {
  mail_id: string
  person_id: string
  kind: string
  subject_id: string | null
  asked_at: Date
}

/** Undefined once it is sent. */
export async function selectAccountMail(
  db: Db,
  tenantId: string,
  mailId: string,
): Promise<AccountMailRow | undefined> {
  return await db
    .selectFrom('console_mails')
    .select(['mail_id', 'person_id', 'kind', 'subject_id', 'asked_at'])
    .where('tenant_id', '=', tenantId)
    .where('mail_id', '=', mailId)
    .where('sent_at', 'is', null)
    .executeTakeFirst()
}

export async function updateAccountMailSent(
  db: Db,
  tenantId: string,
  mailId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('console_mails')
    .set({ sent_at: now })
    .where('tenant_id', '=', tenantId)
    .where('mail_id', '=', mailId)
    .execute()
}

/** Mails to the lender's people that are due, each due again at `again` unless it is settled. */
export async function claimLenderMails(
  db: Db,
  { now, again, limit }: { now: Date; again: Date; limit: number },
): Promise<AccountMailRow[]> {
  const { rows } = await sql<AccountMailRow>`
    UPDATE operator_mails SET due_at = ${again} WHERE mail_id = ANY (ARRAY(
      SELECT mail_id FROM operator_mails WHERE due_at <= ${now}
      ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    RETURNING mail_id, operator_id AS person_id, kind, subject_id, asked_at`.execute(db)
  return rows
}

/** `sentAt` is undefined for one that is not to be sent. */
export async function settleLenderMail(
  db: Db,
  mailId: string,
  sentAt: Date | undefined,
): Promise<void> {
  await db
    .updateTable('operator_mails')
    .set({ sent_at: sentAt ?? null, due_at: null })
    .where('mail_id', '=', mailId)
    .execute()
}

import { consoleLink, deskLink } from '../config/page-address.ts'
import { type Db, inTransaction, type Tx } from '../db/database.ts'
import { LENDER, peopleOf } from '../db/sql/people-tables.ts'
import { inviteLocally } from '../domain/people/people.ts'

export type LocalConsole = { tenantId: string; baseUrl: string }

/** Opens once, within 24 hours. */
export async function makeConsoleLink(db: Db, console: LocalConsole, now: Date): Promise<string> {
  return await inTransaction(db, (tx) => writeConsoleLink(tx, console, now))
}

export async function writeConsoleLink(
  tx: Tx,
  { tenantId, baseUrl }: LocalConsole,
  now: Date,
): Promise<string> {
  return consoleLink(baseUrl, await inviteLocally(tx, peopleOf(tenantId), now))
}

/** As `makeConsoleLink`, for the desk. */
export async function makeDeskLink(db: Db, deskUrl: string, now: Date): Promise<string> {
  return await inTransaction(db, (tx) => writeDeskLink(tx, deskUrl, now))
}

export async function writeDeskLink(tx: Tx, deskUrl: string, now: Date): Promise<string> {
  return deskLink(deskUrl, await inviteLocally(tx, LENDER, now))
}

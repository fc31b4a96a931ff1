import { consoleLink } from '../config/console-address.ts'
import { type Db, inTransaction, type Tx } from '../db/database.ts'
import { inviteLocally } from '../domain/console/people.ts'

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
  return consoleLink(baseUrl, await inviteLocally(tx, tenantId, now))
}

import { consoleLink } from '../config/console-address.ts'
import { type Db, inTransaction } from '../db/database.ts'
import { inviteLocally } from '../domain/console/people.ts'

export type LocalConsole = { tenantId: string; baseUrl: string }

/** Opens once, within 24 hours. */
export async function makeConsoleLink(
  db: Db,
  { tenantId, baseUrl }: LocalConsole,
  now: Date,
): Promise<string> {
  const token = await inTransaction(db, (tx) => inviteLocally(tx, tenantId, now))
  return consoleLink(baseUrl, token)
}

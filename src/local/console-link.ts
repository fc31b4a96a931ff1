import { consoleAddress } from '../config/console-address.ts'
import { type Db, inTransaction } from '../db/database.ts'
import { inviteLocally } from '../domain/console/people.ts'

export type LocalConsole = { tenantId: string; baseUrl: string }

/** Opens once, within 24 hours. The token is in the fragment, which browsers send nowhere. */
export async function makeConsoleLink(
  db: Db,
  { tenantId, baseUrl }: LocalConsole,
  now: Date,
): Promise<string> {
  const token = await inTransaction(db, (tx) => inviteLocally(tx, tenantId, now))
  return `${consoleAddress(baseUrl).origin}/console/#token=${token}`
}

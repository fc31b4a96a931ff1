import type { Tx } from '../../../db/database.ts'
import { findOperator, inviteOperator } from '../operators.ts'
import { inviteToDesk } from './invitations.ts'

const LOCAL = { email: 'operator@localhost', name: 'Local operator', role: 'admin' } as const

/** For a local stack: a link that signs its one operator in. Returns the token. */
export async function inviteLocalOperator(tx: Tx, now: Date): Promise<string> {
  const found = await findOperator(tx, LOCAL.email)
  const operator = found ?? (await inviteOperator(tx, LOCAL, now)).operator
  return await inviteToDesk(tx, operator, 'link', now)
}

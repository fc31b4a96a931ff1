import type { Tx } from '../../../db/database.ts'
import { deleteOperatorInvitations } from './invitation-queries.ts'
import { deleteOperatorPasskeys } from './passkey-queries.ts'
import { updateOperatorSessionsEnded } from './session-queries.ts'

/** Of a lost device, of someone who took it over, or of one who is removed. Passkeys first: who
 * signs in by one meanwhile has a session that ends next. */
export async function endAccess(tx: Tx, operatorId: string, now: Date): Promise<void> {
  await deleteOperatorInvitations(tx, operatorId)
  await deleteOperatorPasskeys(tx, operatorId)
  await updateOperatorSessionsEnded(tx, operatorId, now)
}

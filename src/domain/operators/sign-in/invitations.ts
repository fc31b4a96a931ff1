import { Refusal } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { addMs, HOUR_MS } from '../../../core/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { InvitationKind } from '../../../db/schema/console.ts'
import { newToken, parseToken } from '../../sign-in/tokens.ts'
import { lockOperator } from '../operator-queries.ts'
import { type Operator, toOperator } from '../operators.ts'
import { endAccess } from './end-access.ts'
import {
  deleteOperatorInvitations,
  insertOperatorInvitation,
  takeOperatorInvitation,
} from './invitation-queries.ts'
import { openOperatorSession } from './sessions.ts'

const VALID_MS = 24 * HOUR_MS
const PREFIX = 'opi'

/** Returns the token, which is stored nowhere. It opens one session, within 24 hours; invitations
 * that were made before end. */
export async function inviteToDesk(
  tx: Tx,
  { id: operatorId }: Operator,
  kind: InvitationKind,
  now: Date,
): Promise<string> {
  const { token, hash } = newToken(PREFIX)
  if (kind === 'invitation') await deleteOperatorInvitations(tx, operatorId)
  await insertOperatorInvitation(tx, {
    ...{ invitationId: newId('inv'), operatorId, kind, tokenHash: hash },
    ...{ createdAt: now, expiresAt: addMs(now, VALID_MS) },
  })
  return token
}

/** Opens a session and returns its token. After an invitation it is the operator's only one, and
 * they have no passkey. Refuses `link_invalid`, with one answer for links that are unknown, used or
 * expired; `allowsLinks` is true on a local stack. */
export async function redeemInvitation(
  tx: Tx,
  given: string,
  terms: { requestId: string; now: Date; allowsLinks: boolean },
): Promise<string> {
  const { requestId, now, allowsLinks } = terms
  const parsed = parseToken(given)
  const taken =
    parsed?.prefix === PREFIX ? await takeOperatorInvitation(tx, parsed.hash, now) : undefined
  if (!taken || (taken.kind === 'link' && !allowsLinks)) throw linkInvalid()
  const row = await lockOperator(tx, taken.operator_id)
  if (!row) throw linkInvalid()
  if (taken.kind === 'invitation') await endAccess(tx, taken.operator_id, now)
  return await openOperatorSession(tx, { operator: toOperator(row), now, requestId }, taken.kind)
}

function linkInvalid(): Refusal {
  return new Refusal('link_invalid', 'The link is not valid: each opens once, within 24 hours.')
}

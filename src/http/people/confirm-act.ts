import { Refusal } from '../../core/errors.ts'
import type { ChallengeFor } from '../../domain/people/challenges.ts'
import { countPasskeys } from '../../domain/people/passkeys.ts'
import { keyOf } from '../../domain/people/person.ts'
import type { Session } from '../../domain/people/sessions.ts'
import {
  type AuthenticationResponseJSON,
  type Ceremony,
  optionsToConfirm,
  type UsedPasskey,
  verifyUse,
} from '../../domain/people/webauthn.ts'
import type { DoorFrame } from './door.ts'

/** What a session alone is not enough for: each gives access that outlives it. */
export type ConfirmedAct = 'add_passkey' | 'invite' | 'create_token' | { revokeKey: string }

export function ceremonyOf({
  db,
  audience,
  relyingPartyId: id,
  origin,
  clock,
}: DoorFrame): Ceremony {
  return { db, audience, relyingParty: { id, origin }, now: clock() }
}

/** By a passkey of the person, if they have any; a token has no session and needs none. Refuses
 * `passkey_required`, `passkey_invalid`. */
export async function confirmAct(
  door: DoorFrame,
  session: Session | undefined,
  act: ConfirmedAct,
  response: AuthenticationResponseJSON | undefined,
): Promise<UsedPasskey | undefined> {
  if (!session) return undefined
  if (response) return await confirmBy(door, session, act, response)
  if ((await countPasskeys(door.db, keyOf(session))) === 0) return undefined
  throw new Refusal('passkey_required', 'Confirm with a passkey that you have.')
}

/** Refuses `passkey_invalid`. */
export async function confirmBy(
  door: DoorFrame,
  session: Session,
  act: ConfirmedAct,
  response: AuthenticationResponseJSON,
): Promise<UsedPasskey> {
  const given = { key: keyOf(session), wanted: confirmationOf(session, act) }
  return await verifyUse(ceremonyOf(door), response, given)
}

/** For the browser. Refuses `passkey_required` without a passkey. */
export async function startConfirmation(door: DoorFrame, session: Session, act: ConfirmedAct) {
  const wanted = confirmationOf(session, act)
  return { ...(await optionsToConfirm(ceremonyOf(door), keyOf(session), wanted)) }
}

function confirmationOf({ id, person }: Session, act: ConfirmedAct): ChallengeFor {
  const name = typeof act === 'string' ? act : `revoke_key/${act.revokeKey}`
  return { purpose: 'confirm', subject: `${person.id}/${id}/${name}` }
}

import { Refusal } from '../../core/errors.ts'
import {
  type ConfirmedAct,
  confirmationOf,
  countPasskeys,
  OPERATOR_PASSKEYS,
} from '../../domain/operators/sign-in/operator-passkeys.ts'
import type { OperatorSession } from '../../domain/operators/sign-in/sessions.ts'
import {
  type AuthenticationResponseJSON,
  type Ceremony,
  optionsToConfirm,
  type UsedPasskey,
  verifyUse,
} from '../../domain/sign-in/webauthn.ts'
import { assertionSchema } from '../browser/webauthn-schemas.ts'
import type { OperatorContext } from './operator-context.ts'

/** What someone with a passkey sends along, in a session. */
export const confirmation = assertionSchema
  .optional()
  .describe('In a session, by a passkey of your own; needed once you have one')

export function ceremonyOf({ config, db, clock }: OperatorContext): Ceremony<string> {
  const { origin, relyingPartyId: id } = config.desk
  return { db, store: OPERATOR_PASSKEYS, relyingParty: { id, origin }, now: clock() }
}

/** By a passkey of the operator, if they have any; a token needs none. Refuses `passkey_required`,
 * `passkey_invalid`. */
export async function confirmAct(
  context: OperatorContext,
  session: OperatorSession | undefined,
  act: ConfirmedAct,
  response: AuthenticationResponseJSON | undefined,
): Promise<UsedPasskey<string> | undefined> {
  if (!session) return undefined
  if (response) return await confirmBy(context, session, act, response)
  if ((await countPasskeys(context.db, session.person.id)) === 0) return undefined
  throw new Refusal('passkey_required', 'Confirm with a passkey that you have.')
}

/** Refuses `passkey_invalid`. */
export async function confirmBy(
  context: OperatorContext,
  session: OperatorSession,
  act: ConfirmedAct,
  response: AuthenticationResponseJSON,
): Promise<UsedPasskey<string>> {
  const given = { owner: session.person.id, wanted: confirmationOf(session, act) }
  return await verifyUse(ceremonyOf(context), response, given)
}

/** For the browser. Refuses `passkey_required` without a passkey. */
export async function startConfirmation(
  context: OperatorContext,
  session: OperatorSession,
  act: ConfirmedAct,
) {
  const wanted = confirmationOf(session, act)
  return { ...(await optionsToConfirm(ceremonyOf(context), session.person.id, wanted)) }
}

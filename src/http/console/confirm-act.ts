import { Refusal } from '../../core/errors.ts'
import { countPasskeys } from '../../domain/console/sign-in/passkeys.ts'
import type { ConsoleSession } from '../../domain/console/sign-in/sessions.ts'
import {
  type AuthenticationResponseJSON,
  type ConfirmedAct,
  type UsedPasskey,
  verifyConfirmation,
} from '../../domain/console/sign-in/webauthn.ts'
import type { RouteContext } from '../route-context.ts'
import { ceremonyOf } from './ceremony.ts'

/** By a passkey of the person, if they have any. Refuses `passkey_required`, `passkey_invalid`. */
export async function confirmAct(
  context: RouteContext,
  session: ConsoleSession,
  act: ConfirmedAct,
  response: AuthenticationResponseJSON | undefined,
): Promise<UsedPasskey | undefined> {
  if (response) return await verifyConfirmation(ceremonyOf(context), session, act, response)
  const { tenant, person } = session
  if ((await countPasskeys(context.db, tenant.id, person.id)) === 0) return undefined
  throw new Refusal('passkey_required', 'Confirm with a passkey that you have.')
}

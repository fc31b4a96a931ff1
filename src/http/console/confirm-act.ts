import { Refusal } from '../../core/errors.ts'
import { countPasskeys } from '../../domain/console/sign-in/passkeys.ts'
import {
  type ConfirmedAct,
  confirmationOf,
  holderOf,
  type TenantPerson,
} from '../../domain/console/sign-in/people-passkeys.ts'
import type { ConsoleSession } from '../../domain/console/sign-in/sessions.ts'
import {
  type AuthenticationResponseJSON,
  optionsToConfirm,
  type UsedPasskey,
  verifyUse,
} from '../../domain/sign-in/webauthn.ts'
import type { RouteContext } from '../route-context.ts'
import { ceremonyOf } from './ceremony.ts'

/** By a passkey of the person, if they have any. Refuses `passkey_required`, `passkey_invalid`. */
export async function confirmAct(
  context: RouteContext,
  session: ConsoleSession,
  act: ConfirmedAct,
  response: AuthenticationResponseJSON | undefined,
): Promise<UsedPasskey<TenantPerson> | undefined> {
  if (response) return await confirmBy(context, session, act, response)
  const { tenant, person } = session
  if ((await countPasskeys(context.db, tenant.id, person.id)) === 0) return undefined
  throw new Refusal('passkey_required', 'Confirm with a passkey that you have.')
}

/** Refuses `passkey_invalid`. */
export async function confirmBy(
  context: RouteContext,
  session: ConsoleSession,
  act: ConfirmedAct,
  response: AuthenticationResponseJSON,
): Promise<UsedPasskey<TenantPerson>> {
  const given = { owner: holderOf(session).owner, wanted: confirmationOf(session, act) }
  return await verifyUse(ceremonyOf(context), response, given)
}

/** For the browser. Refuses `passkey_required` without a passkey. */
export async function startConfirmation(
  context: RouteContext,
  session: ConsoleSession,
  act: ConfirmedAct,
) {
  const { owner } = holderOf(session)
  return {
    ...(await optionsToConfirm(ceremonyOf(context), owner, confirmationOf(session, act))),
  }
}

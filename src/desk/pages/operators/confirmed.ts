import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import { confirmBy } from '../../../console/sign-in/passkeys.ts'
import { asRequest, type Body, call, signInApi } from '../../data/operator-api.ts'

type Act = Body<'startConfirmation'>['act']

/** By a passkey, of an operator who has one: what is made outlives their session. */
export async function confirmation(
  act: Act,
): Promise<{ confirmation?: AuthenticationResponseJSON }> {
  const given = await confirmBy(signInApi, async () =>
    asRequest(await call('startConfirmation', { body: { act } })),
  )
  return given ? { confirmation: given } : {}
}

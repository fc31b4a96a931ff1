import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { queryClient, SESSION_KEY } from '../data/query-client.ts'
import type { SignInApi } from '../frame/application.ts'

const load = () => import('@simplewebauthn/browser')

export async function signInByPasskey(api: SignInApi) {
  const optionsJSON = await api.startPasskeySignIn()
  return api.signInByPasskey(await proveByPasskey(optionsJSON))
}

export async function proveByPasskey(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  const { startAuthentication } = await load()
  return startAuthentication({ optionsJSON }).catch(explain)
}

/** By a passkey, of a person who has one. */
export async function confirmBy(
  api: SignInApi,
  start: () => Promise<PublicKeyCredentialRequestOptionsJSON>,
) {
  const { items } = await api.listPasskeys()
  return items.length > 0 ? await proveByPasskey(await start()) : undefined
}

/** Asks for a passkey that the person has before it makes another. */
export async function addPasskey(api: SignInApi, name: string): Promise<void> {
  const confirmation = await confirmBy(api, api.startPasskeyConfirmation)
  const optionsJSON = await api.startPasskey()
  const { startRegistration } = await load()
  const response = await startRegistration({ optionsJSON }).catch(explain)
  await api.addPasskey({ name, response, ...(confirmation && { confirmation }) })
  await queryClient.invalidateQueries({ queryKey: SESSION_KEY })
  await queryClient.invalidateQueries({ queryKey: ['passkeys'] })
}

/** Browsers give one error for a person who cancels and for a passkey that is missing. */
function explain(error: unknown): never {
  if (error instanceof Error && error.name === 'NotAllowedError') {
    throw new Error('No passkey was given: it was cancelled, timed out, or none is on this device.')
  }
  if (error instanceof Error && error.name === 'InvalidStateError') {
    throw new Error('This device has a passkey of yours already.')
  }
  throw error
}

export function suggestPasskeyName(): string {
  const { userAgent } = navigator
  const system = ['Windows', 'Mac', 'Android', 'iPhone', 'iPad', 'Linux'].find((name) =>
    userAgent.includes(name),
  )
  const browser = ['Firefox', 'Edg', 'Chrome', 'Safari'].find((name) => userAgent.includes(name))
  return [browser === 'Edg' ? 'Edge' : browser, system].filter(Boolean).join(' on ') || 'Passkey'
}

import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { queryClient, SESSION_KEY } from '../data/query-client.ts'
import type { SignInApi } from '../frame/application.ts'

const load = () => import('@simplewebauthn/browser')

export async function signInByPasskey(api: SignInApi) {
  const optionsJSON = await api.startPasskeySignIn()
  return api.signInByPasskey(await proveByPasskey(optionsJSON))
}

async function proveByPasskey(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  const { startAuthentication } = await load()
  return startAuthentication({ optionsJSON }).catch(explain)
}

export async function addPasskey(api: SignInApi, name: string): Promise<void> {
  const optionsJSON = await api.startPasskey()
  const { startRegistration } = await load()
  const response = await startRegistration({ optionsJSON }).catch(explain)
  await api.addPasskey({ name, response })
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

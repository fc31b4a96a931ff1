import { consoleApi } from '../console-api.ts'
import { queryClient, SESSION_KEY } from '../query-client.ts'

const load = () => import('@simplewebauthn/browser')

export async function signInByPasskey() {
  const optionsJSON = await consoleApi.startPasskeySignIn()
  return consoleApi.signInByPasskey(await proveByPasskey(optionsJSON))
}

type RequestOptions = Awaited<ReturnType<typeof consoleApi.startPasskeySignIn>>

export async function proveByPasskey(optionsJSON: RequestOptions) {
  const { startAuthentication } = await load()
  return startAuthentication({ optionsJSON }).catch(explain)
}

/** By a passkey, of a person who has one. */
async function confirmBy(start: () => Promise<RequestOptions>) {
  const { items } = await consoleApi.listPasskeys()
  return items.length > 0 ? await proveByPasskey(await start()) : undefined
}

export const confirmInvitation = () => confirmBy(consoleApi.startInvitationConfirmation)

/** Asks for a passkey that the person has before it makes another. */
export async function addPasskey(name: string): Promise<void> {
  const confirmation = await confirmBy(consoleApi.startPasskeyConfirmation)
  const optionsJSON = await consoleApi.startPasskey()
  const { startRegistration } = await load()
  const response = await startRegistration({ optionsJSON }).catch(explain)
  await consoleApi.addPasskey({ name, response, ...(confirmation && { confirmation }) })
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

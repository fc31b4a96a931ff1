import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { createSender } from '../../client/request.ts'
import { bySession } from '../../client/session-client.ts'

export type Role = 'viewer' | 'developer' | 'admin'

export type ConsoleSession = {
  person: { id: string; email: string; name: string; role: Role }
  tenant: { id: string; name: string }
  stack: 'live' | 'sandbox'
  local: boolean
  scopes: string[]
  signed_in_by: 'link' | 'invitation' | 'passkey' | 'oidc'
  passkeys: number
  must_add_passkey?: boolean
  expires_at: string
}

export type ConsoleKey = {
  id: string
  name: string
  fingerprint: string
  scopes: string[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
}

export type Passkey = { id: string; name: string; created_at: string; last_used_at: string | null }

export type SignInWays = { passkeys: boolean; oidc: { name: string } | null; local: boolean }

const send = createSender({ baseUrl: `${location.origin}/console/api`, maxAttempts: 3 }, bySession)

/** What only the console has. */
export const consoleApi = {
  getSession: () => send('GET', '/session') as Promise<ConsoleSession>,
  getSignInWays: () => send('GET', '/sign-in') as Promise<SignInWays>,
  signInByLink: (token: string) =>
    send('POST', '/session/link', { body: { token } }) as Promise<ConsoleSession>,
  startPasskeySignIn: () =>
    send('POST', '/session/passkey/options') as Promise<PublicKeyCredentialRequestOptionsJSON>,
  signInByPasskey: (response: AuthenticationResponseJSON) =>
    send('POST', '/session/passkey', { body: { response } }) as Promise<ConsoleSession>,
  signOut: () => send('DELETE', '/session'),
  signOutEverywhere: () => send('DELETE', '/sessions'),
  startPasskey: () =>
    send('POST', '/passkeys/options') as Promise<PublicKeyCredentialCreationOptionsJSON>,
  addPasskey: (response: RegistrationResponseJSON, name: string) =>
    send('POST', '/passkeys', { body: { response, name } }),
  listPasskeys: () => send('GET', '/passkeys') as Promise<{ items: Passkey[] }>,
  removePasskey: (id: string) => send('DELETE', `/passkeys/${encodeURIComponent(id)}`),
  listKeys: () => send('GET', '/keys') as Promise<{ items: ConsoleKey[] }>,
}

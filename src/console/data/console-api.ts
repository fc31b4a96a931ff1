import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { createSender } from '../../client/request.ts'
import type { ChainedEvent, Delivery } from '../../client/resources/resources.ts'
import { bySession } from '../../client/session-client.ts'
import type { Page } from './pages.ts'

export type Role = 'viewer' | 'developer' | 'admin'

export type Person = {
  id: string
  email: string
  name: string
  role: Role
  created_at?: string
  last_seen_at?: string | null
  passkeys?: number
  state?: string
}

export type ConsoleSession = {
  person: { id: string; email: string; name: string; role: Role }
  tenant: { id: string; name: string }
  stack: 'live' | 'sandbox'
  local: boolean
  scopes: string[]
  signed_in_by: 'link' | 'invitation' | 'passkey' | 'oidc'
  passkeys: number
  must_add_passkey: boolean
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

export type LtvPoint = { at: string; ltv: string; debt_usd: string; collateral_usd: string }

export type ApiRequest = {
  id: string
  received_at: string
  method: string
  path: string
  status: number
  code: string | null
  key_id: string | null
  duration_ms: number
  idempotency_key: string | null
  resource_id: string | null
}

export type ApiRequestDetails = ApiRequest & {
  query?: Record<string, string>
  answer?: unknown
  string_to_sign?: string
  sent?: Record<string, string>
}

export type Action = {
  id: string
  at: string
  /** Null where the operator acted. */
  person: { id: string; name: string; email: string } | null
  action: string
  subject_id: string | null
  request_id: string | null
}

export type NewKey = {
  name: string
  public_key_pem: string
  scopes: readonly string[]
  expires_at?: string
}

type Query = Readonly<Record<string, string | number | undefined>>

const send = createSender({ baseUrl: `${location.origin}/console/api`, maxAttempts: 3 }, bySession)

const read = <Answer>(path: string, query: Query = {}, signal?: AbortSignal) =>
  send('GET', path, { query, ...(signal && { signal }) }) as Promise<Answer>
const post = <Answer>(path: string, body?: unknown) =>
  send('POST', path, { body }) as Promise<Answer>
const at = (id: string) => encodeURIComponent(id)

/** What only the console has. */
export const consoleApi = {
  getSession: () => read<ConsoleSession>('/session'),
  getSignInWays: () => read<SignInWays>('/sign-in'),
  signInByLink: (token: string) => post<ConsoleSession>('/session/link', { token }),
  startPasskeySignIn: () => post<PublicKeyCredentialRequestOptionsJSON>('/session/passkey/options'),
  signInByPasskey: (response: AuthenticationResponseJSON) =>
    post<ConsoleSession>('/session/passkey', { response }),
  signOut: () => send('DELETE', '/session'),
  signOutEverywhere: () => send('DELETE', '/sessions'),

  listPasskeys: () => read<{ items: Passkey[] }>('/passkeys'),
  startPasskey: () => post<PublicKeyCredentialCreationOptionsJSON>('/passkeys/options'),
  addPasskey: (response: RegistrationResponseJSON, name: string) =>
    post<Passkey>('/passkeys', { response, name }),
  removePasskey: (id: string) => send('DELETE', `/passkeys/${at(id)}`),

  listKeys: () => read<{ items: ConsoleKey[] }>('/keys'),
  createKey: (key: NewKey) => post<ConsoleKey>('/keys', key),
  startKeyRevocation: (id: string) =>
    post<PublicKeyCredentialRequestOptionsJSON>(`/keys/${at(id)}/revoke/options`),
  revokeKey: (id: string, response: AuthenticationResponseJSON | undefined) =>
    post<ConsoleKey>(`/keys/${at(id)}/revoke`, response ? { response } : {}),

  listPeople: () => read<{ items: Person[] }>('/people'),
  invitePerson: (person: { email: string; name: string; role: Role }) =>
    post<{ person: Person; invitation_url: string }>('/people', person),
  changePerson: (id: string, role: Role) =>
    send('PATCH', `/people/${at(id)}`, { body: { role } }) as Promise<Person>,
  removePerson: (id: string) => send('DELETE', `/people/${at(id)}`),
  listActions: (query: Query, signal?: AbortSignal) =>
    read<Page<Action>>('/actions', query, signal),

  listRequests: (query: Query, signal?: AbortSignal) =>
    read<Page<ApiRequest>>('/requests', query, signal),
  getRequest: (id: string) => read<ApiRequestDetails>(`/requests/${at(id)}`),
  listDeliveries: (query: Query, signal?: AbortSignal) =>
    read<Page<Delivery>>('/deliveries', query, signal),
  listLtv: (facilityId: string, from: string, signal: AbortSignal) =>
    read<{ items: LtvPoint[] }>(`/facilities/${at(facilityId)}/ltv`, { from }, signal),
  listEvents: (query: Query, signal?: AbortSignal) =>
    read<Page<ChainedEvent>>('/events', query, signal),
}

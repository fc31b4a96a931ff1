import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { createCallTo, type InputOf } from '../../client/call.ts'
import type { AnswerOf, BodyOf } from '../../client/operation-types.ts'
import { createSender } from '../../client/request.ts'
import type { ChainedEvent } from '../../client/resources/resources.ts'
import { bySession, createSessionClient } from '../../client/session-client.ts'
import type { Page } from '../../pages/data/lists.ts'
import { live } from '../../pages/data/query-client.ts'
import { createConfirmedFetch } from '../../pages/data/session-fetch.ts'
import type { PersonSession } from '../../pages/frame/application.ts'
import { usePersonSession } from '../../pages/sign-in/session.ts'
import { ROUTES } from '../generated/console-routes.ts'
import type { components, operations } from '../generated/console-types.ts'

type Schemas = components['schemas']
type Answer<Id extends keyof operations> = AnswerOf<operations[Id]>

export type ConsoleSession = Schemas['Session']

export const asSession = (session: PersonSession) => session as ConsoleSession
export type Role = ConsoleSession['person']['role']
export type Person = Schemas['ListedPerson']
export type ConsoleKey = Schemas['Key']
export type NewKey = BodyOf<operations['createKey']>
export type Action = Schemas['Action']

export type ApiRequest = Answer<'listRequests'>['items'][number]
export type ApiRequestDetails = Answer<'getRequest'>

export type LtvPoint = Answer<'readLtvHistory'>['items'][number]

type Query = Readonly<Record<string, string | number | undefined>>

/** The routes of the document are those of the whole origin. */
const send = createSender(
  { baseUrl: location.origin, fetch: createConfirmedFetch('/console/api'), maxAttempts: 3 },
  bySession,
)
const call = createCallTo<operations>(ROUTES, send)

type ListId = 'listActions' | 'listRequests' | 'listTenantDeliveries' | 'listNewestEvents'

/** Filters come from the page's address: the service refuses those that it does not allow. */
const list = <Id extends ListId>(id: Id, query: Query, signal?: AbortSignal) =>
  call(id, { query, ...(signal && { signal }) } as unknown as InputOf<operations[Id]>)

/** The document describes what authenticators exchange by its challenge alone. */
const asBody = <Id extends keyof operations>(_id: Id, body: unknown) =>
  body as BodyOf<operations[Id]>

/** What only the console has. */
export const consoleApi = {
  getSession: () => call('getSession', {}),
  getNotifications: () => call('getNotifications', {}),
  setNotifications: (isOn: boolean) => call('setNotifications', { body: { failure_mails: isOn } }),
  getSignInWays: () => call('getSignInWays', {}),
  signInByLink: (token: string) => call('signInByLink', { body: { token } }),
  startPasskeySignIn: async () =>
    (await call('startPasskeySignIn', {})) as unknown as PublicKeyCredentialRequestOptionsJSON,
  signInByPasskey: (response: AuthenticationResponseJSON) =>
    call('signInByPasskey', { body: asBody('signInByPasskey', { response }) }),
  listNotices: (before: string) => call('listNotices', { query: { before } }),
  markNoticesSeen: (until: string) => call('markNoticesSeen', { body: { until } }),
  refuseLink: () => call('refuseLink', {}),
  signOut: () => call('signOut', {}),
  signOutEverywhere: () => call('signOutEverywhere', {}),

  listPasskeys: () => call('listPasskeys', {}),
  startPasskey: async () =>
    (await call('startPasskey', {})) as unknown as PublicKeyCredentialCreationOptionsJSON,
  addPasskey: (passkey: { name: string; response: RegistrationResponseJSON }) =>
    call('addPasskey', { body: asBody('addPasskey', passkey) }),
  removePasskey: (id: string) => call('removePasskey', { path: { id } }),
  getOwnAddress: () => call('getOwnAddress', {}),
  mailAddressLink: () => call('mailAddressLink', {}),
  confirmAddress: (token: string) => call('confirmAddress', { body: { token } }),

  listChecks: (borrowerId: string) => call('listChecks', { path: { id: borrowerId } }),
  listNames: (query: { of?: string; begins?: string }) => call('listNames', { query }),
  listKeys: () => call('listKeys', {}),
  createKey: (key: NewKey) => call('createKey', { body: key }),
  revokeKey: (id: string) => call('revokeKey', { path: { id } }),

  listPeople: () => call('listPeople', {}),
  invitePerson: (person: BodyOf<operations['invitePerson']>) =>
    call('invitePerson', { body: person }),
  invitePersonAgain: (id: string) => call('invitePersonAgain', { path: { id } }),
  changePerson: (id: string, role: Role) => call('changePerson', { path: { id }, body: { role } }),
  removePerson: (id: string) => call('removePerson', { path: { id } }),
  listActions: (query: Query, signal?: AbortSignal) => list('listActions', query, signal),
  listRequests: (query: Query, signal?: AbortSignal) => list('listRequests', query, signal),
  getRequest: (id: string) => call('getRequest', { path: { id } }),
  listDeliveries: (query: Query, signal?: AbortSignal) =>
    list('listTenantDeliveries', query, signal),
  listEvents: async (query: Query, signal?: AbortSignal) =>
    (await list('listNewestEvents', query, signal)) as unknown as Page<ChainedEvent>,
  listLtv: (facilityId: string, from: string, signal: AbortSignal) =>
    call('readLtvHistory', { path: { id: facilityId }, query: { from }, signal }),
  locateDraw: (id: string) => call('locateDraw', { path: { id } }),
  locateRepayment: (id: string) => call('locateRepayment', { path: { id } }),
  listPriceChanges: (asset: string, signal: AbortSignal) =>
    call('listPriceChanges', { path: { asset }, signal }),
}

/** The operations of /v1, for the person who is signed in. */
export const service = createSessionClient({
  baseUrl: `${location.origin}/console`,
  fetch: createConfirmedFetch('/console/api'),
  maxAttempts: 3,
})

/** The session of the person who is signed in: the shell's pages are drawn for no others. */
export function useSession(): ConsoleSession {
  return usePersonSession() as ConsoleSession
}

export const KEYS = live('keys')
export const PEOPLE = ['people']

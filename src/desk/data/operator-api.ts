import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { createCallTo, type InputOf } from '../../client/call.ts'
import type { AnswerOf, BodyOf } from '../../client/operation-types.ts'
import { createSender } from '../../client/request.ts'
import { bySession } from '../../client/session-client.ts'
import { createConfirmedFetch } from '../../pages/data/session-fetch.ts'
import type { SignInApi } from '../../pages/frame/application.ts'
import { usePersonSession } from '../../pages/sign-in/session.ts'
import { ROUTES } from '../generated/operator-routes.ts'
import type { components, operations } from '../generated/operator-types.ts'

export type Schemas = components['schemas']
export type OperationId = keyof operations
export type Answer<Id extends OperationId> = AnswerOf<operations[Id]>
export type Body<Id extends OperationId> = BodyOf<operations[Id]>

export type DeskSession = Schemas['DeskSession']

/** An operation of the operator API by its `operationId`, with a key for what changes something. */
export const call = createCallTo<operations>(
  ROUTES,
  createSender(
    {
      baseUrl: location.origin,
      fetch: createConfirmedFetch('/operator/v1'),
      maxAttempts: 3,
    },
    bySession,
  ),
)

type Query = Readonly<Record<string, string | number | undefined>>

/** Filters come from the page's address: the service refuses those that it does not allow. */
export const list = <Id extends OperationId>(id: Id, query: Query, signal?: AbortSignal) =>
  call(id, { query, ...(signal && { signal }) } as unknown as InputOf<operations[Id]>)

/** The document describes what authenticators exchange by its challenge alone. */
export const asBody = <Id extends OperationId>(_id: Id, body: unknown) => body as Body<Id>
type Request = PublicKeyCredentialRequestOptionsJSON
const asRequest = (options: unknown) => options as Request

export const signInApi: SignInApi = {
  getSession: () => call('getSession', {}),
  getSignInWays: () => call('getSignInWays', {}),
  signInByLink: (token) => call('signInByLink', { body: { token } }),
  startPasskeySignIn: async () => asRequest(await call('startPasskeySignIn', {})),
  signInByPasskey: (response) =>
    call('signInByPasskey', { body: asBody('signInByPasskey', { response }) }),
  listNotices: (before) => call('listNotices', { query: { before } }),
  markNoticesSeen: (until) => call('markNoticesSeen', { body: { until } }),
  refuseLink: () => call('refuseLink', {}),
  signOut: () => call('signOut', {}),
  signOutEverywhere: () => call('signOutEverywhere', {}),
  listPasskeys: () => call('listPasskeys', {}),
  startPasskey: async () =>
    (await call('startPasskey', {})) as unknown as PublicKeyCredentialCreationOptionsJSON,
  addPasskey: (passkey) => call('addPasskey', { body: asBody('addPasskey', passkey) }),
  removePasskey: (id) => call('removePasskey', { path: { id } }),
  getOwnAddress: () => call('getOwnAddress', {}),
  mailAddressLink: () => call('mailAddressLink', {}),
  confirmAddress: (token) => call('confirmAddress', { body: { token } }),
}

/** The session of the operator who is signed in: the shell's pages are drawn for no others. */
export function useSession(): DeskSession {
  return usePersonSession() as DeskSession
}

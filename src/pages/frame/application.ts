import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import type { Icon } from '@tabler/icons-react'
import { createContext, use } from 'react'
import type { ReadNames } from '../parts/values.tsx'

/** Who is signed in, as both applications know it. */
export type PersonSession = {
  person: { id: string; email: string; name: string; role: string }
  stack: 'live' | 'sandbox'
  /** The version, and in an image its commit and date. */
  build: string
  must_add_passkey: boolean
  signed_in_by: string
  passkeys: number
  replaced_at: string | null
} & NoticePage

/** What was done to the account, newest first, and how many are older than these. */
export type NoticePage = {
  notices: readonly { action: string; about: string | null; by: string | null; at: string }[]
  notices_more: number
}

export type Passkey = { id: string; name: string; created_at: string; last_used_at: string | null }

/** By which people sign in, and manage how. */
export type SignInApi = {
  getSession(): Promise<PersonSession>
  getSignInWays(): Promise<{ oidc: { name: string } | null; local: boolean }>
  signInByLink(token: string): Promise<PersonSession>
  startPasskeySignIn(): Promise<PublicKeyCredentialRequestOptionsJSON>
  signInByPasskey(response: AuthenticationResponseJSON): Promise<PersonSession>
  listNotices(before: string): Promise<NoticePage>
  markNoticesSeen(until: string): Promise<unknown>
  refuseLink(): Promise<unknown>
  signOut(): Promise<unknown>
  signOutEverywhere(): Promise<unknown>
  listPasskeys(): Promise<{ items: Passkey[] }>
  startPasskey(): Promise<PublicKeyCredentialCreationOptionsJSON>
  addPasskey(passkey: { name: string; response: RegistrationResponseJSON }): Promise<unknown>
  removePasskey(id: string): Promise<unknown>
  getOwnAddress(): Promise<{ available: boolean; email: string; confirmed: boolean }>
  mailAddressLink(): Promise<unknown>
  confirmAddress(token: string): Promise<unknown>
}

/** In what the console and the desk differ, for what they share. */
export type Application = {
  /** After the title of each page. */
  name: string
  icon: string
  api: SignInApi
  /** Where the browser goes to sign in by the identity provider. */
  oidcStart: string
  /** Prints a link on a local stack. */
  linkCommand: string
  /** To someone who cannot sign in yet. */
  howToJoin: string
  /** Beside the mark, above the menu. */
  titleOf(session: PersonSession): string
  /** A scope of the console, or an act of the desk. */
  allows(session: PersonSession, what: string): boolean
  navigation: readonly NavigationGroup[]
  /** The page that shows what an id names, by the id's prefix. */
  idPages: Readonly<Record<string, (id: string) => string>>
  readNames: ReadNames
  /** Texts that find a page, besides ids of the API and names of pages. */
  names: string
  /** Pages of what is called so, or begins so. */
  suggest(text: string): Promise<readonly FoundPage[]>
}

export type FoundPage = { name: string; about: string; to: string }

const Context = createContext<Application | undefined>(undefined)

export const ApplicationProvider = Context.Provider

export function useApplication(): Application {
  const application = use(Context)
  if (!application) throw new Error('There is no application.')
  return application
}

export function usePageOfId(): (id: string) => string | undefined {
  const { idPages } = useApplication()
  return (id) => idPages[id.slice(0, id.indexOf('_'))]?.(encodeURIComponent(id))
}

export type NavigationEntry = {
  to: string
  label: string
  icon: Icon
  /** Left out for a person without this scope, or act. */
  scope?: string
  /** Left out on the live stack. */
  sandboxOnly?: true
}

export type NavigationGroup = { label?: string; entries: readonly NavigationEntry[] }

/** Filters live in the address, as plain text. */
export type Search = Record<string, string>

/** For a router: each filter is a parameter, and an empty one is left out. */
export const plainSearch = {
  parseSearch: (text: string): Search => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Record<string, unknown>): string => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
}

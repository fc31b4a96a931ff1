import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ProblemError } from '../../client/problem-error.ts'

export const SESSION_KEY = ['session']
/** The ways to sign in. */
export const WAYS_KEY = ['sign-in']

/** They belong to no person: a read that is under way when a session ends goes on. */
const OF_NO_PERSON: ReadonlySet<unknown> = new Set([...SESSION_KEY, ...WAYS_KEY])

/** Of a cookie that opens no session, and of none at the operator API. */
const ENDED: ReadonlySet<string> = new Set(['session_required', 'token_required'])

export const isSessionEnded = (error: unknown) =>
  error instanceof ProblemError && error.status === 401 && ENDED.has(error.code)

/** A failed read is repeated after this time, unless the service has refused it. */
const AGAIN_MS = 5_000

const isPassing = (error: unknown) =>
  error !== null && !(error instanceof ProblemError && error.status < 500)

/** The client retries by itself, as the API asks. A browser may say that it is offline while the service is
 * reached, on its own machine or network, so nothing waits for its word. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      ...{ networkMode: 'always', retry: false, staleTime: 5_000 },
      ...{ refetchOnWindowFocus: true, refetchOnReconnect: true },
      refetchInterval: ({ state: { error } }) => (isPassing(error) ? AGAIN_MS : false),
    },
    mutations: { networkMode: 'always', retry: false, onError: endSession },
  },
  queryCache: new QueryCache({ onError: endSession }),
})

function endSession(error: unknown): void {
  if (isSessionEnded(error)) queryClient.setQueryData(SESSION_KEY, null)
}

/** What another person has read is not theirs. */
export function forgetOthers(session: { person: { id: string } } | null): void {
  const known = queryClient.getQueryData<typeof session>(SESSION_KEY)
  if (session !== null && known?.person.id === session.person.id) return
  queryClient.removeQueries({ predicate: ({ queryKey }) => !OF_NO_PERSON.has(queryKey[0]) })
}

const LIVE = 'live'

/** Key of a query that is read again when an event arrives. */
export const live = (...parts: readonly unknown[]) => [LIVE, ...parts]

import { useQuery } from '@tanstack/react-query'
import { type ConsoleSession, consoleApi } from './console-api.ts'
import { isSessionEnded, queryClient, SESSION_KEY } from './query-client.ts'

/** null without a session. */
export function useSessionQuery() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: () =>
      consoleApi.getSession().catch((error: unknown) => {
        if (isSessionEnded(error)) return null
        throw error
      }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Of the person who is signed in: the shell's pages are drawn for no others. */
export function useSession(): ConsoleSession {
  const { data } = useSessionQuery()
  if (!data) throw new Error('There is no session.')
  return data
}

export function useCan(scope: string): boolean {
  return (useSession().scopes as readonly string[]).includes(scope)
}

export function keepSession(session: ConsoleSession | null): void {
  // What another person has read is not theirs.
  if (session === null)
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
  queryClient.setQueryData(SESSION_KEY, session)
}

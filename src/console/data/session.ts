import { useQuery } from '@tanstack/react-query'
import { type ConsoleSession, consoleApi } from './console-api.ts'
import { forgetOthers, isSessionEnded, queryClient, SESSION_KEY } from './query-client.ts'

/** null without a session. */
export function useSessionQuery() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      const session = await readSession()
      if (!signal.aborted) forgetOthers(session)
      return session
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Another tab may have signed someone else in.
    refetchOnWindowFocus: 'always',
  })
}

async function readSession(): Promise<ConsoleSession | null> {
  try {
    return await consoleApi.getSession()
  } catch (error) {
    if (isSessionEnded(error)) return null
    throw error
  }
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

/** An answer that is still under way is of before, and would undo this. */
export async function keepSession(session: ConsoleSession | null): Promise<void> {
  await queryClient.cancelQueries({ queryKey: SESSION_KEY })
  forgetOthers(session)
  queryClient.setQueryData(SESSION_KEY, session)
}

import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { forgetOthers, isSessionEnded, queryClient, SESSION_KEY } from '../data/query-client.ts'
import { type PersonSession, type SignInApi, useApplication } from '../frame/application.ts'

/** null without a session. */
export function useSessionQuery() {
  const { api } = useApplication()
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      const session = await readSession(api)
      if (!signal.aborted) forgetOthers(session)
      return session
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Another tab may have signed someone else in.
    refetchOnWindowFocus: 'always',
  })
}

async function readSession(api: SignInApi): Promise<PersonSession | null> {
  try {
    return await api.getSession()
  } catch (error) {
    if (isSessionEnded(error)) return null
    throw error
  }
}

const Context = createContext<PersonSession | undefined>(undefined)

/** Gives the pages their session: what is still drawn while a session ends goes on with its own. */
export const PersonSessionProvider = Context.Provider

/** The session of the person who is signed in: the shell's pages are drawn for no others. */
export function usePersonSession(): PersonSession {
  const session = use(Context)
  if (!session) throw new Error('There is no session.')
  return session
}

/** `what`: a scope of the console, or an act of the desk. */
export function useCan(what: string): boolean {
  return useApplication().allows(usePersonSession(), what)
}

/** An answer that is still under way is of before, and would undo this. */
export async function keepSession(session: PersonSession | null): Promise<void> {
  await queryClient.cancelQueries({ queryKey: SESSION_KEY })
  forgetOthers(session)
  queryClient.setQueryData(SESSION_KEY, session)
}

import { usePersonSession } from '../sign-in/session.ts'
import type { ConsoleSession } from './console-api.ts'

/** Of the person who is signed in: the shell's pages are drawn for no others. */
export function useSession(): ConsoleSession {
  return usePersonSession() as ConsoleSession
}

import { usePersonSession } from '../../console/sign-in/session.ts'
import type { DeskSession } from './operator-api.ts'

/** Of the operator who is signed in: the shell's pages are drawn for no others. */
export function useSession(): DeskSession {
  return usePersonSession() as DeskSession
}

import { createSessionClient } from '../../client/session-client.ts'

/** The operations of /v1, for the person who is signed in. */
export const service = createSessionClient({
  baseUrl: `${location.origin}/console`,
  maxAttempts: 3,
})

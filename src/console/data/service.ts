import { createSessionClient } from '../../client/session-client.ts'
import { attendedFetch } from './attended-fetch.ts'

/** The operations of /v1, for the person who is signed in. */
export const service = createSessionClient({
  baseUrl: `${location.origin}/console`,
  fetch: attendedFetch,
  maxAttempts: 3,
})

import { createSessionClient } from '../../client/session-client.ts'
import { createConfirmedFetch } from './confirmed-fetch.ts'

/** The operations of /v1, for the person who is signed in. */
export const service = createSessionClient({
  baseUrl: `${location.origin}/console`,
  fetch: createConfirmedFetch('/console/api'),
  maxAttempts: 3,
})

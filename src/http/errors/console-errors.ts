import type { ErrorEntries } from './error-entry.ts'

/** Refusals of the console, which no program of a tenant meets. */
export const CONSOLE_ERRORS = {
  session_required: {
    status: 401,
    title: 'Session Required',
    cause:
      'The request has no session, or its session has ended: signed out, idle for 12 hours, or 7 days old.',
    cure: 'Sign in to the console.',
  },
  link_invalid: {
    status: 401,
    title: 'Link Invalid',
    cause:
      'The link is unknown, was used before, or is older than 24 hours. The answer is the same for all of these on purpose.',
    cure: 'Ask for a new invitation, or for another link that confirms your address; on a local stack run npm run console.',
  },
  cross_origin: {
    status: 403,
    title: 'Cross Origin',
    cause:
      'A page of another origin sent the request, nothing proves that a page of this origin did, or its Host is not that of the console.',
    cure: 'Use the console at its own address. Behind a proxy, PUBLIC_URL must be the address that people open.',
  },
  passkey_required: {
    status: 403,
    title: 'Passkey Required',
    cause:
      'The operation needs a passkey: the session began with an invitation and has none yet, or the act asks for it again.',
    cure: 'Add a passkey, or confirm the act with it.',
  },
  passkey_invalid: {
    status: 403,
    title: 'Passkey Invalid',
    cause:
      'The passkey is not known here, or its answer does not verify: it is for another act or person, was used before, or came after 5 minutes.',
    cure: 'Try again. If the passkey is lost, ask an admin for a new invitation.',
  },
  link_waiting: {
    status: 409,
    title: 'Link Waiting',
    cause:
      'You came by a new link that replaces what its person signed in with before. For 24 hours after it was made it can be refused, so what outlives a session waits until then.',
    cure: 'Try again at the time that the detail names.',
  },
  already_exists: {
    status: 409,
    title: 'Already Exists',
    cause: 'There is such a key, passkey or person already.',
    cure: 'Use the one that exists; the detail names it.',
  },
  last_admin: {
    status: 409,
    title: 'Last Admin',
    cause: 'The tenant would have no admin left.',
    cure: 'Make another person an admin first.',
  },
  oidc_refused: {
    status: 403,
    title: 'OIDC Refused',
    cause:
      'The OIDC provider refused, its answer does not verify, or the console knows no person of that identity.',
    cure: 'Try again in the same browser. Ask an admin for an invitation to the address that the provider has verified.',
  },
} as const satisfies ErrorEntries

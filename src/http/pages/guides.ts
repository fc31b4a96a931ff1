/** The pages of docs/ that are served under /docs/guides, in the order in which they are listed. */
export const GUIDES = [
  {
    name: 'start',
    title: 'Getting started',
    summary: 'From a key pair to a first loan and a first event',
  },
  {
    name: 'signing',
    title: 'Signing requests',
    summary: 'The string to sign, refusals and their cures, test vectors',
  },
  {
    name: 'requests',
    title: 'Requests and limits',
    summary: 'Idempotency, rate limits, lists, and the form of money and time',
  },
  {
    name: 'errors',
    title: 'Errors',
    summary: 'The problem object, and what to do about each status',
  },
  {
    name: 'webhooks',
    title: 'Receiving webhooks',
    summary: 'Verifying a delivery, retries, replay, test vectors',
  },
  {
    name: 'events',
    title: 'Events',
    summary: 'The envelope, the order of events, and when each one fires',
  },
  {
    name: 'events-facilities',
    title: 'Events of borrowers and facilities',
    summary: 'Their members, with an example of each',
  },
  {
    name: 'events-money',
    title: 'Events of draws and repayments',
    summary: 'Their members, with an example of each',
  },
  {
    name: 'events-margin',
    title: 'Events of margin',
    summary: 'Of warnings and margin calls, with an example of each',
  },
  {
    name: 'margin',
    title: 'The margin ladder',
    summary: 'When a loan is warned about, how a warning is cured, what is sold',
  },
  {
    name: 'sandbox',
    title: 'The sandbox',
    summary: 'Its controls, and a story to play for each',
  },
  {
    name: 'client',
    title: 'The client library',
    summary: 'Every operation typed, signed and retried, in TypeScript',
  },
  {
    name: 'svc',
    title: 'The command line',
    summary: 'The commands, credentials, output and exit codes of svc',
  },
] as const

export type GuideName = (typeof GUIDES)[number]['name']

/** Where a guide is served. */
export function guidePath(name: GuideName): string {
  return `/docs/guides/${name}`
}

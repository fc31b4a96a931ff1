import type { ConsoleWorld } from './world.ts'

export type ConsolePage = {
  name: string
  path: (world: ConsoleWorld) => string
  /** The page is drawn when this heading is there. */
  heading: string | RegExp
}

/** Every page that the pictures show and that axe reads. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  { name: 'overview', path: () => '/', heading: 'Overview' },
  { name: 'keys', path: () => '/keys', heading: 'Keys' },
  { name: 'key', path: ({ keyId }) => `/keys/${keyId}`, heading: 'test' },
  { name: 'requests', path: () => '/requests', heading: 'Requests' },
  {
    name: 'request',
    path: ({ refusedRequestId }) => `/requests/${refusedRequestId}`,
    heading: 'GET /v1/documents',
  },
  { name: 'events', path: () => '/events', heading: 'Events' },
  { name: 'event', path: ({ eventId }) => `/events/${eventId}`, heading: 'draw.completed' },
  { name: 'webhooks', path: () => '/webhooks', heading: 'Webhooks' },
  { name: 'webhook', path: ({ webhookId }) => `/webhooks/${webhookId}`, heading: 'Production' },
  { name: 'deliveries', path: () => '/deliveries', heading: 'Deliveries' },
  {
    name: 'delivery',
    path: ({ failingWebhookId, eventId }) => `/deliveries/${failingWebhookId}/${eventId}`,
    heading: 'draw.completed',
  },
  { name: 'borrowers', path: () => '/borrowers', heading: 'Borrowers' },
  {
    name: 'borrower',
    path: ({ borrowerId }) => `/borrowers/${borrowerId}`,
    heading: /bor_|Borrower/,
  },
  { name: 'facilities', path: () => '/facilities', heading: 'Facilities' },
  {
    name: 'facility',
    path: ({ facilityId }) => `/facilities/${facilityId}`,
    heading: /fac_|Facility/,
  },
  { name: 'margin', path: () => '/margin', heading: /Margin/ },
  { name: 'sandbox', path: () => '/sandbox', heading: /Sandbox/ },
  { name: 'people', path: () => '/people', heading: 'People' },
  { name: 'actions', path: () => '/actions', heading: 'Actions' },
  { name: 'passkeys', path: () => '/passkeys', heading: 'Passkeys' },
  { name: 'missing', path: () => '/nothing-here', heading: 'No such page' },
]

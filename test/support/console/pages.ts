import type { Page } from 'playwright-core'
import type { ConsoleWorld } from './world.ts'

export type PageUnderTest = {
  name: string
  path: (world: ConsoleWorld) => string
  /** The page is drawn when this heading is there. */
  heading: string | RegExp
  /** Opens a dialog of the page. */
  act?: (page: Page) => Promise<void>
}

/** Opens the dialog of a button. */
export const press =
  (name: string | RegExp, dialog: string | RegExp): NonNullable<PageUnderTest['act']> =>
  async (page) => {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog', { name: dialog }).waitFor()
  }

/** Every page that the pictures show and that axe reads. */
export const CONSOLE_PAGES: readonly PageUnderTest[] = [
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
  ...['draws', 'repayments', 'margin', 'statement', 'preview'].map((tab) => ({
    name: `facility-${tab}`,
    path: ({ warnedId }: ConsoleWorld) => `/facilities/${warnedId}?tab=${tab}`,
    heading: 'Facility',
  })),
  { name: 'margin', path: () => '/margin', heading: /Margin/ },
  { name: 'sandbox', path: () => '/sandbox', heading: /Sandbox/ },
  { name: 'people', path: () => '/people', heading: 'People' },
  { name: 'actions', path: () => '/actions', heading: 'Actions' },
  { name: 'passkeys', path: () => '/passkeys', heading: 'Passkeys' },
  {
    name: 'find-dialog',
    path: () => '/',
    heading: 'Overview',
    act: press(/^Find by id/, 'Find'),
  },
  {
    name: 'key-dialog',
    path: () => '/keys',
    heading: 'Keys',
    act: press('Make a key', 'Make a key'),
  },
  {
    name: 'webhook-dialog',
    path: () => '/webhooks',
    heading: 'Webhooks',
    act: press('Register a webhook', 'Register a webhook'),
  },
  {
    name: 'resend-dialog',
    path: ({ failingWebhookId }) => `/webhooks/${failingWebhookId}`,
    heading: 'Staging',
    act: press('Resend failed', 'Resend failed deliveries'),
  },
  {
    name: 'person-dialog',
    path: () => '/people',
    heading: 'People',
    act: press('Invite a person', 'Invite a person'),
  },
  {
    name: 'portfolio-dialog',
    path: ({ borrowerId }) => `/borrowers/${borrowerId}`,
    heading: /bor_|Borrower/,
    act: press('Push a portfolio', /Push/),
  },
  {
    name: 'repayment-dialog',
    path: ({ facilityId, repaymentId }) =>
      `/facilities/${facilityId}?tab=repayments&repayment=${repaymentId}`,
    heading: 'Facility',
    act: (page) => page.getByRole('dialog', { name: 'Repayment' }).waitFor(),
  },
  { name: 'missing', path: () => '/nothing-here', heading: 'No such page' },
]

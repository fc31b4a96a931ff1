import { type PageUnderTest, press } from './pages.ts'

/** Every page of the desk that the pictures show and that axe reads. */
export const DESK_PAGES: readonly PageUnderTest[] = [
  { name: 'book', path: () => '/', heading: 'Book' },
  {
    name: 'book-facilities',
    path: () => '/book/facilities?figure=warnings',
    heading: 'Open warnings',
  },
  { name: 'margin', path: () => '/margin', heading: 'Margin' },
  {
    name: 'margin-warning',
    path: ({ tenantId, warnedId }) => `/margin/${tenantId}/${warnedId}/warnings/1`,
    heading: 'Warning 1',
  },
  { name: 'margin-calls', path: () => '/margin/calls?status=ended', heading: 'Margin calls' },
  { name: 'holds', path: () => '/margin/holds', heading: 'Holds' },
  {
    name: 'margin-call',
    path: ({ sold }) => `/margin/${sold.tenantId}/${sold.facilityId}/calls/1`,
    heading: 'Margin call 1',
  },
  {
    name: 'margin-facility',
    path: ({ sold }) => `/margin/${sold.tenantId}/${sold.facilityId}`,
    heading: 'Facility',
    act: (page) => page.getByRole('list', { name: 'Timeline' }).waitFor(),
  },
  {
    name: 'stress',
    path: () => '/margin/stress',
    heading: 'Stress',
    act: async (page) => {
      await page.getByRole('slider', { name: 'Change of BTC in percent' }).press('Home')
      await page.getByRole('region', { name: 'The book' }).getByText('(-95 %)').waitFor()
    },
  },
  { name: 'reviews', path: () => '/reviews', heading: 'Reviews' },
  { name: 'applications', path: () => '/reviews/applications', heading: 'Applications' },
  { name: 'blocked', path: () => '/reviews/blocked', heading: 'Blocked borrowers' },
  {
    name: 'review',
    path: ({ reviewTenantId, reviewedId }) => `/reviews/${reviewTenantId}/${reviewedId}`,
    heading: 'Borrower',
  },
  {
    name: 'review-decision',
    path: ({ reviewTenantId, reviewedId }) => `/reviews/${reviewTenantId}/${reviewedId}`,
    heading: 'Borrower',
    act: press('Approve', 'Approve the checks?'),
  },
  { name: 'operations', path: () => '/operations', heading: 'Operations' },
  { name: 'work', path: () => '/operations/work', heading: 'Work' },
  { name: 'webhooks', path: () => '/operations/webhooks', heading: 'Webhooks' },
  { name: 'prices', path: () => '/operations/prices', heading: 'Prices' },
  { name: 'audit', path: () => '/operations/audit', heading: 'Audit' },
  { name: 'stores', path: () => '/operations/stores', heading: 'Stores' },
  { name: 'tenants', path: () => '/administration', heading: 'Tenants' },
  {
    name: 'new-tenant',
    path: () => '/administration',
    heading: 'Tenants',
    act: press('Create a tenant', 'Create a tenant'),
  },
  {
    name: 'tenant',
    path: ({ reviewTenantId }) => `/administration/tenants/${reviewTenantId}`,
    heading: /./,
  },
  {
    name: 'suspension',
    path: ({ reviewTenantId }) => `/administration/tenants/${reviewTenantId}`,
    heading: /./,
    act: press('Suspend', /^Suspend /),
  },
  { name: 'residency', path: () => '/administration/residency', heading: 'Residency policy' },
  {
    name: 'residency-history',
    path: () => '/administration/residency?rule=FR/business',
    heading: 'Residency policy',
  },
  {
    name: 'new-rule',
    path: () => '/administration/residency',
    heading: 'Residency policy',
    act: press('Set a rule', 'Set the rule of a place'),
  },
  { name: 'margin-policy', path: () => '/administration/margin-policy', heading: 'Margin policy' },
  {
    name: 'new-policy',
    path: () => '/administration/margin-policy',
    heading: 'Margin policy',
    act: press('Propose a version', 'Propose a version'),
  },
  {
    name: 'books',
    path: () => `/books?month=${new Date().toISOString().slice(0, 7)}`,
    heading: 'Books',
    act: (page) => page.getByRole('region', { name: 'Accounts, one a row' }).waitFor(),
  },
  {
    name: 'close-month',
    path: () => '/books',
    heading: 'Books',
    act: press('Close for all', /^Close .* for all tenants/),
  },
  { name: 'approvals', path: () => '/approvals', heading: 'Approvals' },
  {
    name: 'approval',
    path: ({ approvalId }) => `/approvals?id=${approvalId}`,
    heading: 'Approvals',
    act: async (page) => {
      await page.getByRole('dialog', { name: 'Proposal' }).waitFor()
      await page.getByRole('button', { name: 'Confirm', exact: true }).waitFor()
    },
  },
  { name: 'actions', path: () => '/actions', heading: 'Actions' },
  {
    name: 'action',
    path: () => '/actions?number=1',
    heading: 'Actions',
    act: async (page) => {
      await page.getByRole('dialog', { name: 'Action 1' }).waitFor()
      await page.getByRole('region', { name: 'What changes' }).waitFor()
    },
  },
  { name: 'operators', path: () => '/operators', heading: 'Operators' },
  {
    name: 'operator-dialog',
    path: () => '/operators',
    heading: 'Operators',
    act: press('Invite an operator', 'Invite an operator'),
  },
  {
    name: 'token-dialog',
    path: () => '/operators',
    heading: 'Operators',
    act: press('Make a token', 'Make a token'),
  },
  { name: 'passkeys', path: () => '/passkeys', heading: 'Passkeys' },
  { name: 'missing', path: () => '/nothing-here', heading: 'No such page' },
]

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { plainSearch, type Search } from '../pages/frame/application.ts'
import { NotFound, PageFailure } from '../pages/frame/routes.tsx'
import { Root } from './shell/root.tsx'

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: PageFailure,
  validateSearch: (search): Search => search as Search,
})

/** Each page is a file of its own, loaded when it is opened. */
function page<const Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, () => React.ReactNode>>,
  name: Name,
) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load, name),
  })
}

const routeTree = root.addChildren([
  page('/', () => import('./pages/book/book-page.tsx'), 'BookPage'),
  page('/book/facilities', () => import('./pages/book/facilities-page.tsx'), 'BookFacilitiesPage'),
  page('/margin', () => import('./pages/margin/margin-page.tsx'), 'MarginPage'),
  page('/margin/calls', () => import('./pages/margin/calls-page.tsx'), 'CallsPage'),
  page('/margin/holds', () => import('./pages/margin/holds-page.tsx'), 'HoldsPage'),
  page(
    '/margin/$tenantId/$facilityId',
    () => import('./pages/margin/facility-page.tsx'),
    'FacilityPage',
  ),
  page(
    '/margin/$tenantId/$facilityId/warnings/$number',
    () => import('./pages/margin/warning-page.tsx'),
    'WarningPage',
  ),
  page(
    '/margin/$tenantId/$facilityId/calls/$number',
    () => import('./pages/margin/call-page.tsx'),
    'CallPage',
  ),
  page('/margin/stress', () => import('./pages/stress/stress-page.tsx'), 'StressPage'),
  page('/reviews', () => import('./pages/reviews/checks-page.tsx'), 'ChecksPage'),
  page(
    '/reviews/applications',
    () => import('./pages/reviews/applications-page.tsx'),
    'ApplicationsPage',
  ),
  page('/reviews/blocked', () => import('./pages/reviews/blocked-page.tsx'), 'BlockedPage'),
  page(
    '/reviews/$tenantId/$borrowerId',
    () => import('./pages/reviews/borrower-page.tsx'),
    'BorrowerPage',
  ),
  page('/operations', () => import('./pages/operations/overview-page.tsx'), 'OperationsPage'),
  page('/operations/work', () => import('./pages/operations/work-page.tsx'), 'WorkPage'),
  page(
    '/operations/webhooks',
    () => import('./pages/operations/webhooks-page.tsx'),
    'WebhooksPage',
  ),
  page('/operations/prices', () => import('./pages/operations/prices-page.tsx'), 'PricesPage'),
  page('/operations/audit', () => import('./pages/operations/audit-page.tsx'), 'AuditPage'),
  page('/operations/stores', () => import('./pages/operations/stores-page.tsx'), 'StoresPage'),
  page('/books', () => import('./pages/books/books-page.tsx'), 'BooksPage'),
  page('/approvals', () => import('./pages/approvals/approvals.tsx'), 'ApprovalsPage'),
  page('/actions', () => import('./pages/actions/actions.tsx'), 'ActionsPage'),
  page('/operators', () => import('./pages/operators/operators.tsx'), 'OperatorsPage'),
  page('/administration', () => import('./pages/administration/tenants.tsx'), 'TenantsPage'),
  page(
    '/administration/tenants/$id',
    () => import('./pages/administration/tenant.tsx'),
    'TenantPage',
  ),
  page(
    '/administration/residency',
    () => import('./pages/administration/residency.tsx'),
    'ResidencyPage',
  ),
  page(
    '/administration/margin-policy',
    () => import('./pages/policy/margin-policy.tsx'),
    'MarginPolicyPage',
  ),
  page('/passkeys', () => import('../pages/sign-in/passkeys-page.tsx'), 'PasskeysPage'),
])

export const router = createRouter({
  routeTree,
  basepath: '/desk',
  defaultPreload: 'intent',
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  ...plainSearch,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

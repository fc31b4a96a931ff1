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
  page('/', () => import('./pages/overview/overview.tsx'), 'OverviewPage'),
  page('/keys', () => import('./pages/keys/keys.tsx'), 'KeysPage'),
  page('/keys/$id', () => import('./pages/keys/key.tsx'), 'KeyPage'),
  page('/webhooks', () => import('./pages/webhooks/webhooks.tsx'), 'WebhooksPage'),
  page('/webhooks/$id', () => import('./pages/webhooks/webhook.tsx'), 'WebhookPage'),
  page('/deliveries', () => import('./pages/deliveries/deliveries.tsx'), 'DeliveriesPage'),
  page(
    '/deliveries/$webhookId/$eventId',
    () => import('./pages/deliveries/delivery.tsx'),
    'DeliveryPage',
  ),
  page('/events', () => import('./pages/events/events.tsx'), 'EventsPage'),
  page('/events/$id', () => import('./pages/events/event.tsx'), 'EventPage'),
  page('/requests', () => import('./pages/requests/requests.tsx'), 'RequestsPage'),
  page('/requests/$id', () => import('./pages/requests/request.tsx'), 'RequestPage'),
  page('/borrowers', () => import('./pages/borrowers/borrowers-page.tsx'), 'BorrowersPage'),
  page('/borrowers/$id', () => import('./pages/borrowers/borrower-page.tsx'), 'BorrowerPage'),
  page('/facilities', () => import('./pages/facilities/facilities-page.tsx'), 'FacilitiesPage'),
  page('/facilities/$id', () => import('./pages/facilities/facility-page.tsx'), 'FacilityPage'),
  page('/facilities/$id/$number', () => import('./pages/facilities/numbered.tsx'), 'NumberedPage'),
  page('/draws/$id', () => import('./pages/facilities/locate.tsx'), 'DrawPage'),
  page('/repayments/$id', () => import('./pages/facilities/locate.tsx'), 'RepaymentPage'),
  page('/margin', () => import('./pages/margin/margin-page.tsx'), 'MarginPage'),
  page('/sandbox', () => import('./pages/sandbox/sandbox-page.tsx'), 'SandboxPage'),
  page('/people', () => import('./pages/people/people.tsx'), 'PeoplePage'),
  page('/actions', () => import('./pages/actions/actions.tsx'), 'ActionsPage'),
  page('/passkeys', () => import('../pages/sign-in/passkeys-page.tsx'), 'PasskeysPage'),
])

export const router = createRouter({
  routeTree,
  basepath: '/console',
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

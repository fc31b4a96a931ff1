import type { FastifyInstance } from 'fastify'
import type { Audience } from '../../db/sql/people-tables.ts'
import { addressRoutes, confirmAddressRoute } from './address-routes.ts'
import { confirmationRoutes } from './confirmation-routes.ts'
import { type Door, doorApp } from './door.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { signInRoutes } from './sign-in-routes.ts'

/** People's own account, in a session. */
export function addAccountRoutes<A extends Audience>(app: FastifyInstance, door: Door<A>): void {
  const routes = doorApp(app, door)
  sessionRoutes(routes, door)
  passkeyRoutes(routes, door)
  addressRoutes(routes, door)
  confirmationRoutes(routes, door)
}

/** Before anyone has signed in. */
export function addSignInRoutes<A extends Audience>(app: FastifyInstance, door: Door<A>): void {
  const routes = doorApp(app, door)
  signInRoutes(routes, door)
  confirmAddressRoute(routes, door)
}

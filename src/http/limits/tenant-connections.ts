import type { FastifyInstance } from 'fastify'
import type { ConnectionSlots } from '../../db/connection-slots.ts'
import { callerOf } from '../authentication/authenticate.ts'

/** Has each request that was admitted work as its tenant, within the tenant's share of connections. */
export function workInTurn(app: FastifyInstance, slots: ConnectionSlots): void {
  app.addHook('preValidation', (request, _reply, done) => {
    slots.run(callerOf(request).tenantId, done)
  })
}

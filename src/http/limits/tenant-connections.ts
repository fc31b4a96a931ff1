import type { FastifyInstance } from 'fastify'
import type { ConnectionSlots } from '../../db/connections/connection-slots.ts'
import { callerOf } from '../authentication/authenticate.ts'

/** An admitted request takes its connections from its tenant's share. */
export function shareConnections(app: FastifyInstance, slots: ConnectionSlots): void {
  app.addHook('preValidation', (request, _reply, done) => {
    slots.run(callerOf(request).tenantId, done)
  })
}

import { z } from 'zod'
import { DELIVERY_STATES } from '../../../domain/deliveries/decide-outcome.ts'
import { listTenantDeliveries } from '../../../domain/deliveries/tenant-deliveries.ts'
import { EVENT_TYPES } from '../../../domain/events/catalogue/event-types.ts'
import { callerOf } from '../../authentication/authenticate.ts'
import type { RouteContext } from '../../route-context.ts'
import { deliveryPageSchema, toDeliveryBody } from '../../routes/deliveries.ts'
import { idFilter, pageQuery, toPageBody } from '../../schemas/fields.ts'
import type { ConsoleApp } from '../operation.ts'
import { periodQuery } from './requests.ts'

export function tenantDeliveryRoutes(app: ConsoleApp, { db, cursors }: RouteContext): void {
  app.get('/deliveries', {
    id: 'listTenantDeliveries',
    summary: 'List the deliveries to all webhooks with their last attempt, newest event first',
    tag: 'History',
    config: { limitClass: 'console', scope: 'webhook:read' },
    querystring: z.strictObject({
      ...pageQuery,
      ...periodQuery,
      webhook_id: idFilter('whk'),
      event_type: z.enum(EVENT_TYPES).optional(),
      state: z.enum(DELIVERY_STATES).optional(),
    }),
    response: { 200: deliveryPageSchema },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { from, limit, webhook_id: webhookId, event_type: eventType, ...others } = request.query
      const asked = { from, limit, filters: { ...others, webhookId, eventType } }
      const page = await listTenantDeliveries(db, callerOf(request).tenantId, asked, cursors)
      return toPageBody(page, toDeliveryBody)
    },
  })
}

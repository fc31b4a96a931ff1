import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Page } from '../../../core/page.ts'
import { EVENT_TYPES } from '../../../domain/events/catalogue/event-types.ts'
import { listEvents } from '../../../domain/events/log/list-events.ts'
import { callerOf } from '../../authentication/authenticate.ts'
import type { RouteContext } from '../../route-context.ts'
import { CHAINED_EXAMPLE } from '../../routes/events.ts'
import { chainedEventSchema } from '../../schemas/event-schema.ts'
import { pageOf, pageQuery, resourceFilter } from '../../schemas/fields.ts'
import type { ConsoleApp } from '../operation.ts'
import { periodQuery } from './requests.ts'

export function tenantEventRoutes(app: ConsoleApp, { db, cursors }: RouteContext): void {
  app.get('/events', {
    id: 'listNewestEvents',
    summary: "List the tenant's events, newest first",
    tag: 'History',
    config: { limitClass: 'console', scope: 'webhook:read' },
    querystring: z.strictObject({
      ...pageQuery,
      ...periodQuery,
      type: z.enum(EVENT_TYPES).optional(),
      resource_id: resourceFilter,
    }),
    response: { 200: pageOf(chainedEventSchema, 'NewestEventPage', CHAINED_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request, reply) {
      const { from, limit, resource_id: resourceId, ...others } = request.query
      const asked = { from, limit, filters: { ...others, resourceId } }
      sendPage(reply, await listEvents(db, callerOf(request).tenantId, asked, cursors))
    },
  })
}

/** Items are sent as stored, without parsing. */
function sendPage(reply: FastifyReply, { items, nextCursor, hasMore }: Page<string>): void {
  const next = nextCursor === undefined ? '' : `"next_cursor":${JSON.stringify(nextCursor)},`
  reply.header('content-type', 'application/json; charset=utf-8')
  reply.send(`{"items":[${items.join(',')}],${next}"has_more":${hasMore}}`)
}

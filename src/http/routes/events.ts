import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { listDeliveriesOfEvent } from '../../domain/deliveries/deliveries.ts'
import { exampleEvent } from '../../domain/events/catalogue/event-examples.ts'
import { EVENT_TYPES } from '../../domain/events/catalogue/event-types.ts'
import { getEvent, type LogPage, type LogView, readLog } from '../../domain/events/log/read-log.ts'
import { getReplayView } from '../../domain/webhooks/webhooks.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { chainedEventSchema, eventSchema } from '../schemas/event-schema.ts'
import { cursorText, idFilter, idInput, pageQuery, resourceFilter } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'
import { DELIVERY_EXAMPLE, deliverySchema, toDeliveryBody } from './deliveries.ts'

const EVENT_EXAMPLE = exampleEvent('borrower.eligible')
export const CHAINED_EXAMPLE = {
  ...EVENT_EXAMPLE,
  previous_hash: '3d5b8c1f0a7e4296b1d83c5f9e0472a6c8b1e5d70f936a24d8c7e1b05f6a9342',
  hash: 'a94f2e7c61d80b35f7c92ae4160d8b53c7e1f9a2046b8d3517ce9fa2d0b46e81',
}

const pageOf = <Item extends z.ZodType>(id: string, item: Item, example: object) =>
  z
    .strictObject({
      items: z.array(item),
      next_cursor: cursorText.describe('Always present; on the last page it is where to resume'),
      has_more: z.boolean(),
    })
    .meta({
      id,
      examples: [{ items: [example], next_cursor: 'q83vASNFZ4mrze8BNw', has_more: false }],
    })

const eventPageSchema = pageOf('EventPage', eventSchema, EVENT_EXAMPLE)
const chainedPageSchema = pageOf('ChainedEventPage', chainedEventSchema, CHAINED_EXAMPLE)

const eventWithDeliveriesSchema = chainedEventSchema
  .extend({ deliveries: z.array(deliverySchema) })
  .meta({
    id: 'EventWithDeliveries',
    examples: [{ ...CHAINED_EXAMPLE, deliveries: [DELIVERY_EXAMPLE] }],
  })

const logQuery = z.strictObject({
  ...pageQuery,
  type: z.enum(EVENT_TYPES).optional(),
  resource_id: resourceFilter.describe(
    'Events of this resource only; a margin warning or call is `fac_…/<number>`',
  ),
  facility_id: idFilter('fac').describe(
    'Events of the facility, its draws, repayments, warnings and calls',
  ),
  borrower_id: idFilter('bor').describe('Events of the borrower and of its facilities'),
})

type LogFilters = Omit<z.output<typeof logQuery>, 'from' | 'limit'>

/** The cursor's context names each filter: a cursor of other filters is refused. */
function viewOf(tenantId: string, filters: LogFilters): LogView {
  const {
    type,
    resource_id: resourceId,
    facility_id: facilityId,
    borrower_id: borrowerId,
  } = filters
  const isAbout = (resourceId ?? facilityId ?? borrowerId) !== undefined
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  const names = given.map(([name, value]) => `/${name}=${value}`).sort()
  return {
    tenantId,
    cursorContext: `events/${tenantId}${names.join('')}`,
    after: 0n,
    types: type === undefined ? [] : [type],
    about: isAbout ? { resourceId, facilityId, borrowerId } : undefined,
    isChained: true,
  }
}

export function eventRoutes(app: TenantApp, { db, cursors }: RouteContext): void {
  app.get('/webhooks/:id/events', {
    id: 'replayEvents',
    summary: 'Replay the events of a webhook',
    description:
      "Events of the webhook's types since its registration, in order of `sequence`, in any state of the webhook.",
    tag: 'Webhooks',
    config: readsWith('webhook:read'),
    params: z.strictObject({ id: idInput('whk') }),
    querystring: z.strictObject(pageQuery),
    response: { 200: eventPageSchema },
    errors: ['cursor_invalid', 'cursor_expired'],
    async handler(request, reply) {
      const view = await getReplayView(db, callerOf(request).tenantId, request.params.id)
      sendLogPage(reply, await readLog(db, view, request.query, cursors))
    },
  })

  app.get('/events', {
    id: 'listEvents',
    summary: "Read the tenant's whole event log",
    description:
      'In order of `sequence`, which has no gaps: without filters, a missing number is a lost event. An event must match all filters. `hash` chains the events, so that none can be changed or removed unseen. A cursor is valid only with the filters it was returned for.',
    tag: 'Events',
    config: readsWith('webhook:read'),
    querystring: logQuery,
    response: { 200: chainedPageSchema },
    errors: ['cursor_invalid', 'cursor_expired'],
    async handler(request, reply) {
      const { tenantId } = callerOf(request)
      const { from, limit, ...filters } = request.query
      const page = { from, limit }
      const view = viewOf(tenantId, filters)
      sendLogPage(reply, await readLog(db, view, page, cursors))
    },
  })

  app.get('/events/:id', {
    id: 'getEvent',
    summary: 'Read one event with its deliveries',
    tag: 'Events',
    config: readsWith('webhook:read'),
    params: z.strictObject({ id: idInput('evt') }),
    response: { 200: eventWithDeliveriesSchema },
    async handler(request) {
      const { tenantId } = callerOf(request)
      const event = chainedEventSchema.parse(
        JSON.parse(await getEvent(db, tenantId, request.params.id)),
      )
      const deliveries = await listDeliveriesOfEvent(db, tenantId, event.id)
      return { ...event, deliveries: deliveries.map(toDeliveryBody) }
    },
  })
}

/** Items are sent as stored and delivered, without parsing. */
function sendLogPage(reply: FastifyReply, page: LogPage): void {
  const { nextCursor, hasMore } = page
  reply.header('content-type', 'application/json; charset=utf-8')
  reply.send(
    `{"items":[${page.items.join(',')}],"next_cursor":${JSON.stringify(nextCursor)},"has_more":${hasMore}}`,
  )
}

import type { Call, CallOptions } from '../call.ts'
import { type FollowOptions, follow } from '../follow.ts'
import { listPages, listWhole } from '../listing.ts'
import type { Query } from '../operation-types.ts'
import type {
  Delivery,
  EventPage,
  EventWithDeliveries,
  NewWebhook,
  PageRequest,
  Simulation,
  SimulationResult,
  Webhook,
  WebhookEvent,
} from './resources.ts'

/** Awaited, one page; iterated, every event from there on to the end of the log. */
export type EventListing = Promise<EventPage> & AsyncIterable<WebhookEvent>

/** Webhooks, their deliveries, and the event log (interface, Webhooks and Events). */
export function webhookMethods(call: Call) {
  return { ...registrationMethods(call), ...deliveryMethods(call), ...eventMethods(call) }
}

function registrationMethods(call: Call) {
  return {
    /** Replaces the earlier secret at once; this is the only time you see the new one. */
    createSigningSecret: async (options?: CallOptions): Promise<string> =>
      (await call('createSigningSecret', { ...options })).secret,

    /** Returns the webhook's id. */
    registerWebhook: async (webhook: NewWebhook, options?: CallOptions): Promise<string> =>
      (await call('registerWebhook', { ...options, body: webhook })).id,

    getWebhook: (webhookId: string, options?: CallOptions): Promise<Webhook> =>
      call('getWebhook', { ...options, path: { id: webhookId } }),

    /** Newest first. */
    listWebhooks: (options?: CallOptions) => listWhole(call, 'listWebhooks', { ...options }),

    deleteWebhook: (webhookId: string, options?: CallOptions): Promise<undefined> =>
      call('deleteWebhook', { ...options, path: { id: webhookId } }),
  }
}

function deliveryMethods(call: Call) {
  return {
    /** Each with its 20 newest attempts; newest event first. */
    listDeliveries: (
      webhookId: string,
      query: Query<'listDeliveries'> = {},
      options?: CallOptions,
    ) => listPages(call, 'listDeliveries', { ...options, path: { id: webhookId }, query }),

    /** All attempts of one delivery, newest first. */
    listDeliveryAttempts: (
      webhookId: string,
      eventId: string,
      query: PageRequest = {},
      options?: CallOptions,
    ) =>
      listPages(call, 'listDeliveryAttempts', {
        ...options,
        path: { id: webhookId, event_id: eventId },
        query,
      }),

    /** One more attempt at once, also of a dead letter; the schedule stays as it is. */
    retryDelivery: (webhookId: string, eventId: string, options?: CallOptions): Promise<Delivery> =>
      call('retryDelivery', { ...options, path: { id: webhookId, event_id: eventId } }),

    /** Sandbox only: posts a signed test event to the webhook and reports what it answered. */
    simulateDelivery: (simulation: Simulation, options?: CallOptions): Promise<SimulationResult> =>
      call('simulateDelivery', { ...options, body: simulation }),
  }
}

function eventMethods(call: Call) {
  return {
    /** The whole event log in order of `sequence`; `next_cursor` is where to resume. */
    listEvents: (query: Query<'listEvents'> = {}, options?: CallOptions) =>
      listPages(call, 'listEvents', { ...options, query }) as EventListing,

    getEvent: (eventId: string, options?: CallOptions): Promise<EventWithDeliveries> =>
      call('getEvent', { ...options, path: { id: eventId } }),

    /** A webhook's past events, of the types it subscribes to; `next_cursor` is where to resume. */
    replayEvents: (webhookId: string, query: PageRequest = {}, options?: CallOptions) =>
      listPages(call, 'replayEvents', {
        ...options,
        path: { id: webhookId },
        query,
      }) as EventListing,

    /**
     * The event log as it grows, without end: past events first, from where `from` says. Each event
     * comes with a cursor that resumes at it or a little before. Throws the reason of `signal` when
     * that aborts.
     */
    followEvents: (options: FollowOptions = {}) => follow(call, options),
  }
}

import type { Call, CallOptions } from '../call.ts'
import { type FollowOptions, follow } from '../follow.ts'
import { listPages, listWhole } from '../listing.ts'
import type { Query } from '../operation-types.ts'
import type {
  ChainedEvent,
  ChainedEventPage,
  Delivery,
  EventPage,
  EventWithDeliveries,
  NewWebhook,
  PageRequest,
  Recovery,
  RecoveryRequest,
  Simulation,
  SimulationResult,
  Webhook,
  WebhookEvent,
} from './resources.ts'

/** Await it for one page, or iterate to the end of the log. */
export type EventListing = Promise<EventPage> & AsyncIterable<WebhookEvent>
export type ChainedEventListing = Promise<ChainedEventPage> & AsyncIterable<ChainedEvent>

export function webhookMethods(call: Call) {
  return { ...registrationMethods(call), ...deliveryMethods(call), ...eventMethods(call) }
}

function registrationMethods(call: Call) {
  return {
    /** Replaces the earlier secret at once. The new one is shown only here. */
    createSigningSecret: async (options?: CallOptions): Promise<string> =>
      (await call('createSigningSecret', { ...options })).secret,

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
    /** Newest event first, each with its 20 newest attempts. */
    listDeliveries: (
      webhookId: string,
      query: Query<'listDeliveries'> = {},
      options?: CallOptions,
    ) => listPages(call, 'listDeliveries', { ...options, path: { id: webhookId }, query }),

    /** Newest first. */
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

    /** One more attempt now, also of a dead letter. */
    retryDelivery: (webhookId: string, eventId: string, options?: CallOptions): Promise<Delivery> =>
      call('retryDelivery', { ...options, path: { id: webhookId, event_id: eventId } }),

    /** Attempts once more what failed since then, or delivers what another webhook has missed. */
    recoverWebhook: (
      webhookId: string,
      recovery: RecoveryRequest,
      options?: CallOptions,
    ): Promise<Recovery> =>
      call('recoverWebhook', { ...options, path: { id: webhookId }, body: recovery }),

    /** Sandbox only: posts a signed sample event and returns the endpoint's answer. */
    simulateDelivery: (simulation: Simulation, options?: CallOptions): Promise<SimulationResult> =>
      call('simulateDelivery', { ...options, body: simulation }),
  }
}

function eventMethods(call: Call) {
  return {
    /** In order of `sequence`; `next_cursor` is where to resume. */
    listEvents: (query: Query<'listEvents'> = {}, options?: CallOptions) =>
      listPages(call, 'listEvents', { ...options, query }) as ChainedEventListing,

    getEvent: (eventId: string, options?: CallOptions): Promise<EventWithDeliveries> =>
      call('getEvent', { ...options, path: { id: eventId } }),

    /** Past events of the webhook's types; `next_cursor` is where to resume. */
    replayEvents: (webhookId: string, query: PageRequest = {}, options?: CallOptions) =>
      listPages(call, 'replayEvents', {
        ...options,
        path: { id: webhookId },
        query,
      }) as EventListing,

    /** Past events from `from` on, then new ones, without end. Throws the reason of `signal`. */
    followEvents: (options: FollowOptions = {}) => follow(call, options),
  }
}

import type { Tracing } from '../../core/tracing.ts'
import type { WebhookSender } from '../../domain/webhooks/webhook-sender.ts'

/** The span follows from the one that wrote the event. */
export function traceSender(tracing: Tracing | undefined, sender: WebhookSender): WebhookSender {
  if (!tracing) return sender
  return {
    ...sender,
    async send(request, now) {
      const span = tracing.begin('deliver', {
        parent: request.traceparent,
        kind: 'client',
        attributes: { 'svc.event_id': request.eventId, 'svc.attempt': request.attempt },
      })
      const outcome = await span.run(() => sender.send(request, now))
      const answer =
        outcome.status === undefined
          ? { 'error.type': outcome.error }
          : { 'http.response.status_code': outcome.status }
      span.end({ failed: !outcome.succeeded, attributes: answer })
      return outcome
    },
  }
}

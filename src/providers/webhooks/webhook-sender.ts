import { Agent } from 'undici'
import { addMs } from '../../core/time.ts'
import type { AddressPolicy } from '../../domain/webhooks/address-policy.ts'
import { signDelivery, signStandardWebhook } from '../../domain/webhooks/sign-delivery.ts'
import type {
  DeliveryOutcome,
  DeliveryRequest,
  WebhookSender,
} from '../../domain/webhooks/webhook-sender.ts'
import type { ResolveHost } from '../../domain/webhooks/webhook-url.ts'
import { type Answer, AnswerReader, isSuccess } from './answer-reader.ts'
import { createCheckedConnector } from './checked-connector.ts'
import { DeliveryFailure } from './delivery-failure.ts'
import { parseRetryAfter } from './retry-after.ts'

export type WebhookSenderOptions = {
  policy: AddressPolicy
  resolve: ResolveHost
  /** Milliseconds for the whole attempt. */
  deadlineMs?: number
  tlsCa?: string
}

/** One agent for all webhooks. Redirects are not followed. `policy` checks every connection. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { deadlineMs = 15_000 } = options
  const agent = new Agent({
    connect: createCheckedConnector({ ...options, timeoutMs: deadlineMs }),
    // HTTP/1.1, one request a connection: an answer that hangs delays no other.
    allowH2: false,
    pipelining: 1,
    // No limit: callers limit each tenant, and no attempt waits for other tenants' at a host.
    connections: null,
    // Less than servers usually keep an idle connection.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
    // Replaces busy connections too, so that a host that moves is followed.
    clientTtl: 60_000,
    maxHeaderSize: 16 * 1024,
    headersTimeout: 0, // The deadline covers both.
    bodyTimeout: 0,
  })
  return {
    send: (request, now) => attemptDelivery(agent, request, now, deadlineMs),
    close: () => agent.close(),
  }
}

async function attemptDelivery(
  agent: Agent,
  request: DeliveryRequest,
  now: Date,
  deadlineMs: number,
): Promise<DeliveryOutcome> {
  const startedAt = performance.now()
  const answer = await post(agent, request, now, deadlineMs)
  const durationMs = Math.round(performance.now() - startedAt)
  if ('reason' in answer) {
    return {
      durationMs,
      succeeded: false,
      status: undefined,
      error: answer.reason,
      bodyExcerpt: '',
    }
  }
  const retryAfterMs = parseRetryAfter(answer.retryAfter, addMs(now, durationMs))
  return {
    durationMs,
    succeeded: isSuccess(answer.status),
    status: answer.status,
    error: undefined,
    bodyExcerpt: readableExcerpt(answer.excerpt),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function post(
  agent: Agent,
  request: DeliveryRequest,
  now: Date,
  deadlineMs: number,
): Promise<Answer | DeliveryFailure> {
  const { promise, resolve } = Promise.withResolvers<Answer | DeliveryFailure>()
  const url = URL.parse(request.url)
  if (url === null) return Promise.resolve(new DeliveryFailure('connect'))
  const reader = new AnswerReader(resolve)
  const deadline = setTimeout(() => reader.giveUp(new DeliveryFailure('timeout')), deadlineMs)
  agent.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: deliveryHeaders(request, now),
      body: request.body,
    },
    reader,
  )
  return promise.finally(() => clearTimeout(deadline))
}

function deliveryHeaders(request: DeliveryRequest, now: Date): string[] {
  const { body, eventId, attempt, secret } = request
  const timestampSeconds = Math.floor(now.getTime() / 1000)
  const headers = [
    'content-type',
    'application/json',
    'accept-encoding',
    'identity',
    'user-agent',
    'lending-service-webhooks/1',
    'X-SVC-Webhook-Timestamp',
    String(timestampSeconds),
    'X-SVC-Event-Id',
    eventId,
    'X-SVC-Delivery-Attempt',
    String(attempt),
  ]
  if (secret !== undefined) {
    headers.push(
      'X-SVC-Webhook-Signature',
      signDelivery(secret, timestampSeconds, body),
      'webhook-id',
      eventId,
      'webhook-timestamp',
      String(timestampSeconds),
      'webhook-signature',
      signStandardWebhook(secret, { eventId, timestampSeconds }, body),
    )
  }
  return headers
}

/** Whole UTF-8 characters; control characters are replaced. */
function readableExcerpt(bytes: Buffer): string {
  if (bytes.length === 0) return ''
  const text = new TextDecoder().decode(bytes, { stream: true })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd')
}

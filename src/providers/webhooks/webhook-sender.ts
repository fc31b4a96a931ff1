import { isIP } from 'node:net'
import { addMs } from '../../core/time.ts'
import type { AddressPolicy } from '../../domain/webhooks/address-policy.ts'
import { signDelivery, signStandardWebhook } from '../../domain/webhooks/sign-delivery.ts'
import type {
  DeliveryOutcome,
  DeliveryRequest,
  WebhookSender,
} from '../../domain/webhooks/webhook-sender.ts'
import { portOf, type ResolveHost } from '../../domain/webhooks/webhook-url.ts'
import { createHttpPool, type HttpPool, hostOf } from '../http-pool.ts'
import { createCheckedLookup } from './checked-lookup.ts'
import { DeliveryFailure, toDeliveryFailure } from './delivery-failure.ts'
import { EXCERPT_BYTES, readExcerpt } from './read-answer.ts'
import { parseRetryAfter } from './retry-after.ts'

export type WebhookSenderOptions = {
  policy: AddressPolicy
  resolve: ResolveHost
  /** Milliseconds for the whole attempt. */
  deadlineMs?: number
  tlsCa?: string
  /** Connections are made from this address of the machine. */
  bindAddress?: string | undefined
  /** An HTTP proxy, which is asked for addresses that were checked. */
  proxy?: string | undefined
}

type Sending = WebhookSenderOptions & { pool: HttpPool; deadlineMs: number }

/** One pool for all webhooks. Redirects are not followed. `policy` checks every connection. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { bindAddress: localAddress, proxy } = options
  const proxyOf = { http: () => proxy, https: () => proxy }
  const pool = createHttpPool({ ...options, localAddress, proxyOf })
  const sending = { ...options, pool, deadlineMs: options.deadlineMs ?? 15_000 }
  return {
    send: (request, now) => attemptDelivery(sending, request, now),
    close: () => pool.close(),
  }
}

async function attemptDelivery(
  sending: Sending,
  request: DeliveryRequest,
  now: Date,
): Promise<DeliveryOutcome> {
  const startedAt = performance.now()
  const answer = await post(sending, request, now)
  const durationMs = Math.round(performance.now() - startedAt)
  if (answer instanceof DeliveryFailure) {
    return {
      durationMs,
      succeeded: false,
      status: undefined,
      error: answer.reason,
      bodyExcerpt: '',
    }
  }
  const { status, excerpt, retryAfter } = answer
  const retryAfterMs = parseRetryAfter(retryAfter, addMs(now, durationMs))
  return {
    durationMs,
    succeeded: status < 300,
    status,
    error: undefined,
    bodyExcerpt: readableExcerpt(excerpt),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

/** `status` is from 200 on; `retryAfter` the header of a 429 or 503. */
type Answer = { status: number; excerpt: Buffer; retryAfter: string | undefined }

async function post(
  { pool, policy, resolve, deadlineMs }: Sending,
  request: DeliveryRequest,
  now: Date,
): Promise<Answer | DeliveryFailure> {
  const url = URL.parse(request.url)
  if (url === null) return new DeliveryFailure('connect')
  const isAllowed = policy.at(portOf(url))
  const host = hostOf(url)
  if (isIP(host) !== 0 && !isAllowed(host)) return new DeliveryFailure('address_not_allowed')
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), deadlineMs)
  try {
    const answer = await pool.send({
      ...{ url, method: 'POST', headers: deliveryHeaders(request, now), body: request.body },
      signal: deadline.signal,
      lookup: createCheckedLookup(isAllowed, resolve),
    })
    const { statusCode: status = 0, headers } = answer
    const retryAfter = status === 429 || status === 503 ? headers['retry-after'] : undefined
    return { status, excerpt: await readExcerpt(answer), retryAfter }
  } catch (error) {
    if (deadline.signal.aborted) return new DeliveryFailure('timeout')
    return toDeliveryFailure(error)
  } finally {
    clearTimeout(timer)
  }
}

function deliveryHeaders(request: DeliveryRequest, now: Date): Record<string, string> {
  const { body, eventId, attempt, secret } = request
  const timestampSeconds = Math.floor(now.getTime() / 1000)
  return {
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'lending-service-webhooks/1',
    'X-SVC-Webhook-Timestamp': String(timestampSeconds),
    'X-SVC-Event-Id': eventId,
    'X-SVC-Delivery-Attempt': String(attempt),
    ...(secret !== undefined && {
      'X-SVC-Webhook-Signature': signDelivery(secret, timestampSeconds, body),
      'webhook-id': eventId,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signStandardWebhook(secret, { eventId, timestampSeconds }, body),
    }),
  }
}

/** Whole UTF-8 characters; control characters are replaced. */
function readableExcerpt(bytes: Buffer): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
  // Three bytes stand in place of one.
  return firstCharacters(Buffer.from(firstCharacters(bytes).replace(controls, '\ufffd')))
}

const firstCharacters = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes.subarray(0, EXCERPT_BYTES), { stream: true })

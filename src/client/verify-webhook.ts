// @noble/hashes because WebCrypto is asynchronous only.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import type { WebhookEvent } from './resources/resources.ts'

/** Log it and answer 400; do not show it to the sender. */
export type WebhookRefusal =
  | 'missing_signature'
  | 'malformed_signature'
  | 'missing_timestamp'
  | 'malformed_timestamp'
  | 'signature_mismatch'
  | 'timestamp_out_of_tolerance'
  | 'body_not_json'
  | 'body_not_an_event'

export type WebhookVerdict =
  | { ok: true; event: WebhookEvent }
  | { ok: false; reason: WebhookRefusal }

/** `Headers`, or Node's `request.headers`. */
export type ReceivedHeaders = Headers | Record<string, string | readonly string[] | undefined>

/**
 * Verifies the HMAC-SHA256 of `<timestamp>.<raw body>` in constant time, then the age. `rawBody`
 * must be the bytes received, never re-serialised. `timestamp_out_of_tolerance` means a replay or a
 * wrong clock. Throws TypeError for an empty secret.
 */
export function verifyWebhook(delivery: {
  rawBody: Uint8Array | string
  headers: ReceivedHeaders
  /** As returned by `createSigningSecret`, with `whsec_`. */
  secret: string
  now: Date
  toleranceSeconds?: number
}): WebhookVerdict {
  if (delivery.secret === '') throw new TypeError('The webhook signing secret is empty.')

  const signature = readHeader(delivery.headers, 'x-svc-webhook-signature')
  if (signature === undefined) return refuse('missing_signature')
  const hex = /^sha256=([0-9a-fA-F]{64})$/.exec(signature)?.[1]
  if (hex === undefined) return refuse('malformed_signature')

  const timestamp = readHeader(delivery.headers, 'x-svc-webhook-timestamp')
  if (timestamp === undefined) return refuse('missing_timestamp')
  if (!/^[0-9]{1,12}$/.test(timestamp)) return refuse('malformed_timestamp')

  const mac = hmac.create(sha256, toBytes(delivery.secret)).update(toBytes(`${timestamp}.`))
  const expected = mac.update(toBytes(delivery.rawBody)).digest()
  if (!isSameDigest(expected, hexToBytes(hex))) return refuse('signature_mismatch')

  const { now, toleranceSeconds = 300 } = delivery
  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp))
  // In this form an invalid date or tolerance is refused too.
  if (!(ageSeconds <= toleranceSeconds)) return refuse('timestamp_out_of_tolerance')

  return readEvent(delivery.rawBody)
}

function toBytes(content: Uint8Array | string): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

/** Constant time: compares every byte. */
function isSameDigest(left: Uint8Array, right: Uint8Array): boolean {
  return left.reduce((difference, byte, at) => difference | (byte ^ (right[at] ?? 0x100)), 0) === 0
}

function refuse(reason: WebhookRefusal): WebhookVerdict {
  return { ok: false, reason }
}

function readHeader(headers: ReceivedHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) || undefined
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
  return values.join(', ') || undefined
}

function isHeaders(headers: ReceivedHeaders): headers is Headers {
  const { get } = headers
  return typeof get === 'function'
}

function readEvent(rawBody: Uint8Array | string): WebhookVerdict {
  let parsed: unknown
  try {
    const text =
      typeof rawBody === 'string'
        ? rawBody
        : new TextDecoder('utf-8', { fatal: true }).decode(rawBody)
    parsed = JSON.parse(text)
  } catch {
    return refuse('body_not_json')
  }
  return isEvent(parsed) ? { ok: true, event: parsed } : refuse('body_not_an_event')
}

function isEvent(value: unknown): value is WebhookEvent {
  if (typeof value !== 'object' || value === null) return false
  const { type, data } = value as { type?: unknown; data?: unknown }
  return typeof type === 'string' && typeof data === 'object' && data !== null
}

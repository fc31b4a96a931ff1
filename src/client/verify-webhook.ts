// @noble/hashes because WebCrypto is asynchronous only.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import type { WebhookEvent } from './resources/resources.ts'

/** Log it and answer 400; do not show it to the sender. */
export type WebhookRefusal =
  | 'missing_signature'
  | 'malformed_signature'
  | 'missing_id'
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

export type ReceivedDelivery = {
  rawBody: Uint8Array | string
  headers: ReceivedHeaders
  /** Returned by `createSigningSecret`, with `whsec_`; several while it is replaced. */
  secret: string | readonly string[]
  now: Date
  toleranceSeconds?: number
}

/**
 * Verifies `X-SVC-Webhook-Signature`, or without it the `webhook-signature` of Standard Webhooks, in
 * constant time, then the age. `rawBody` must be the bytes received, never re-serialised.
 * `timestamp_out_of_tolerance` means a replay or a wrong clock. Throws TypeError without a secret.
 */
export function verifyWebhook(delivery: ReceivedDelivery): WebhookVerdict {
  const secrets = typeof delivery.secret === 'string' ? [delivery.secret] : delivery.secret
  if (secrets.length === 0 || secrets.includes('')) {
    throw new TypeError('The webhook signing secret is empty.')
  }

  const signature = readHeader(delivery.headers, 'x-svc-webhook-signature')
  const standard = readHeader(delivery.headers, 'webhook-signature')
  const signed =
    signature === undefined && standard !== undefined
      ? verifyStandard(delivery, secrets, standard)
      : verifyOwn(delivery, secrets, signature)
  if (typeof signed === 'string') return refuse(signed)

  const { now, toleranceSeconds = 300 } = delivery
  const ageSeconds = Math.abs(now.getTime() / 1000 - signed.timestampSeconds)
  // In this form an invalid date or tolerance is refused too.
  if (!(ageSeconds <= toleranceSeconds)) return refuse('timestamp_out_of_tolerance')

  return readEvent(delivery.rawBody)
}

type Signed = { timestampSeconds: number }

/** `sha256=` and hex, of `<timestamp>.<raw body>` under the secret's text. */
function verifyOwn(
  { headers, rawBody }: ReceivedDelivery,
  secrets: readonly string[],
  signature: string | undefined,
): Signed | WebhookRefusal {
  if (signature === undefined) return 'missing_signature'
  const hex = /^sha256=([0-9a-fA-F]{64})$/.exec(signature)?.[1]
  if (hex === undefined) return 'malformed_signature'
  const timestamp = readTimestamp(headers, 'x-svc-webhook-timestamp')
  if (typeof timestamp !== 'object') return timestamp
  const given = hexToBytes(hex)
  const isSigned = secrets.some((secret) =>
    isSameDigest(digest(toBytes(secret), `${timestamp.text}.`, rawBody), given),
  )
  return isSigned ? timestamp : 'signature_mismatch'
}

/** `v1,` and base64, several of them separated by spaces, of `<id>.<timestamp>.<raw body>` under the
 * bytes that the secret encodes. */
function verifyStandard(
  { headers, rawBody }: ReceivedDelivery,
  secrets: readonly string[],
  signatures: string,
): Signed | WebhookRefusal {
  const given = signatures.split(' ').flatMap((one) => {
    const base64 = /^v1,([0-9A-Za-z+/]{43}=)$/.exec(one)?.[1]
    return base64 === undefined ? [] : [base64ToBytes(base64)]
  })
  if (given.length === 0) return 'malformed_signature'
  const id = readHeader(headers, 'webhook-id')
  if (id === undefined) return 'missing_id'
  const timestamp = readTimestamp(headers, 'webhook-timestamp')
  if (typeof timestamp !== 'object') return timestamp
  const isSigned = secrets.some((secret) => {
    const key = /^whsec_([0-9A-Za-z+/]{43}=)$/.exec(secret)?.[1]
    if (key === undefined) return false
    const expected = digest(base64ToBytes(key), `${id}.${timestamp.text}.`, rawBody)
    return given.some((one) => isSameDigest(expected, one))
  })
  return isSigned ? timestamp : 'signature_mismatch'
}

function readTimestamp(
  headers: ReceivedHeaders,
  name: string,
): (Signed & { text: string }) | WebhookRefusal {
  const text = readHeader(headers, name)
  if (text === undefined) return 'missing_timestamp'
  if (!/^[0-9]{1,12}$/.test(text)) return 'malformed_timestamp'
  return { text, timestampSeconds: Number(text) }
}

function digest(key: Uint8Array, prefix: string, rawBody: Uint8Array | string): Uint8Array {
  const mac = hmac.create(sha256, key).update(toBytes(prefix))
  return mac.update(toBytes(rawBody)).digest()
}

const base64ToBytes = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

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

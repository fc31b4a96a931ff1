import type { Signer } from './private-key.ts'

/** Everything about a request that its signature covers. */
export type SignedParts = {
  keyId: string
  /** Unix seconds, as sent in `X-SVC-Timestamp`. */
  timestamp: string
  method: string
  /** Path and query exactly as they go over the wire, for example `/v1/webhooks?limit=10`. */
  target: string
  idempotencyKey?: string | undefined
  /** The raw body exactly as sent; absent for a request without one. */
  body?: string | Uint8Array | undefined
}

/**
 * The seven lines that a request signature covers (interface, Authentication), joined by `\n`
 * without a trailing newline. An absent value is an empty line.
 */
export async function stringToSign(parts: SignedParts): Promise<string> {
  return [
    'SVC-ED25519-V1',
    parts.keyId,
    parts.timestamp,
    parts.method.toUpperCase(),
    parts.target,
    parts.idempotencyKey ?? '',
    await sha256Hex(parts.body ?? ''),
  ].join('\n')
}

/** The authentication headers of a request, `Idempotency-Key` included when it has one. */
export async function signRequest(
  parts: SignedParts,
  sign: Signer,
): Promise<Record<string, string>> {
  const message = new TextEncoder().encode(await stringToSign(parts))
  const headers: Record<string, string> = {
    'X-SVC-Key-Id': parts.keyId,
    'X-SVC-Timestamp': parts.timestamp,
    'X-SVC-Signature': btoa(String.fromCharCode(...(await sign(message)))),
  }
  if (parts.idempotencyKey !== undefined) headers['Idempotency-Key'] = parts.idempotencyKey
  return headers
}

async function sha256Hex(body: string | Uint8Array): Promise<string> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

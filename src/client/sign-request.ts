import type { Signer } from './private-key.ts'

export type SignedParts = {
  keyId: string
  timestamp: string
  method: string
  /** Path and query exactly as sent, for example `/v1/webhooks?limit=10`. */
  target: string
  idempotencyKey?: string | undefined
  /** Exactly as sent; absent without a body. */
  body?: string | Uint8Array | undefined
}

/** Seven lines joined by `\n`, without a trailing newline. An absent value is an empty line. */
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

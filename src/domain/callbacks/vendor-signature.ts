import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type VendorMessage = {
  /** Unix seconds, ten digits. */
  timestamp: string
  method: string
  target: string
  /** The call's or callback's Idempotency-Key. */
  id: string
  body: Buffer | string
}

export function vendorStringToSign({ timestamp, method, target, id, body }: VendorMessage): string {
  const bodyHash = createHash('sha256').update(body).digest('hex')
  return ['SVC-HMAC-V1', timestamp, method, target, id, bodyHash].join('\n')
}

export function signVendorMessage(message: VendorMessage, secret: string): string {
  return `sha256=${hmac(vendorStringToSign(message), secret).toString('hex')}`
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i

/** Constant time. Several secrets let one be replaced without a pause. */
export function verifyVendorMessage(
  message: VendorMessage,
  signature: string,
  secrets: readonly string[],
): boolean {
  const given = Buffer.from(SIGNATURE.exec(signature)?.[1] ?? '', 'hex')
  const text = vendorStringToSign(message)
  let isGenuine = false
  for (const secret of secrets) {
    const expected = hmac(text, secret)
    const matches = given.length === expected.length && timingSafeEqual(given, expected)
    isGenuine = isGenuine || matches
  }
  return isGenuine
}

function hmac(text: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}

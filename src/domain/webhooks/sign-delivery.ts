import { createHmac } from 'node:crypto'

/**
 * The value of `X-SVC-Webhook-Signature` (interface, Deliveries to the tenant): `sha256=` and the hex
 * HMAC-SHA256 of the timestamp in unix seconds, a dot and the body exactly as sent. The key is the
 * UTF-8 bytes of the whole secret as the tenant received it, prefix included.
 */
export function signDelivery(
  secret: string,
  timestampSeconds: number,
  body: Buffer | string,
): string {
  const hmac = createHmac('sha256', secret).update(`${timestampSeconds}.`).update(body)
  return `sha256=${hmac.digest('hex')}`
}

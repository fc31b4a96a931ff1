import { createHmac } from 'node:crypto'

/** The key is the UTF-8 bytes of the whole secret, prefix included (interface, Deliveries). */
export function signDelivery(
  secret: string,
  timestampSeconds: number,
  body: Buffer | string,
): string {
  const hmac = createHmac('sha256', secret).update(`${timestampSeconds}.`).update(body)
  return `sha256=${hmac.digest('hex')}`
}

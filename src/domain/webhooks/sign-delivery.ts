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

/** The signature of Standard Webhooks. The key is what the base64 after `whsec_` encodes. */
export function signStandardWebhook(
  secret: string,
  { eventId, timestampSeconds }: { eventId: string; timestampSeconds: number },
  body: Buffer | string,
): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const hmac = createHmac('sha256', key).update(`${eventId}.${timestampSeconds}.`).update(body)
  return `v1,${hmac.digest('base64')}`
}

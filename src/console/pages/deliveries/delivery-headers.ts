import type { AttemptOf } from './attempt.tsx'

type Header = readonly [name: string, value: string]
type Sent = Pick<AttemptOf, 'at' | 'number'>

const secondsOf = ({ at }: Sent) => String(Math.floor(Date.parse(at) / 1_000))

/** As the service sends them, beside those of HTTP itself. */
export function sentHeaders(attempt: Sent, eventId: string): readonly Header[] {
  return [
    ['content-type', 'application/json'],
    ['accept-encoding', 'identity'],
    ['user-agent', 'lending-service-webhooks/1'],
    ['X-SVC-Webhook-Timestamp', secondsOf(attempt)],
    ['X-SVC-Event-Id', eventId],
    ['X-SVC-Delivery-Attempt', String(attempt.number)],
  ]
}

/** Sent while there is a signing secret; the second three are those of Standard Webhooks. */
export function signatureHeaders(attempt: Sent, eventId: string): readonly Header[] {
  return [
    ['X-SVC-Webhook-Signature', 'sha256=<hex of timestamp.body>'],
    ['webhook-id', eventId],
    ['webhook-timestamp', secondsOf(attempt)],
    ['webhook-signature', 'v1,<base64 of id.timestamp.body>'],
  ]
}

export function printHeaders(headers: readonly Header[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
}

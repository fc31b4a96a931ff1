/** One attempt to deliver one event to one webhook. */
export type DeliveryRequest = {
  /** As accepted by `parseWebhookUrl`. */
  url: string
  /** Sent byte for byte; the same on every attempt. */
  body: Buffer
  eventId: string
  /** Counts from 1, per event. */
  attempt: number
  /** The tenant's signing secret as of this attempt; undefined sends the delivery unsigned. */
  secret: string | undefined
  /** The span that has written the event, where traces are on. Not sent. */
  traceparent?: string | undefined
}

/**
 * Why no answer came.
 * - `dns`: the name has no address, or its name servers failed
 * - `connect`: refused, unreachable, reset, closed before the end of the answer, or not HTTP
 * - `tls`: the handshake failed or the certificate is not valid for the host
 * - `timeout`: the deadline passed, in whatever phase
 * - `address_not_allowed`: the host leads to an address that the policy refuses
 * - `body_too_large`: a 2xx whose body is longer than is read
 */
export type DeliveryError =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'address_not_allowed'
  | 'body_too_large'

/**
 * What came of an attempt: a status or an error, never both. A 2xx counts once its body has arrived
 * in full. Any other status has failed at its status line, so it is reported whatever became of its
 * body: the endpoint's own 500 tells its owner more than our `body_too_large` would.
 */
export type DeliveryOutcome = {
  /** From the start of the attempt to its end, whole milliseconds. */
  durationMs: number
} & (
  | {
      /** True for any 2xx. */
      succeeded: boolean
      status: number
      error: undefined
      /** The first 1 KiB of the body, safe to store: no NUL and no other control characters. */
      bodyExcerpt: string
    }
  | { succeeded: false; status: undefined; error: DeliveryError; bodyExcerpt: '' }
)

/** Posts deliveries to tenants' endpoints (interface, Deliveries to the tenant). */
export type WebhookSender = {
  /** Makes one attempt, signed and stamped as of `now`. Never rejects. */
  send(request: DeliveryRequest, now: Date): Promise<DeliveryOutcome>
  /** Lets attempts in flight end, then closes every connection. No `send` may follow. */
  close(): Promise<void>
}

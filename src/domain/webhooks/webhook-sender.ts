export type DeliveryRequest = {
  url: string
  body: Buffer
  eventId: string
  attempt: number
  secret: string | undefined
  traceparent?: string | undefined
}

/** `dns`: no address, or no name server. `connect`: no HTTP answer. `timeout`: in any phase.
 * `address_not_allowed`: refused by the policy. */
export type DeliveryError = 'dns' | 'connect' | 'tls' | 'timeout' | 'address_not_allowed'

/** A status or an error, never both. The status line alone decides, whatever happens to the body. */
export type DeliveryOutcome = {
  durationMs: number
  /** What the `Retry-After` of a 429 or 503 asks for, from the answer on. */
  retryAfterMs?: number
} & (
  | {
      succeeded: boolean
      status: number
      error: undefined
      /** The first 1 KiB without control characters, safe to store. */
      bodyExcerpt: string
    }
  | { succeeded: false; status: undefined; error: DeliveryError; bodyExcerpt: '' }
)

export type WebhookSender = {
  send(request: DeliveryRequest, now: Date): Promise<DeliveryOutcome>
  /** Waits for attempts in progress. No `send` may follow. */
  close(): Promise<void>
}

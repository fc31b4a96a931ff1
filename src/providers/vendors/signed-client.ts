import type { z } from 'zod'
import type { Clock } from '../../core/time.ts'
import { signVendorMessage } from '../../core/vendor-signature.ts'
import type { GuardedHttp } from './guarded-http.ts'

/** Where a vendor is, and what proves to each side who the other is. */
export type VendorSettings = {
  url: string
  token: string
  signingSecret: string
  /** Each is accepted: a new one beside the old while it is replaced. */
  callbackSecrets: readonly string[]
}

export type VendorCall<Answer> = {
  /** The collection, and what is asked of a member of it if it is not the member itself. */
  operation: string
  /** Our id of the call. Sent with dots for slashes, in the path and as Idempotency-Key. */
  callId: string
  body: object
  answer: z.ZodType<Answer>
  /** How long the answer may be; 256 KiB where absent. */
  maxAnswerBytes?: number
}

/** Speaks the service's own vendor contract (docs/providers.md): PUT under our id, signed. */
export type SignedClient = { put<Answer>(call: VendorCall<Answer>): Promise<Answer> }

/** An id as vendors see it: nothing that a path would have to escape. */
export function toWireId(callId: string): string {
  return callId.replaceAll('/', '.')
}

/** A client for one vendor over its guarded way. */
export function createSignedClient(
  http: GuardedHttp,
  settings: Pick<VendorSettings, 'url' | 'token' | 'signingSecret'>,
  clock: Clock,
): SignedClient {
  return {
    put({ operation, callId, body: content, answer, maxAnswerBytes }) {
      const id = toWireId(callId)
      const url = `${settings.url}/${operation}/${id}`
      const body = JSON.stringify(content)
      const timestamp = String(Math.floor(clock().getTime() / 1_000))
      const target = new URL(url).pathname
      const message = { timestamp, method: 'PUT', target, id, body }
      return http.send({
        operation,
        method: 'PUT',
        url,
        body,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${settings.token}`,
          'idempotency-key': id,
          'x-svc-timestamp': timestamp,
          'x-svc-signature': signVendorMessage(message, settings.signingSecret),
        },
        read: (given) => answer.parse(given),
        ...(maxAnswerBytes === undefined ? {} : { maxAnswerBytes }),
      })
    },
  }
}

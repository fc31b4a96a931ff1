import type { z } from 'zod'
import type { Clock } from '../../core/time.ts'
import { signVendorMessage } from '../../core/vendor-signature.ts'
import type { GuardedHttp } from './guarded-http.ts'

export type VendorSettings = {
  url: string
  token: string
  signingSecret: string
  /** All are accepted, so that a secret can be replaced. */
  callbackSecrets: readonly string[]
}

export type VendorCall<Answer> = {
  tenantId: string
  operation: string
  /** Sent with dots for slashes, in the path and as Idempotency-Key. */
  callId: string
  /** What the call is about; default the first part of `callId`. */
  subject?: string
  /** Sent with the tenant's id. */
  body: object
  answer: z.ZodType<Answer>
  maxAnswerBytes?: number
}

/** A signed PUT under our id (docs/providers.md). */
export type SignedClient = { put<Answer>(call: VendorCall<Answer>): Promise<Answer> }

/** Needs no escaping in a path. */
export function toWireId(callId: string): string {
  return callId.replaceAll('/', '.')
}

export function createSignedClient(
  http: GuardedHttp,
  settings: Pick<VendorSettings, 'url' | 'token' | 'signingSecret'>,
  clock: Clock,
): SignedClient {
  return {
    put({ tenantId, operation, callId, body: content, answer, ...options }) {
      const id = toWireId(callId)
      const url = `${settings.url}/${operation}/${id}`
      const body = JSON.stringify({ tenant_id: tenantId, ...content })
      const timestamp = String(Math.floor(clock().getTime() / 1_000))
      const target = new URL(url).pathname
      const message = { timestamp, method: 'PUT', target, id, body }
      const { subject = callId.split('/')[0] ?? callId, maxAnswerBytes } = options
      return http.send({
        operation,
        caller: { tenantId, subject },
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

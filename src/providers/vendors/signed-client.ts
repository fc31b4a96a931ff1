import type { z } from 'zod'
import type { Clock } from '../../core/time.ts'
import { signVendorMessage } from '../../domain/callbacks/vendor-signature.ts'
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

/** A signed PUT under our id (docs/provider-contract.md). */
export type SignedClient = { put<Answer>(call: VendorCall<Answer>): Promise<Answer> }

/** The number of the contract, sent with each call. A change that an adapter of this number would
 * not understand gets a new one. */
export const PROVIDER_CONTRACT = '1'

export type SignedCall = { url: string; body: string; headers: Record<string, string> }

type CallSettings = Pick<VendorSettings, 'url' | 'token' | 'signingSecret'>

/** Needs no escaping in a path. */
export function toWireId(callId: string): string {
  return callId.replaceAll('/', '.')
}

/** The PUT of a call as it goes out at `now`. */
export function signCall(
  { tenantId, operation, callId, body: content }: Omit<VendorCall<unknown>, 'answer'>,
  settings: CallSettings,
  now: Date,
): SignedCall {
  const id = toWireId(callId)
  const url = `${settings.url}/${operation}/${id}`
  const body = JSON.stringify({ tenant_id: tenantId, ...content })
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const message = { timestamp, method: 'PUT', target: new URL(url).pathname, id, body }
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${settings.token}`,
    'idempotency-key': id,
    'x-provider-contract': PROVIDER_CONTRACT,
    'x-svc-timestamp': timestamp,
    'x-svc-signature': signVendorMessage(message, settings.signingSecret),
  }
  return { url, body, headers }
}

export function createSignedClient(
  http: GuardedHttp,
  settings: CallSettings,
  clock: Clock,
): SignedClient {
  return {
    put(call) {
      const { tenantId, operation, callId, answer, maxAnswerBytes } = call
      const { subject = callId.split('/')[0] ?? callId } = call
      return http.send({
        operation,
        caller: { tenantId, subject },
        method: 'PUT',
        ...signCall(call, settings, clock()),
        read: (given) => answer.parse(given),
        ...(maxAnswerBytes === undefined ? {} : { maxAnswerBytes }),
      })
    },
  }
}

import ipaddr from 'ipaddr.js'
import type { Refusal } from '../../core/errors.ts'
import type { LimitClass } from '../../core/limits/limit-classes.ts'
import { rateLimited } from './admit.ts'
import type { BucketDecision, TokenBuckets } from './token-buckets.ts'

/** Classes that count by source: failing requests, and those of the console without a session. */
export type FailureClass = Extract<LimitClass, 'unverified' | 'console_sign_in'>

/**
 * A failed lookup is our error; what another site makes a browser send is not that person's. A wrong time costs us
 * no lookup, and a 429 in its place would hide the right one: a client that one API with a wrong clock has led
 * astray could not come back.
 */
const UNCOUNTED: ReadonlySet<string> = new Set([
  'internal',
  'unavailable',
  'cross_origin',
  'timestamp_out_of_range',
])

/**
 * Counts a failed request against its source address. Returns its refusal, or a 429 for a source
 * over its limit.
 */
export async function countUnverified(
  buckets: TokenBuckets,
  address: string | undefined,
  refusal: Refusal,
  limitClass: FailureClass = 'unverified',
): Promise<{ decision: BucketDecision; refusal: Refusal }> {
  const source = { source: sourceOf(address) }
  if (UNCOUNTED.has(refusal.code)) {
    return { decision: await buckets.peek(source, limitClass), refusal }
  }
  const decision = await buckets.take(source, limitClass)
  if (decision.allowed) return { decision, refusal }
  return { decision, refusal: rateLimited(decision, limitClass) }
}

/** 429 for a source over its failure limit; counts nothing. */
export async function refuseExhausted(
  buckets: TokenBuckets,
  address: string,
  limitClass: FailureClass = 'unverified',
): Promise<Refusal | undefined> {
  const decision = await buckets.peek({ source: sourceOf(address) }, limitClass)
  return decision.allowed ? undefined : rateLimited(decision, limitClass)
}

/** The IPv4 address, or the /64 of an IPv6 address: one customer's network. */
export function sourceOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().fill(0, 8)
  return `${ipaddr.fromByteArray(network).toString()}/64`
}

import { parseId } from '../../../src/core/ids.ts'
import type { Receivers } from '../actors/receivers.ts'
import type { Tenant } from '../actors/tenant.ts'
import { type Disturbances, EVERYTHING, IN_HAND, type Target } from '../disturbances.ts'

/** The endpoint of a tenant's that always answers: what is late there is the worker's doing. */
export const steadyPathOf = (name: string) => `/${name}/steady`

/** What the run promises of time, in milliseconds. */
const ANSWERED_MS = 10_000
const DELIVERED_MS = 10_000

/** What must be well for an answer, and for a delivery; Redis need never be. */
const FOR_ANSWERS: Target[] = [EVERYTHING, 'api', 'postgres']
const FOR_DELIVERIES: Target[] = [...FOR_ANSWERS, 'worker', IN_HAND]

type Evidence = {
  tenants: readonly Tenant[]
  receivers: Receivers
  disturbances: Disturbances
  say(line: string): void
}

/** Of 99 answers in 100, and of each first attempt: given in time, with Redis and without. */
export function checkTimes({ tenants, receivers, disturbances, say }: Evidence): string[] {
  const undisturbed = (targets: readonly Target[]) => (span: Span) =>
    disturbances.undisturbedMs(span.from, span.to, targets)
  const withoutRedis = (span: Span) =>
    disturbances.undisturbedMs(span.from, span.to, ['redis']) < span.to - span.from
  const waits = tenants.flatMap((tenant) => tenant.waits)
  const attempts = firstAttempts(tenants, receivers)
  const checks = [
    { what: 'answers', spans: waits, needed: FOR_ANSWERS, share: 0.99, bound: ANSWERED_MS },
    {
      what: 'first attempts',
      spans: attempts,
      needed: FOR_DELIVERIES,
      share: 1,
      bound: DELIVERED_MS,
    },
  ]
  return checks.flatMap(({ what, spans, needed, share, bound }) => {
    const cases = { all: spans, 'without Redis': spans.filter(withoutRedis) }
    return Object.entries(cases).flatMap(([which, chosen]) => {
      const sorted = chosen.map(undisturbed(needed)).sort((a, b) => a - b)
      const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share))
      const ms = Math.round(sorted[at] ?? 0)
      say(
        `${what}, ${which}: ${sorted.length}, ${share * 100} % within ${ms} ms, longest ${Math.round(sorted.at(-1) ?? 0)}`,
      )
      return ms > bound
        ? [`${what}, ${which}: ${share * 100} % only within ${ms} ms, where ${bound} are promised`]
        : []
    })
  })
}

type Span = { from: number; to: number }

/** From each event's own instant to its arrival at an endpoint that always answers. */
function firstAttempts(tenants: readonly Tenant[], receivers: Receivers): Span[] {
  const steady = new Set(tenants.map(({ name }) => steadyPathOf(name)))
  return receivers.received
    .filter(({ path, attempt }) => attempt === 1 && steady.has(path))
    .map(({ eventId, at, instant }) => {
      const madeAt = parseId('evt', eventId)?.madeAt
      if (!madeAt) throw new Error(`a delivery came with the event id ${eventId}`)
      return { from: instant - (at - madeAt.getTime()), to: instant }
    })
}

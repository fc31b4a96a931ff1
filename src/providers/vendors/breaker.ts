import { addMs } from '../../core/time.ts'
import type { BreakerState } from '../../domain/operations/provider-calls.ts'

/** The item of a tenant that a call is about. */
export type Caller = { tenantId: string; subject: string }

/** `unreachable`: no answer came, whatever was asked. `faulty`: an answer that may follow from what was
 * asked. `refused`: an answer that shows that the provider works, and nothing about what it was asked. */
export type Outcome = 'answered' | 'refused' | 'faulty' | 'unreachable'

export type BreakerLimits = {
  /** In a row, without a success of any tenant. */
  failures: number
  pauseMs: number
}

/** The failures since the last success. */
type Failures = { since: Date; count: number; unreachable: number; callers: readonly Caller[] }

export type Breaker = {
  state: BreakerState
  failures: Failures | undefined
  /** While not closed: whose calls wait, and when each may try next. */
  held:
    | { from: Date; tenant: 'all' | { id: string }; nextTry: ReadonlyMap<string, Date> }
    | undefined
}

export type Call = {
  caller: Caller | undefined
  /** Such as `payouts`. */
  operation: string
  hasFailed: boolean
  now: Date
}

export const CLOSED: Breaker = { state: 'closed', failures: undefined, held: undefined }

/** `half_open` while a call tries: one of each tenant and operation in a pause, of an item that has not
 * failed before. Items that have are no test, and one is repeated in a pause only once a further pause has
 * brought no answer: nothing else may be left to call about. Each operation has its own try, so that a
 * tenant's new reports, however many fail, do not hold its payouts, nor its readings a sale. */
export function admit(
  breaker: Breaker,
  { caller, operation, hasFailed, now }: Call,
  { pauseMs }: BreakerLimits,
): { breaker: Breaker; isAdmitted: boolean } {
  const { held } = breaker
  if (!held) return { breaker, isAdmitted: true }
  if (held.tenant !== 'all' && held.tenant.id !== caller?.tenantId) {
    return { breaker, isAdmitted: true }
  }
  const key = `${caller?.tenantId} ${operation} ${hasFailed}`
  const firstTryAt = addMs(held.from, hasFailed ? 2 * pauseMs : pauseMs)
  if (now < (held.nextTry.get(key) ?? firstTryAt)) return { breaker, isAdmitted: false }
  const nextTry = new Map(held.nextTry).set(key, addMs(now, pauseMs))
  const state = hasFailed ? breaker.state : 'half_open'
  return { breaker: { ...breaker, state, held: { ...held, nextTry } }, isAdmitted: true }
}

export function record(
  breaker: Breaker,
  { caller, outcome, now }: Pick<Call, 'caller' | 'now'> & { outcome: Outcome },
  { failures: limit }: BreakerLimits,
): Breaker {
  if (outcome === 'answered') return CLOSED
  // A refusal is no success between failures, and an outage ends with it.
  if (outcome === 'refused') return breaker.held ? CLOSED : breaker
  const all = addFailure(breaker.failures, { caller, outcome, now })
  const failures = { ...all, callers: all.callers.slice(-Math.max(limit, 2)) }
  const tenant = breaker.held?.tenant === 'all' ? 'all' : tenantToHold(failures, limit)
  if (tenant === undefined) return { state: 'closed', failures, held: undefined }
  const isHeld = breaker.held && (breaker.held.tenant === 'all' || tenant !== 'all')
  const held = isHeld ? breaker.held : { from: now, tenant, nextTry: new Map() }
  return { state: 'open', failures, held }
}

function tenantToHold(
  { count, unreachable, callers }: Failures,
  limit: number,
): 'all' | { id: string } | undefined {
  const tenants = new Set(callers.map(({ tenantId }) => tenantId))
  if (unreachable >= limit || (count >= limit && tenants.size > 1)) return 'all'
  const [id] = tenants
  return callers.length >= limit && id !== undefined ? { id } : undefined
}

function addFailure(
  before: Failures | undefined,
  { caller, outcome, now }: { caller: Caller | undefined; outcome: Outcome; now: Date },
): Failures {
  const { since, count, unreachable, callers } = before ?? NO_FAILURES(now)
  const isKnown = callers.some(
    ({ tenantId, subject }) => tenantId === caller?.tenantId && subject === caller?.subject,
  )
  return {
    since,
    count: count + 1,
    // What no tenant asked for follows from no tenant's input.
    unreachable: unreachable + (outcome === 'unreachable' || !caller ? 1 : 0),
    callers: isKnown || !caller ? callers : [...callers, caller],
  }
}

const NO_FAILURES = (since: Date): Failures => ({ since, count: 0, unreachable: 0, callers: [] })

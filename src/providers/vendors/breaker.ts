import { addMs } from '../../core/time.ts'
import type { BreakerState } from '../../domain/operations/provider-calls.ts'

/** The item of a tenant that a call is about. */
export type Caller = { tenantId: string; subject: string }

/** `unreachable`: no answer came, whatever was asked. `faulty`: an answer that may follow from what was
 * asked. `refused`: an answer, such as a 4xx, that follows from what was asked. */
export type Outcome = 'answered' | 'refused' | 'faulty' | 'unreachable'

export type BreakerLimits = {
  /** In a row, without a success of any tenant. */
  failures: number
  /** Older failures do not count. */
  windowMs: number
  /** Between two tries while the breaker is open. */
  pauseMs: number
}

type Failure = {
  at: Date
  /** Undefined for a call that no tenant asked for, which follows from no tenant's input. */
  caller: Caller | undefined
  isOutage: boolean
}

type Held = 'all' | { id: string }

export type Breaker = {
  state: BreakerState
  /** Since the last success, oldest first. */
  failures: readonly Failure[]
  /** While not closed: whose calls wait since `from`, and when each may try next. `since` is the time of
   * the oldest failure that counted when it opened. */
  held:
    | {
        since: Date
        from: Date
        tenant: Held
        nextTry: ReadonlyMap<string, Date>
      }
    | undefined
}

export type Call = {
  caller: Caller | undefined
  /** Such as `payouts`. */
  operation: string
  hasFailed: boolean
  now: Date
}

export const CLOSED: Breaker = { state: 'closed', failures: [], held: undefined }

/** Far more than a closed breaker can hold: five of each kind of fewer than five items. */
export const MAX_REMEMBERED = 100

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

/** A success of any tenant closes the breaker and clears the failures. Failures that are younger than the
 * window open it, and time alone does not close it again. A refusal is neither failure nor success: a
 * tenant whose inputs are always refused must not close what the failures of others have opened, and a
 * gateway refuses calls while the provider behind it is down. */
export function record(
  breaker: Breaker,
  { caller, outcome, now }: Pick<Call, 'caller' | 'now'> & { outcome: Outcome },
  limits: BreakerLimits,
): Breaker {
  const { held } = breaker
  if (outcome === 'answered') return CLOSED
  if (outcome === 'refused') return { ...breaker, state: held ? 'open' : 'closed' }
  // The failure of our own call follows from no input.
  const isOutage = outcome === 'unreachable' || !caller
  const failures = remember(breaker.failures, { at: now, caller, isOutage }, limits)
  const tenant = held?.tenant === 'all' ? 'all' : (tenantToHold(failures, limits) ?? held?.tenant)
  if (tenant === undefined) return { state: 'closed', failures, held }
  if (held && isSame(held.tenant, tenant)) return { state: 'open', failures, held }
  const since = held?.since ?? failures[0]?.at ?? now
  return { state: 'open', failures, held: { since, from: now, tenant, nextTry: new Map() } }
}

const isSame = (one: Held, other: Held) =>
  one === 'all' || other === 'all' ? one === other : one.id === other.id

function tenantToHold(
  failures: readonly Failure[],
  { failures: limit }: BreakerLimits,
): Held | undefined {
  const callers = failures.flatMap(({ caller }) => caller ?? [])
  const tenants = new Set(callers.map(({ tenantId }) => tenantId))
  const outages = failures.filter(({ isOutage }) => isOutage)
  if (outages.length >= limit || (failures.length >= limit && tenants.size > 1)) return 'all'
  const [id] = tenants
  const items = new Set(callers.map(({ subject }) => subject))
  return items.size >= limit && id !== undefined ? { id } : undefined
}

/** Of one item and kind as many as can open a breaker, so that its repetitions displace no others. */
function remember(
  before: readonly Failure[],
  failure: Failure,
  { failures: limit, windowMs }: BreakerLimits,
): readonly Failure[] {
  const from = addMs(failure.at, -windowMs)
  const recent = before.filter(({ at }) => at > from)
  const alike = recent.filter(
    ({ caller, isOutage }) =>
      caller?.tenantId === failure.caller?.tenantId &&
      caller?.subject === failure.caller?.subject &&
      isOutage === failure.isOutage,
  )
  const kept = alike.length < limit ? recent : recent.filter((one) => one !== alike[0])
  return [...kept, failure].slice(-MAX_REMEMBERED)
}

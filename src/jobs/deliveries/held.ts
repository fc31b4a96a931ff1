import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { addMs, SECOND_MS } from '../../core/time.ts'
import type { FinishedAttempt } from '../../domain/deliveries/attempt.ts'
import type { LostDelivery } from '../../domain/deliveries/claim.ts'

/** All that this process has claimed of a lane and not recorded. It outlives the run that has claimed it. */
export type Held = {
  lease: string
  leasedUntil: Date
  /** Attempts under way, by number. They do not reject. */
  underWay: Map<bigint, Promise<void>>
  ended: FinishedAttempt[]
  lost: LostDelivery[]
  /** Numbers whose attempts failed by a mistake of the sender: they are left to the lease's end. */
  stuck: bigint[]
  portion: Portion
  signal: Signal
  pauseMs: number
  /** Resolves once nothing is held. */
  hasEnded: Promise<void>
}

/** The time in which a lane may claim, and how runs end that wait for its end. */
type Portion = {
  /** It has not begun: only what is under way goes on. */
  restsUntil: Date | undefined
  /** Undefined until its first turn, which may wait for a connection. */
  until: Date | undefined
  hasClaimed: boolean
  outcome: PromiseWithResolvers<'done' | 'more'>
}

/** A lane with attempts under way waits so long for its next run, which may have come to another process. Then
 * it claims without one. */
const REST_MS = SECOND_MS

const FIRST_PAUSE_MS = 20
const LAST_PAUSE_MS = 5 * SECOND_MS
const LAST_RECORD_PAUSE_MS = 500

const createPortion = (restsUntil?: Date): Portion => ({
  ...{ restsUntil, until: undefined, hasClaimed: false },
  outcome: Promise.withResolvers(),
})

export const createHeld = (now: Date): Held => ({
  ...{ lease: randomUUID(), leasedUntil: now, underWay: new Map(), ended: [], lost: [], stuck: [] },
  ...{ portion: createPortion(), signal: createSignal(), pauseMs: FIRST_PAUSE_MS },
  hasEnded: Promise.resolve(),
})

/** A run has come: the lane may claim. */
export function beginPortion({ portion, signal }: Held): void {
  portion.restsUntil = undefined
  signal.raise()
}

/** Ends the runs that wait; the next portion begins after a rest. */
export function endPortion(held: Held, now: Date): void {
  held.portion.outcome.resolve('more')
  held.portion = createPortion(addMs(now, REST_MS))
}

/** Short while something is held, so that attempts are recorded within their lease if the database is back. */
export async function pauseAfterFailure(held: Held): Promise<void> {
  await setTimeout(held.pauseMs)
  const isHolding = held.ended.length + held.underWay.size > 0
  held.pauseMs = Math.min(2 * held.pauseMs, isHolding ? LAST_RECORD_PAUSE_MS : LAST_PAUSE_MS)
}

export function forgetFailures(held: Held): void {
  held.pauseMs = FIRST_PAUSE_MS
}

type Signal = ReturnType<typeof createSignal>

/** Raised by an attempt that ends, or by a caller who knows of something new. */
function createSignal() {
  let raised = Promise.withResolvers<void>()
  const signal = {
    isRaised: false,
    raise() {
      signal.isRaised = true
      raised.resolve()
    },
    reset() {
      signal.isRaised = false
      raised = Promise.withResolvers()
    },
    /** Until it is raised, or so many milliseconds. */
    async wait(mostMs: number | undefined) {
      if (mostMs === undefined) return await raised.promise
      const late = new AbortController()
      const pause = setTimeout(Math.max(0, mostMs), undefined, { signal: late.signal })
      await Promise.race([raised.promise, pause.catch(() => undefined)])
      late.abort()
    },
  }
  return signal
}

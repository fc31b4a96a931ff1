import { type Clock, MINUTE_MS } from '../../core/time.ts'
import {
  type BreakerState,
  CALL_BOUNDS_MS,
  type ProviderCalls,
} from '../../domain/operations/provider-calls.ts'
import type { CallWatch } from './guarded-http.ts'

/** This minute and the four before it. */
const MINUTES = 5

type Minute = {
  at: number
  answered: number
  failed: number
  heldBack: number
  durations: number[]
}

type Seen = {
  breaker: BreakerState
  breakerSince: Date
  minutes: Minute[]
  lastFailure: ProviderCalls['lastFailure']
}

/** Keeps what a process has seen of its providers in the last five minutes, for its report. */
export function createCallWindows(clock: Clock): CallWatch & { read(): ProviderCalls[] } {
  const byProvider = new Map<string, Seen>()

  const seenOf = (provider: string): Seen => {
    const known = byProvider.get(provider)
    if (known) return known
    const seen: Seen = {
      ...{ breaker: 'closed', breakerSince: clock(), minutes: [], lastFailure: undefined },
    }
    byProvider.set(provider, seen)
    return seen
  }

  return {
    onCall(provider, _operation, outcome, seconds) {
      const seen = seenOf(provider)
      const minute = minuteOf(seen, clock())
      if (outcome === 'breaker_open' || outcome === 'busy') {
        minute.heldBack += 1
        return
      }
      if (outcome === 'answered') minute.answered += 1
      else minute.failed += 1
      if (outcome !== 'answered') seen.lastFailure = { outcome, at: clock() }
      const fits = CALL_BOUNDS_MS.findIndex((bound) => seconds * 1_000 <= bound)
      const at = fits === -1 ? CALL_BOUNDS_MS.length : fits
      minute.durations[at] = (minute.durations[at] ?? 0) + 1
    },
    onBreaker(provider, state) {
      Object.assign(seenOf(provider), { breaker: state, breakerSince: clock() })
    },
    read: () => [...byProvider].map(([provider, seen]) => toCalls(provider, seen, clock())),
  }
}

const minuteAt = (now: Date) => Math.floor(now.getTime() / MINUTE_MS)

function recentMinutes({ minutes }: Seen, now: Date): Minute[] {
  return minutes.filter(({ at }) => at > minuteAt(now) - MINUTES)
}

function minuteOf(seen: Seen, now: Date): Minute {
  const at = minuteAt(now)
  const current = seen.minutes.find((minute) => minute.at === at)
  if (current) return current
  const minute = { at, answered: 0, failed: 0, heldBack: 0, durations: noDurations() }
  seen.minutes = [...recentMinutes(seen, now), minute]
  return minute
}

const noDurations = () => Array.from({ length: CALL_BOUNDS_MS.length + 1 }, () => 0)

function toCalls(provider: string, seen: Seen, now: Date): ProviderCalls {
  const minutes = recentMinutes(seen, now)
  const sum = (read: (minute: Minute) => number) =>
    minutes.reduce((total, minute) => total + read(minute), 0)
  const { breaker, breakerSince, lastFailure } = seen
  return {
    ...{ provider, breaker, breakerSince, lastFailure },
    answered: sum(({ answered }) => answered),
    failed: sum(({ failed }) => failed),
    heldBack: sum(({ heldBack }) => heldBack),
    durations: noDurations().map((_, at) => sum(({ durations }) => durations[at] ?? 0)),
  }
}

export type BreakerState = 'closed' | 'half_open' | 'open'

/** Upper ends of the classes of duration; one more class is above the last. */
export const CALL_BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000] as const

/** What one process has seen of a provider: its breaker now, its calls of the last minutes. */
export type ProviderCalls = {
  provider: string
  breaker: BreakerState
  breakerSince: Date
  answered: number
  failed: number
  heldBack: number
  /** Of the calls that were sent, by class of `CALL_BOUNDS_MS`. */
  durations: number[]
  lastFailure?: { outcome: string; at: Date } | undefined
}

export type ProviderHealth = {
  provider: string
  /** The worst of all processes. */
  breaker: BreakerState
  answered: number
  failed: number
  heldBack: number
  /** At most this long took half, or 95 of a hundred, calls. Undefined without calls; infinite
   * above the last class. */
  p50Ms: number | undefined
  p95Ms: number | undefined
  lastFailure?: { outcome: string; at: Date } | undefined
  processes: { processId: string; breaker: BreakerState; breakerSince: Date }[]
}

const WORSE = { closed: 0, half_open: 1, open: 2 } as const

export function mergeProviders(
  processes: readonly { processId: string; providers: readonly ProviderCalls[] }[],
): ProviderHealth[] {
  const byName = new Map<string, { processId: string; calls: ProviderCalls }[]>()
  for (const { processId, providers } of processes) {
    for (const calls of providers) {
      byName.set(calls.provider, [...(byName.get(calls.provider) ?? []), { processId, calls }])
    }
  }
  return [...byName]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([provider, seen]) => mergeProvider(provider, seen))
}

function mergeProvider(
  provider: string,
  seen: readonly { processId: string; calls: ProviderCalls }[],
): ProviderHealth {
  const all = seen.map(({ calls }) => calls)
  const sum = (read: (calls: ProviderCalls) => number) =>
    all.reduce((total, calls) => total + read(calls), 0)
  const durations = Array.from({ length: CALL_BOUNDS_MS.length + 1 }, (_, at) =>
    sum((calls) => calls.durations[at] ?? 0),
  )
  return {
    provider,
    breaker: all.map(({ breaker }) => breaker).reduce((a, b) => (WORSE[b] > WORSE[a] ? b : a)),
    answered: sum(({ answered }) => answered),
    failed: sum(({ failed }) => failed),
    heldBack: sum(({ heldBack }) => heldBack),
    p50Ms: quantileMs(durations, 0.5),
    p95Ms: quantileMs(durations, 0.95),
    lastFailure: all
      .flatMap(({ lastFailure }) => lastFailure ?? [])
      .sort((one, other) => other.at.getTime() - one.at.getTime())[0],
    processes: seen.map(({ processId, calls: { breaker, breakerSince } }) => ({
      ...{ processId, breaker, breakerSince },
    })),
  }
}

/** The upper end of the class that has the call at this share. */
export function quantileMs(durations: readonly number[], share: number): number | undefined {
  const calls = durations.reduce((sum, count) => sum + count, 0)
  if (calls === 0) return undefined
  let counted = 0
  for (const [at, count] of durations.entries()) {
    counted += count
    if (counted >= calls * share) return CALL_BOUNDS_MS[at] ?? Number.POSITIVE_INFINITY
  }
  return Number.POSITIVE_INFINITY
}

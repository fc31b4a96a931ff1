/** What of the world is under a fault, and when it was. */
export type Disturbances = {
  isUnderFault(target: string): boolean
  /** Notes that a fault begins; call what it gives once the target is as well as before. */
  begin(target: string): () => void
  /**
   * How much of the time from `from` to `to` none of `targets` was under a fault, in milliseconds, as
   * instants of `performance.now()`. What is promised of one process counts only while those are well
   * that it needs.
   */
  undisturbedMs(from: number, to: number, targets: readonly Target[]): number
}

/** A process that faults are done to, all of a kind, or all at once. */
export type Target =
  | 'api'
  | 'worker'
  | 'postgres'
  | 'redis'
  | typeof EVERYTHING
  | typeof IN_HAND
  | `${'api' | 'worker'}-${number}`

type Span = { target: string; from: number; to: number }

/** Keeps the faults of one run. */
export function createDisturbances(now = () => performance.now()): Disturbances {
  const spans: Span[] = []
  const isOf = (targets: readonly Target[], name: string) =>
    targets.some((target) => name.startsWith(target))
  return {
    isUnderFault: (target) => spans.some((span) => span.target === target && span.to > now()),
    begin(target) {
      const span = { target, from: now(), to: Number.POSITIVE_INFINITY }
      spans.push(span)
      return () => {
        span.to = Math.min(span.to, now())
      }
    },
    undisturbedMs(from, to, targets) {
      let left = to - from
      let seen = from
      const others = spans.filter(({ target }) => isOf(targets, target))
      for (const span of others.sort((a, b) => a.from - b.from)) {
        const begin = Math.max(seen, span.from)
        const end = Math.min(to, span.to)
        if (end <= begin) continue
        left -= end - begin
        seen = end
      }
      return left
    },
  }
}

/** What a process had in hand when it was killed or stopped, until another process has it. */
export const IN_HAND = 'in hand'

/** The name of the target of a fault that kills all processes at once. */
export const EVERYTHING = 'all six'

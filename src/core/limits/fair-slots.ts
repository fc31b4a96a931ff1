import { Refusal } from '../errors.ts'

export type Release = () => void

export type FairSlots = {
  /** First come, first served for one name; names in turn by weight. Rejects after `waitMs`. */
  take(name: string): Release | Promise<Release>
  waiting(): number
}

export type FairSlotOptions = {
  total: number
  perName: number
  waitMs: number
  weightOf?: (name: string) => number
}

/** `pass` grows by 1/weight per slot waited for; the lowest is next. */
type Line = { inUse: number; pass: number; waiting: Set<Waiter> }
type Waiter = { grant: () => void }

export function createFairSlots(options: FairSlotOptions): FairSlots {
  const { total, perName, waitMs, weightOf = () => 1 } = options
  const lines = new Map<string, Line>()
  const ready = new Set<string>()
  let inUse = 0
  let waiting = 0
  let reached = 0

  function enlist(name: string, line: Line): void {
    if (line.waiting.size > 0 && line.inUse < perName) ready.add(name)
  }

  function nextReady(): string | undefined {
    let next: string | undefined
    let least = Number.POSITIVE_INFINITY
    for (const name of ready) {
      const pass = lines.get(name)?.pass ?? 0
      if (pass < least) {
        next = name
        least = pass
      }
    }
    return next
  }

  function dispatch(): void {
    while (inUse < total) {
      const name = nextReady()
      if (name === undefined) return
      ready.delete(name)
      const line = lines.get(name)
      const [first] = line?.waiting ?? []
      if (!line || !first) continue
      reached = line.pass
      line.pass += 1 / weightOf(name)
      first.grant()
      enlist(name, line)
    }
  }

  function occupy(name: string, line: Line): Release {
    inUse += 1
    line.inUse += 1
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      inUse -= 1
      line.inUse -= 1
      enlist(name, line)
      dispatch()
      if (line.inUse === 0 && line.waiting.size === 0) lines.delete(name)
    }
  }

  function wait(name: string, line: Line): Promise<Release> {
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const leave = () => {
      clearTimeout(timer)
      line.waiting.delete(waiter)
      waiting -= 1
    }
    const waiter = {
      grant: () => {
        leave()
        resolve(occupy(name, line))
      },
    }
    const timer = setTimeout(() => {
      leave()
      if (line.inUse === 0 && line.waiting.size === 0) lines.delete(name)
      reject(tooBusy())
    }, waitMs)
    // A name without waiters earns no credit.
    if (line.waiting.size === 0) line.pass = Math.max(line.pass, reached)
    line.waiting.add(waiter)
    waiting += 1
    enlist(name, line)
    return promise
  }

  return {
    waiting: () => waiting,
    take(name) {
      const line = lines.get(name) ?? { inUse: 0, pass: reached, waiting: new Set() }
      lines.set(name, line)
      const isFree = inUse < total && line.inUse < perName && line.waiting.size === 0
      return isFree ? occupy(name, line) : wait(name, line)
    },
  }
}

function tooBusy(): Refusal {
  const detail = 'Too many requests are in progress. This one did not run.'
  return new Refusal('unavailable', detail, { retryAfterSeconds: 1 })
}

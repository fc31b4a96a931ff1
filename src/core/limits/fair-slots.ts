import { Refusal } from '../errors.ts'

export type Release = () => void

export type FairSlots = {
  /** First come, first served for one name; names in turn by weight. Rejects after `waitMs`. */
  take(name: string): Release | Promise<Release>
  waiting(): number
}

export type SlotLimits = {
  total: number
  perName: number
  /** So many of the slots are left to names that hold none; default 0. */
  reserve?: number
}

export type FairSlotOptions = SlotLimits & {
  waitMs: number
  weightOf?: (name: string) => number
}

/** `pass` grows by 1/weight per slot waited for; the lowest is next. */
type Line = { inUse: number; pass: number; waiting: Set<Waiter> }
type Waiter = { grant: () => void }

/** Whether a name that holds so many slots may take one more. A name that holds none waits only while all
 * are in use: by `reserve` names with one each, and by others with a share of the rest. Each slot that is
 * then released goes to a name that holds none. */
export function mayTake(
  { held, inUse }: { held: number; inUse: number },
  { total, perName, reserve = 0 }: SlotLimits,
): boolean {
  if (held === 0) return inUse < total
  return held < perName && inUse < total - reserve
}

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
      const { pass = 0, inUse: held = 0 } = lines.get(name) ?? {}
      if (pass < least && mayTake({ held, inUse }, options)) {
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
      const isFree = line.waiting.size === 0 && mayTake({ held: line.inUse, inUse }, options)
      return isFree ? occupy(name, line) : wait(name, line)
    },
  }
}

function tooBusy(): Refusal {
  const detail = 'Too many requests are in progress. This one did not run.'
  return new Refusal('unavailable', detail, { retryAfterSeconds: 1 })
}

import { Refusal } from '../errors.ts'

/** Gives a slot back; once. */
export type Release = () => void

export type FairSlots = {
  /**
   * Takes a slot, or waits for one. Those of one name are served in the order in which they came,
   * names in turn. Rejects with `unavailable` after `waitMs`.
   */
  take(name: string): Promise<Release>
  /** How many wait at this moment. */
  waiting(): number
}

export type FairSlotOptions = { total: number; perName: number; waitMs: number }

type Line = { inUse: number; waiting: Set<Waiter> }
type Waiter = { grant: () => void }

/** Shares slots between names, so that one with many to serve delays another by one slot and no more. */
export function createFairSlots({ total, perName, waitMs }: FairSlotOptions): FairSlots {
  const lines = new Map<string, Line>()
  /** Names with one waiting and a slot of theirs left, the next to be served first. */
  const ready = new Set<string>()
  let inUse = 0
  let waiting = 0

  function enlist(name: string, line: Line): void {
    if (line.waiting.size > 0 && line.inUse < perName) ready.add(name)
  }

  function dispatch(): void {
    for (const name of ready) {
      if (inUse >= total) return
      ready.delete(name)
      const line = lines.get(name)
      const [first] = line?.waiting ?? []
      if (!line || !first) continue
      first.grant()
      // Behind the others: the loop comes to it again after them.
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
    line.waiting.add(waiter)
    waiting += 1
    enlist(name, line)
    return promise
  }

  return {
    waiting: () => waiting,
    async take(name) {
      const line = lines.get(name) ?? { inUse: 0, waiting: new Set() }
      lines.set(name, line)
      const isFree = inUse < total && line.inUse < perName && line.waiting.size === 0
      return isFree ? occupy(name, line) : await wait(name, line)
    },
  }
}

function tooBusy(): Refusal {
  const detail = 'Too many requests are being worked on; this one did not run.'
  return new Refusal('unavailable', detail, { retryAfterSeconds: 1 })
}

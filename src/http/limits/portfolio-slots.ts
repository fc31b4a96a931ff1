import { Refusal } from '../../core/errors.ts'
import type { PushOutcome } from '../../domain/collateral/portfolios.ts'
import type { BucketDecision } from './token-buckets.ts'

/** A snapshot that found no token. */
export type TokenlessSnapshot = {
  tenantId: string
  borrowerId: string
  asOfMicros: bigint
  digest: Buffer
  /** Size of its body, which is held while it waits. */
  bytes: number
  /** Resolves once committed. */
  store(): Promise<PushOutcome>
}

export type WaitEnd =
  /** Stored, or found older than what was stored meanwhile. */
  | { kind: 'stored'; outcome: PushOutcome; decision: BucketDecision }
  /** Replaced by a newer snapshot of the borrower. */
  | { kind: 'superseded'; byAsOfMicros: bigint }
  | { kind: 'left' }

/** `leave` stops waiting and returns whether that freed its slot. */
export type Wait = { ended: Promise<WaitEnd>; leave(): boolean }

export type ServedSlot = {
  snapshot: TokenlessSnapshot
  resolve(end: WaitEnd): void
  reject(error: unknown): void
}

export type PortfolioSlots = {
  count(): number
  nextDeadline(): number | undefined
  /**
   * Takes a slot for the snapshot's borrower until `deadline`, or replaces its waiting snapshot and
   * keeps that deadline. Throws `rate_limited` when full, and `as_of_conflict`.
   */
  enter(snapshot: TokenlessSnapshot, deadline: number): Wait
  /** Frees the slot that has waited longest. */
  takeFirst(): ServedSlot | undefined
  /** Refuses and frees the slots whose deadline is not later. */
  refuseUntil(deadline: number, refuse: () => Refusal): void
}

export type PortfolioSlotsOptions = {
  maxSlots: number
  /** Bytes of waiting bodies, of all tenants together. */
  bytes: { waiting: number; readonly max: number }
  refusalOf(cause: string): Refusal
}

type Waiter = PromiseWithResolvers<WaitEnd> & { bytes: number }

/** The newest snapshot of one borrower, and every request that sent it. */
type Slot = { snapshot: TokenlessSnapshot; waiters: Set<Waiter>; deadline: number }

export function createPortfolioSlots(options: PortfolioSlotsOptions): PortfolioSlots {
  const { maxSlots, bytes, refusalOf } = options
  // By borrower. All wait equally long, so deadlines are in this order too.
  const slots = new Map<string, Slot>()
  let ownBytes = 0

  function hold(more: number): void {
    bytes.waiting += more
    ownBytes += more
  }

  function open(snapshot: TokenlessSnapshot, deadline: number): Slot {
    if (slots.size >= maxSlots) {
      throw refusalOf(`Too many waiting snapshots: ${maxSlots} borrowers wait for a token`)
    }
    assertRoom(snapshot.bytes)
    const slot = { snapshot, waiters: new Set<Waiter>(), deadline }
    slots.set(snapshot.borrowerId, slot)
    return slot
  }

  /** A newer snapshot keeps the slot's position and deadline. */
  function replaceSnapshot(slot: Slot, snapshot: TokenlessSnapshot): void {
    const freed = [...slot.waiters].reduce((sum, waiter) => sum + waiter.bytes, 0)
    assertRoom(snapshot.bytes - freed)
    slot.snapshot = snapshot
    const end = { kind: 'superseded' as const, byAsOfMicros: snapshot.asOfMicros }
    for (const waiter of removeWaiters(slot)) waiter.resolve(end)
  }

  // No tenant holds more than stays free, so that there is room for the next one.
  function assertRoom(more: number): void {
    const isWithin = ownBytes + more <= bytes.max - (bytes.waiting + more)
    if (more > 0 && !isWithin) throw refusalOf('Too many bytes of snapshots wait for tokens')
  }

  function find(snapshot: TokenlessSnapshot, deadline: number): Slot {
    const slot = slots.get(snapshot.borrowerId)
    if (!slot) return open(snapshot, deadline)
    const waiting = slot.snapshot
    if (waiting.asOfMicros < snapshot.asOfMicros) replaceSnapshot(slot, snapshot)
    else if (waiting.digest.equals(snapshot.digest)) assertRoom(snapshot.bytes)
    else throw conflict()
    return slot
  }

  function waitAt(slot: Slot, size: number): Wait {
    const waiter = { ...Promise.withResolvers<WaitEnd>(), bytes: size }
    slot.waiters.add(waiter)
    hold(size)
    return { ended: waiter.promise, leave: () => leave(slot, waiter) }
  }

  function leave(slot: Slot, waiter: Waiter): boolean {
    if (!slot.waiters.delete(waiter)) return false
    hold(-waiter.bytes)
    waiter.resolve({ kind: 'left' })
    return slot.waiters.size === 0 && slots.delete(slot.snapshot.borrowerId)
  }

  function removeWaiters(slot: Slot): Waiter[] {
    const waiters = [...slot.waiters]
    slot.waiters.clear()
    for (const waiter of waiters) hold(-waiter.bytes)
    return waiters
  }

  function free(slot: Slot): ServedSlot {
    slots.delete(slot.snapshot.borrowerId)
    const waiters = removeWaiters(slot)
    return {
      snapshot: slot.snapshot,
      resolve: (end) => waiters.forEach((waiter) => void waiter.resolve(end)),
      reject: (error) => waiters.forEach((waiter) => void waiter.reject(error)),
    }
  }

  return {
    count: () => slots.size,
    nextDeadline: () => first(slots)?.deadline,
    enter(snapshot, deadline) {
      const ahead = slots.get(snapshot.borrowerId)?.snapshot.asOfMicros
      if (ahead !== undefined && ahead > snapshot.asOfMicros) return supersededBy(ahead)
      return waitAt(find(snapshot, deadline), snapshot.bytes)
    },
    takeFirst() {
      const slot = first(slots)
      return slot && free(slot)
    },
    refuseUntil(deadline, refuse) {
      for (const slot of slots.values()) {
        if (slot.deadline > deadline) break
        free(slot).reject(refuse())
      }
    },
  }
}

function first(slots: ReadonlyMap<string, Slot>): Slot | undefined {
  const [slot] = slots.values()
  return slot
}

function supersededBy(byAsOfMicros: bigint): Wait {
  return { ended: Promise.resolve({ kind: 'superseded', byAsOfMicros }), leave: () => false }
}

function conflict(): Refusal {
  return new Refusal('as_of_conflict', 'Another snapshot with this as_of is waiting to be stored.')
}

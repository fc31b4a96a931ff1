import { Refusal } from '../../core/errors.ts'
import type { PushOutcome } from '../../domain/collateral/portfolios.ts'
import type { BucketDecision } from './token-buckets.ts'

/** A snapshot for which there was no token. */
export type TokenlessSnapshot = {
  tenantId: string
  borrowerId: string
  asOfMicros: bigint
  digest: Buffer
  /** Of its body, which is held while it waits. */
  bytes: number
  /** Stores it, and resolves once that is committed. */
  store(): Promise<PushOutcome>
}

/** How the wait of a request ended, unless it was refused. */
export type PlaceEnd =
  /** Its place got a token: stored, or found older than what had been stored meanwhile. */
  | { kind: 'stored'; outcome: PushOutcome; decision: BucketDecision }
  /** A newer snapshot of the borrower waits in its stead. */
  | { kind: 'superseded'; byAsOfMicros: bigint }
  | { kind: 'left' }

/** A request that waits; `leave` gives up, and says whether its place is free by that. */
export type Wait = { ended: Promise<PlaceEnd>; leave(): boolean }

/** A snapshot whose turn has come, and how to tell those who wait for it what became of it. */
export type ServedPlace = {
  snapshot: TokenlessSnapshot
  resolve(end: PlaceEnd): void
  reject(error: unknown): void
}

export type PortfolioPlaces = {
  count(): number
  /** When the first place gives up; undefined where nobody waits. */
  nextDeadline(): number | undefined
  /**
   * Takes a place for the snapshot's borrower until `deadline`, or takes over the one there is and
   * when it gives up. Throws `rate_limited` where there is no room, and `as_of_conflict`.
   */
  enter(snapshot: TokenlessSnapshot, deadline: number): Wait
  /** Frees the place that has waited longest. */
  takeFirst(): ServedPlace | undefined
  /** Refuses and frees the places that give up by then. */
  refuseUntil(deadline: number, refuse: () => Refusal): void
}

export type PortfolioPlacesOptions = {
  maxPlaces: number
  /** Of the bodies that wait, those of all tenants together. */
  bytes: { waiting: number; readonly max: number }
  /** What is said where there is no room, for that cause. */
  refusalOf(cause: string): Refusal
}

type Waiter = PromiseWithResolvers<PlaceEnd> & { bytes: number }

/** What waits for one borrower: its newest snapshot, and everyone who has sent that. */
type Place = { snapshot: TokenlessSnapshot; waiters: Set<Waiter>; deadline: number }

/** The places of one tenant's line: one for each borrower, first come first. */
export function createPortfolioPlaces(options: PortfolioPlacesOptions): PortfolioPlaces {
  const { maxPlaces, bytes, refusalOf } = options
  // By borrower. All wait equally long, so deadlines are in this order too.
  const places = new Map<string, Place>()

  function open(snapshot: TokenlessSnapshot, deadline: number): Place {
    if (places.size >= maxPlaces) {
      throw refusalOf(`${maxPlaces} borrowers already wait for a token of class`)
    }
    assertRoom(snapshot.bytes)
    const place = { snapshot, waiters: new Set<Waiter>(), deadline }
    places.set(snapshot.borrowerId, place)
    return place
  }

  /** A newer snapshot takes the place over, where it stands and until when it waits included. */
  function takeOver(place: Place, snapshot: TokenlessSnapshot): void {
    const freed = [...place.waiters].reduce((sum, waiter) => sum + waiter.bytes, 0)
    assertRoom(snapshot.bytes - freed)
    place.snapshot = snapshot
    const end = { kind: 'superseded' as const, byAsOfMicros: snapshot.asOfMicros }
    for (const waiter of removeWaiters(place)) waiter.resolve(end)
  }

  function assertRoom(more: number): void {
    if (bytes.waiting + more > bytes.max) throw refusalOf('Too much waits for tokens of class')
  }

  /** The place that this snapshot waits at from now on: not to be asked for older ones. */
  function find(snapshot: TokenlessSnapshot, deadline: number): Place {
    const place = places.get(snapshot.borrowerId)
    if (!place) return open(snapshot, deadline)
    const waiting = place.snapshot
    if (waiting.asOfMicros < snapshot.asOfMicros) takeOver(place, snapshot)
    else if (waiting.digest.equals(snapshot.digest)) assertRoom(snapshot.bytes)
    else throw conflict()
    return place
  }

  function waitAt(place: Place, size: number): Wait {
    const waiter = { ...Promise.withResolvers<PlaceEnd>(), bytes: size }
    place.waiters.add(waiter)
    bytes.waiting += size
    return { ended: waiter.promise, leave: () => leave(place, waiter) }
  }

  function leave(place: Place, waiter: Waiter): boolean {
    if (!place.waiters.delete(waiter)) return false
    bytes.waiting -= waiter.bytes
    waiter.resolve({ kind: 'left' })
    return place.waiters.size === 0 && places.delete(place.snapshot.borrowerId)
  }

  function removeWaiters(place: Place): Waiter[] {
    const waiters = [...place.waiters]
    place.waiters.clear()
    for (const waiter of waiters) bytes.waiting -= waiter.bytes
    return waiters
  }

  function free(place: Place): ServedPlace {
    places.delete(place.snapshot.borrowerId)
    const waiters = removeWaiters(place)
    return {
      snapshot: place.snapshot,
      resolve: (end) => waiters.forEach((waiter) => void waiter.resolve(end)),
      reject: (error) => waiters.forEach((waiter) => void waiter.reject(error)),
    }
  }

  return {
    count: () => places.size,
    nextDeadline: () => first(places)?.deadline,
    enter(snapshot, deadline) {
      const ahead = places.get(snapshot.borrowerId)?.snapshot.asOfMicros
      if (ahead !== undefined && ahead > snapshot.asOfMicros) return supersededBy(ahead)
      return waitAt(find(snapshot, deadline), snapshot.bytes)
    },
    takeFirst() {
      const place = first(places)
      return place && free(place)
    },
    refuseUntil(deadline, refuse) {
      for (const place of places.values()) {
        if (place.deadline > deadline) break
        free(place).reject(refuse())
      }
    },
  }
}

function first(places: ReadonlyMap<string, Place>): Place | undefined {
  const [place] = places.values()
  return place
}

function supersededBy(byAsOfMicros: bigint): Wait {
  return { ended: Promise.resolve({ kind: 'superseded', byAsOfMicros }), leave: () => false }
}

function conflict(): Refusal {
  return new Refusal('as_of_conflict', 'Another snapshot with this as_of waits to be stored.')
}

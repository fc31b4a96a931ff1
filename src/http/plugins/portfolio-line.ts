import { Refusal } from '../../core/errors.ts'
import { LIMIT_CLASSES } from '../../core/limit-classes.ts'
import type { PushOutcome } from '../../domain/collateral/portfolios.ts'
import type { BucketDecision, TokenBuckets } from './token-buckets.ts'

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

export type PortfolioLine = {
  /** Whether anyone of this tenant waits here: then the next token is theirs. */
  isWaiting(tenantId: string): boolean
  /**
   * Takes a place for the snapshot's borrower, or takes over the one there is; `decision` is that
   * which found no token. Throws `rate_limited` where there is no room, `as_of_conflict`, and
   * `unavailable` while draining. `ended` rejects with `rate_limited` or `unavailable`, or with what
   * `store` rejects with. `leave` gives up waiting; too late, it does nothing.
   */
  enter(
    snapshot: TokenlessSnapshot,
    decision: BucketDecision,
  ): { ended: Promise<PlaceEnd>; leave(): void }
  /** Refuses everyone who waits, and everyone who comes. What is being stored goes on. */
  drain(): void
}

export type PortfolioLineOptions = {
  buckets: Pick<TokenBuckets, 'take'>
  /** How long a place waits for a token. */
  waitMs: number
  /** Places of one tenant at most. */
  maxPlaces: number
  /** Bodies of all tenants together at most. */
  maxBytes: number
  /** Milliseconds from any origin, never going back. */
  clock?: () => number
}

type Waiter = PromiseWithResolvers<PlaceEnd> & { bytes: number }

/** What waits for one borrower: its newest snapshot, and everyone who has sent that. */
type Place = { snapshot: TokenlessSnapshot; waiters: Set<Waiter>; deadline: number }

type TenantLine = {
  tenantId: string
  /** By borrower, first come first. All wait equally long, so deadlines are in this order too. */
  places: Map<string, Place>
  /** When the bucket should have a token. */
  dueAt: number
  asking: boolean
  timer: NodeJS.Timeout | undefined
}

const CLASS_NAME = LIMIT_CLASSES.portfolio_ingest.displayName

/**
 * Where snapshots wait whose tenant is out of tokens (interface, Limits rule 4): a line for each
 * tenant, with one place for each borrower, which its newest snapshot holds. Each token serves the
 * place that has waited longest. A line has one timer, set to when the bucket has said that a token
 * comes or to when its first place gives up, and asks the bucket once for each token.
 */
export function createPortfolioLine(options: PortfolioLineOptions): PortfolioLine {
  const { buckets, waitMs, maxPlaces, maxBytes, clock = () => performance.now() } = options
  const lines = new Map<string, TenantLine>()
  let waitingBytes = 0
  let isDraining = false

  function addWaiter(place: Place, bytes: number): Waiter {
    const waiter = { ...Promise.withResolvers<PlaceEnd>(), bytes }
    place.waiters.add(waiter)
    waitingBytes += bytes
    return waiter
  }

  function removeWaiters(place: Place): Waiter[] {
    const waiters = [...place.waiters]
    place.waiters.clear()
    for (const { bytes } of waiters) waitingBytes -= bytes
    return waiters
  }

  function leave(line: TenantLine, place: Place, waiter: Waiter): void {
    if (!place.waiters.delete(waiter)) return
    waitingBytes -= waiter.bytes
    waiter.resolve({ kind: 'left' })
    if (place.waiters.size > 0) return
    line.places.delete(place.snapshot.borrowerId)
    schedule(line)
  }

  function refuse(place: Place, refusal: Refusal): void {
    for (const waiter of removeWaiters(place)) waiter.reject(refusal)
  }

  function openPlace(line: TenantLine, snapshot: TokenlessSnapshot): Place {
    if (line.places.size >= maxPlaces) {
      throw refusalOf(line, `${maxPlaces} borrowers already wait for a token of class`)
    }
    assertRoom(line, snapshot.bytes)
    const place = { snapshot, waiters: new Set<Waiter>(), deadline: clock() + waitMs }
    line.places.set(snapshot.borrowerId, place)
    return place
  }

  /** A newer snapshot takes the place over, where it stands and until when it waits included. */
  function takeOver(line: TenantLine, place: Place, snapshot: TokenlessSnapshot): void {
    const freed = [...place.waiters].reduce((sum, { bytes }) => sum + bytes, 0)
    assertRoom(line, snapshot.bytes - freed)
    place.snapshot = snapshot
    const end = { kind: 'superseded' as const, byAsOfMicros: snapshot.asOfMicros }
    for (const waiter of removeWaiters(place)) waiter.resolve(end)
  }

  function assertRoom(line: TenantLine, bytes: number): void {
    if (waitingBytes + bytes <= maxBytes) return
    throw refusalOf(line, 'Too much waits for tokens of class')
  }

  function refusalOf(line: TenantLine, cause: string): Refusal {
    const retryAfterSeconds = Math.max(1, Math.ceil((line.dueAt - clock()) / 1_000))
    const detail = `${cause} ${CLASS_NAME}; the request did not run.`
    return new Refusal('rate_limited', detail, { retryAfterSeconds })
  }

  /** Sets the line's timer anew, or ends a line that nobody stands in. */
  function schedule(line: TenantLine): void {
    clearTimeout(line.timer)
    // The answer to what was asked schedules again.
    if (line.asking) return
    const [first] = line.places.values()
    if (!first) {
      lines.delete(line.tenantId)
      return
    }
    const at = Math.min(line.dueAt, first.deadline)
    line.timer = setTimeout(() => move(line), Math.max(0, Math.ceil(at - clock())))
  }

  function move(line: TenantLine): void {
    for (const place of line.places.values()) {
      if (place.deadline > clock()) break
      line.places.delete(place.snapshot.borrowerId)
      refuse(place, refusalOf(line, `Within ${waitMs / 1_000} s there was no token of class`))
    }
    if (line.places.size > 0 && line.dueAt <= clock()) askForToken(line)
    else schedule(line)
  }

  function askForToken(line: TenantLine): void {
    line.asking = true
    void buckets.take({ tenantId: line.tenantId }, 'portfolio_ingest').then((decision) => {
      line.asking = false
      line.dueAt = clock() + decision.nextTokenMicros / 1_000
      if (decision.allowed) serveFirst(line, decision)
      schedule(line)
    })
  }

  function serveFirst(line: TenantLine, decision: BucketDecision): void {
    const [first] = line.places.values()
    if (!first) return
    line.places.delete(first.snapshot.borrowerId)
    const waiters = removeWaiters(first)
    first.snapshot.store().then(
      (outcome) => {
        for (const waiter of waiters) waiter.resolve({ kind: 'stored', outcome, decision })
      },
      (error) => {
        for (const waiter of waiters) waiter.reject(error)
      },
    )
  }

  function lineOf(tenantId: string, decision: BucketDecision): TenantLine {
    const line = lines.get(tenantId)
    if (line) return line
    const dueAt = clock() + decision.nextTokenMicros / 1_000
    const places = new Map<string, Place>()
    return { tenantId, places, dueAt, asking: false, timer: undefined }
  }

  /** The place that this snapshot waits at from now on: not to be asked for older ones. */
  function findPlace(line: TenantLine, snapshot: TokenlessSnapshot): Place {
    const place = line.places.get(snapshot.borrowerId)
    if (!place) return openPlace(line, snapshot)
    const waiting = place.snapshot
    if (waiting.asOfMicros < snapshot.asOfMicros) takeOver(line, place, snapshot)
    else if (waiting.digest.equals(snapshot.digest)) assertRoom(line, snapshot.bytes)
    else throw conflict()
    return place
  }

  return {
    isWaiting: (tenantId) => (lines.get(tenantId)?.places.size ?? 0) > 0,
    enter(snapshot, decision) {
      if (isDraining) throw draining()
      const line = lineOf(snapshot.tenantId, decision)
      const ahead = line.places.get(snapshot.borrowerId)?.snapshot.asOfMicros
      if (ahead !== undefined && ahead > snapshot.asOfMicros) {
        const end = { kind: 'superseded' as const, byAsOfMicros: ahead }
        return { ended: Promise.resolve(end), leave: () => undefined }
      }
      const place = findPlace(line, snapshot)
      lines.set(line.tenantId, line)
      const waiter = addWaiter(place, snapshot.bytes)
      schedule(line)
      return { ended: waiter.promise, leave: () => leave(line, place, waiter) }
    },
    drain() {
      isDraining = true
      for (const line of lines.values()) {
        for (const place of line.places.values()) refuse(place, draining())
        line.places.clear()
        schedule(line)
      }
    },
  }
}

function conflict(): Refusal {
  return new Refusal('as_of_conflict', 'Another snapshot with this as_of waits to be stored.')
}

function draining(): Refusal {
  const detail = 'This process is ending and takes no more snapshots.'
  return new Refusal('unavailable', detail, { retryAfterSeconds: 1 })
}

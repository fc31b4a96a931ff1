import { Refusal } from '../../core/errors.ts'
import { LIMIT_CLASSES } from '../../core/limits/limit-classes.ts'
import {
  createPortfolioPlaces,
  type PlaceEnd,
  type PortfolioPlaces,
  type TokenlessSnapshot,
} from './portfolio-places.ts'
import type { BucketDecision, TokenBuckets } from './token-buckets.ts'

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

type TenantLine = {
  tenantId: string
  places: PortfolioPlaces
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
  const bytes = { waiting: 0, max: maxBytes }
  let isDraining = false

  function lineOf(tenantId: string, decision: BucketDecision): TenantLine {
    const opened = lines.get(tenantId)
    if (opened) return opened
    const line: TenantLine = {
      tenantId,
      places: createPortfolioPlaces({
        maxPlaces,
        bytes,
        refusalOf: (cause) => refusalOf(line, cause),
      }),
      dueAt: clock() + decision.nextTokenMicros / 1_000,
      asking: false,
      timer: undefined,
    }
    return line
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
    const deadline = line.places.nextDeadline()
    if (deadline === undefined) {
      lines.delete(line.tenantId)
      return
    }
    const at = Math.min(line.dueAt, deadline)
    line.timer = setTimeout(() => move(line), Math.max(0, Math.ceil(at - clock())))
  }

  function move(line: TenantLine): void {
    line.places.refuseUntil(clock(), () =>
      refusalOf(line, `Within ${waitMs / 1_000} s there was no token of class`),
    )
    if (line.places.count() > 0 && line.dueAt <= clock()) askForToken(line)
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

  return {
    isWaiting: (tenantId) => (lines.get(tenantId)?.places.count() ?? 0) > 0,
    enter(snapshot, decision) {
      if (isDraining) throw draining()
      const line = lineOf(snapshot.tenantId, decision)
      const wait = line.places.enter(snapshot, clock() + waitMs)
      lines.set(line.tenantId, line)
      schedule(line)
      return {
        ended: wait.ended,
        leave() {
          // Where the place was gone already its line may have ended, and another have begun.
          if (wait.leave()) schedule(line)
        },
      }
    },
    drain() {
      isDraining = true
      for (const line of lines.values()) {
        line.places.refuseUntil(Number.POSITIVE_INFINITY, draining)
        schedule(line)
      }
    },
  }
}

function serveFirst({ places }: TenantLine, decision: BucketDecision): void {
  const first = places.takeFirst()
  first?.snapshot.store().then(
    (outcome) => first.resolve({ kind: 'stored', outcome, decision }),
    (error) => first.reject(error),
  )
}

function draining(): Refusal {
  const detail = 'This process is ending and takes no more snapshots.'
  return new Refusal('unavailable', detail, { retryAfterSeconds: 1 })
}

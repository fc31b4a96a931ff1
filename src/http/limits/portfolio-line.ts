import { Refusal } from '../../core/errors.ts'
import { LIMIT_CLASSES } from '../../core/limits/limit-classes.ts'
import {
  createPortfolioSlots,
  type PortfolioSlots,
  type TokenlessSnapshot,
  type WaitEnd,
} from './portfolio-slots.ts'
import type { BucketDecision, TokenBuckets } from './token-buckets.ts'

export type PortfolioLine = {
  isWaiting(tenantId: string): boolean
  /**
   * Queues the snapshot for its borrower, or replaces the one that waits; `decision` found no
   * token. Throws `rate_limited` when full, `as_of_conflict`, and `unavailable` while draining.
   * `leave` stops waiting; once served it does nothing.
   */
  enter(
    snapshot: TokenlessSnapshot,
    decision: BucketDecision,
  ): { ended: Promise<WaitEnd>; leave(): void }
  /** Refuses all waiting and later requests. Snapshots being stored are completed. */
  drain(): void
}

export type PortfolioLineOptions = {
  buckets: Pick<TokenBuckets, 'take'>
  /** How long a slot waits for a token. */
  waitMs: number
  /** Per tenant. */
  maxSlots: number
  /** Of all tenants together. */
  maxBytes: number
  /** Monotonic milliseconds, of any origin. */
  clock?: () => number
}

type TenantLine = {
  tenantId: string
  slots: PortfolioSlots
  /** When the bucket should have a token. */
  dueAt: number
  asking: boolean
  timer: NodeJS.Timeout | undefined
}

const CLASS_NAME = LIMIT_CLASSES.portfolio_ingest.displayName

/**
 * Queues snapshots of tenants that are out of tokens: one line per tenant, one slot per borrower,
 * which its newest snapshot holds. Each token serves the slot that has waited longest. A line has
 * one timer, for its next token or first deadline.
 */
export function createPortfolioLine(options: PortfolioLineOptions): PortfolioLine {
  const { buckets, waitMs, maxSlots, maxBytes, clock = () => performance.now() } = options
  const lines = new Map<string, TenantLine>()
  const bytes = { waiting: 0, max: maxBytes }
  let isDraining = false

  function lineOf(tenantId: string, decision: BucketDecision): TenantLine {
    const opened = lines.get(tenantId)
    if (opened) return opened
    const line: TenantLine = {
      tenantId,
      slots: createPortfolioSlots({
        maxSlots,
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
    const detail = `${cause} of class ${CLASS_NAME}; the request did not run.`
    return new Refusal('rate_limited', detail, { retryAfterSeconds })
  }

  /** Resets the timer, or ends an empty line. */
  function schedule(line: TenantLine): void {
    clearTimeout(line.timer)
    // The pending answer calls this again.
    if (line.asking) return
    const deadline = line.slots.nextDeadline()
    if (deadline === undefined) {
      lines.delete(line.tenantId)
      return
    }
    const at = Math.min(line.dueAt, deadline)
    line.timer = setTimeout(() => move(line), Math.max(0, Math.ceil(at - clock())))
  }

  function move(line: TenantLine): void {
    line.slots.refuseUntil(clock(), () =>
      refusalOf(line, `Waited ${waitMs / 1_000} s without a token`),
    )
    if (line.slots.count() > 0 && line.dueAt <= clock()) askForToken(line)
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
    isWaiting: (tenantId) => (lines.get(tenantId)?.slots.count() ?? 0) > 0,
    enter(snapshot, decision) {
      if (isDraining) throw draining()
      const line = lineOf(snapshot.tenantId, decision)
      const wait = line.slots.enter(snapshot, clock() + waitMs)
      lines.set(line.tenantId, line)
      schedule(line)
      return {
        ended: wait.ended,
        leave() {
          // Only if its slot was freed: otherwise the line may have ended and another begun.
          if (wait.leave()) schedule(line)
        },
      }
    },
    drain() {
      isDraining = true
      for (const line of lines.values()) {
        line.slots.refuseUntil(Number.POSITIVE_INFINITY, draining)
        schedule(line)
      }
    },
  }
}

function serveFirst({ slots }: TenantLine, decision: BucketDecision): void {
  const first = slots.takeFirst()
  first?.snapshot.store().then(
    (outcome) => first.resolve({ kind: 'stored', outcome, decision }),
    (error) => first.reject(error),
  )
}

function draining(): Refusal {
  const detail = 'The server is shutting down. Send the snapshot again.'
  return new Refusal('unavailable', detail, { retryAfterSeconds: 1 })
}

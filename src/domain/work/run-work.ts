import type { Clock } from '../../core/time.ts'
import { type Db, withSpan } from '../../db/database.ts'
import { type Claim, claimItem } from './claim.ts'
import { planRetry } from './failure.ts'
import { type Settle, type Settlement, settleAtOnce } from './settle.ts'
import { topicRow } from './topics.ts'
import type { WorkItem, WorkResult } from './work.ts'

/** What runs need: real time, and how they are settled. */
export type RunContext = {
  db: Db
  clock: Clock
  settle: Settle
  /** Spreads retries; `Math.random` where it is missing. */
  random?: () => number
}

/** How a run of one subject of a batch ended. */
export type ItemResult = WorkResult | { error: unknown }

/**
 * Claims one piece of work, runs it and settles it; returns false if it is not due or is running
 * elsewhere. Throws what the run throws, after its retry is planned. A run may happen twice (a
 * worker that stalls past its lease), so its effects must allow that.
 */
export async function runWork(
  db: Db,
  item: WorkItem,
  clock: Clock,
  run: () => Promise<WorkResult>,
): Promise<boolean> {
  const claim = await claimItem(db, item, clock())
  if (!claim) return false
  await runClaimed({ db, clock, settle: settleAtOnce(db) }, claim, run)
  return true
}

/** Runs claimed work and settles it. Throws what the run throws, after its retry is planned. */
export async function runClaimed(
  context: RunContext,
  claim: Claim,
  run: () => Promise<WorkResult>,
): Promise<void> {
  const kind = topicRow(claim.topic).clock === 'tenant' ? 'deadline' : 'work'
  const span = {
    parent: claim.traceparent,
    kind: 'consumer' as const,
    attributes: { 'svc.tenant_id': claim.tenantId, 'svc.subject_id': claim.subjectId },
  }
  await withSpan(context.db, `${kind} ${claim.topic}`, span, async () => {
    const result = await run().catch((error: unknown) => ({ error }))
    await context.settle(settlementOf(claim, result, context))
    if ('error' in result) throw result.error
  })
}

/**
 * Runs a batch of claimed work of one topic and settles each subject by its own result, in the order
 * of `claims`. Where the run throws, every one of them has failed by that error, which is thrown.
 */
export async function runBatch(
  context: RunContext,
  claims: readonly Claim[],
  run: (claims: readonly Claim[]) => Promise<readonly ItemResult[]>,
): Promise<readonly ItemResult[]> {
  const [first] = claims
  if (!first) return []
  const span = { kind: 'consumer' as const, attributes: { 'svc.subjects': claims.length } }
  return await withSpan(context.db, `work ${first.topic}`, span, async () => {
    const results = await run(claims).catch((error: unknown) => claims.map(() => ({ error })))
    const missing = { error: new Error('a batch gave no result for this subject') }
    // What failed together is retried together, as far as it has failed as often.
    const spread = (context.random ?? Math.random)()
    const together = { ...context, random: () => spread }
    const settled = claims.map((claim, at) => {
      const result = results[at] ?? missing
      return { result, settlement: settlementOf(claim, result, together) }
    })
    await Promise.all(settled.map(({ settlement }) => context.settle(settlement)))
    return settled.map(({ result }) => result)
  })
}

function settlementOf(
  claim: Claim,
  result: ItemResult,
  { clock, random = Math.random }: RunContext,
): Settlement {
  const now = clock()
  if (!('error' in result)) {
    return {
      claim,
      now,
      outcome: result.done ? { kind: 'done' } : { kind: 'again', at: result.retryAt },
    }
  }
  return {
    claim,
    now,
    outcome: { kind: 'failed', ...planRetry(claim, result.error, { now, random }) },
  }
}

import type { Clock } from '../../core/time.ts'
import { type Db, withSpan } from '../../db/database.ts'
import { type Claim, claimItem } from './claim.ts'
import { planRetry } from './failure.ts'
import { type Settle, type Settlement, settleAtOnce } from './settle.ts'
import { topicRow } from './topics.ts'
import type { WorkItem, WorkResult } from './work.ts'

export type RunContext = {
  db: Db
  clock: Clock
  settle: Settle
  random?: () => number
}

export type ItemResult = WorkResult | { error: unknown }

/** False when not due or running elsewhere. Throws the run's error after planning its retry. A run
 * may happen twice (a worker that stalls past its lease), so its effects must allow that. */
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

/** One topic, results in the order of `claims`. When the run throws, every claim has failed. */
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

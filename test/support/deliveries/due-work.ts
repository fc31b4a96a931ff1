import type { Db } from '../../../src/db/database.ts'
import {
  type Claim,
  claimDeadline,
  claimLane,
  createWaitingFinder,
  markWorkDue,
} from '../../../src/domain/work/claim.ts'
import { runClaimed } from '../../../src/domain/work/run-work.ts'
import { settleAtOnce } from '../../../src/domain/work/settle.ts'
import { rankOf, type Topic } from '../../../src/domain/work/topics.ts'
import type { WorkResult } from '../../../src/domain/work/work.ts'

/** More than any test has. */
const ALL = 100_000

type Runs = ReadonlyMap<Topic, (claim: Claim) => Promise<WorkResult>>

/** Claims everything of these topics that is due at `now`, the most urgent first; of deadlines the first
 * of each tenant. */
export async function claimDue(db: Db, topics: readonly Topic[], now: Date): Promise<Claim[]> {
  for (let mayHaveMore = true; mayHaveMore; ) {
    const marked = await markWorkDue(db, topics, now)
    if (marked.failed) throw marked.failed.error
    mayHaveMore = marked.mayHaveMore
  }
  const waiting = await createWaitingFinder(db, topics)(now, ALL)
  const claims: Claim[] = []
  const tenants = new Set<string>()
  for (const { lane } of waiting) {
    if (lane.queue === 'deadlines') tenants.add(lane.tenantId)
    else if (topics.includes(lane.topic))
      claims.push(...(await claimLane(db, lane, ALL, () => now)))
  }
  for (const tenantId of tenants) {
    const claim = await claimDeadline(db, tenantId, topics, () => now)
    if (claim) claims.push(claim)
  }
  return claims.sort(
    (a, b) => rankOf(a.topic) - rankOf(b.topic) || a.dueAt.getTime() - b.dueAt.getTime(),
  )
}

/**
 * Runs, one after the other, everything that is due now and becomes so on the way. What fails is due
 * again later. Returns how many runs there were.
 */
export async function runDueWork(db: Db, runs: Runs, clock: () => Date): Promise<number> {
  const context = { db, clock, settle: settleAtOnce(db) }
  for (let count = 0; count < 10_000; ) {
    const claims = await claimDue(db, [...runs.keys()], clock())
    if (claims.length === 0) return count
    for (const claim of claims) {
      const run = runs.get(claim.topic)
      if (!run) throw new Error(`nothing runs ${claim.topic}`)
      await runClaimed(context, claim, () => run(claim)).catch(() => undefined)
      count += 1
    }
  }
  throw new Error('work never came to an end')
}

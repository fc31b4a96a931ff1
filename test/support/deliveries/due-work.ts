import type { Db } from '../../../src/db/database.ts'
import { type Claim, claimWork, markWorkDue } from '../../../src/domain/work/claim.ts'
import { runClaimed } from '../../../src/domain/work/run-work.ts'
import { settleAtOnce } from '../../../src/domain/work/settle.ts'
import { PRIORITIES, type Priority, type Topic } from '../../../src/domain/work/topics.ts'
import type { WorkResult } from '../../../src/domain/work/work.ts'

const ALL = Object.keys(PRIORITIES) as Priority[]

type Runs = ReadonlyMap<Topic, (claim: Claim) => Promise<WorkResult>>

/** Claims everything of these topics that is due at `now`. */
export async function claimDue(db: Db, topics: readonly Topic[], now: Date): Promise<Claim[]> {
  while (!(await markWorkDue(db, topics, now)));
  const demands = ALL.map((priority) => {
    return { priority, after: '', most: 1_000, batch: 1, share: 1_000, holds: [] }
  })
  const { claims } = await claimWork(db, topics, demands, now)
  return claims
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

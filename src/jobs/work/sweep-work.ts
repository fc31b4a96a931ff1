import type { Clock } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { createWaitingFinder, markWorkDue } from '../../domain/work/claim.ts'
import type { Topic } from '../../domain/work/topics.ts'
import type { DueLane, Sweep } from '../sweep.ts'

/** Younger work is on its way through the queue. */
const LOST_AFTER_MS = 2_000

/** Lanes of each class at one sweep. */
const MOST_LANES = 500

/** Marks the work that has become due, and finds its lanes, and those that wait without a job. */
export function createWorkSweep(
  { db, clock }: { db: Db; clock: Clock },
  topics: readonly Topic[],
): Sweep {
  const findWaiting = createWaitingFinder(db, topics)
  return async () => {
    const due: DueLane[] = []
    for (let mayHaveMore = true; mayHaveMore; ) {
      const marked = await markWorkDue(db, topics, clock())
      if (!marked.isAlone) return due
      due.push(...marked.lanes.map((lane) => ({ lane, waitedMs: 0 })))
      mayHaveMore = marked.mayHaveMore
    }
    const waiting = await findWaiting(clock(), MOST_LANES)
    return [...due, ...waiting.filter(({ waitedMs }) => waitedMs >= LOST_AFTER_MS)]
  }
}

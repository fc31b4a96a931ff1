import type { Clock } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { createWaitingFinder, type Marked, markWorkDue } from '../../domain/work/claim.ts'
import type { Topic } from '../../domain/work/topics.ts'
import type { Sweep } from '../sweep.ts'

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
  return async (add) => {
    let marked: Marked
    do {
      marked = await markWorkDue(db, topics, clock())
      add(marked.lanes.map((lane) => ({ lane, waitedMs: 0 })))
    } while (marked.mayHaveMore && !marked.failed)
    const waiting = await findWaiting(clock(), MOST_LANES)
    add(waiting.filter(({ waitedMs }) => waitedMs >= LOST_AFTER_MS))
    // What could not be marked, such as that of a node which is away, holds up nothing else.
    if (marked.failed) throw marked.failed.error
  }
}

import type { Clock } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { MarginPolicy } from '../policy.ts'
import {
  lockDeadlinesToExtend,
  lockHoldsToExtend,
  moveDeadlines,
  moveHolds,
  selectHeartbeat,
  upsertHeartbeat,
} from './outage-queries.ts'

const BATCH = 500

/** For how long no worker was there, and how many warnings' deadlines that has moved. */
export type Outage = { lostMs: number; warnings: number }

/**
 * Notes that a worker is there. Where none was for longer than the policy suffers, the deadlines of
 * all open warnings are moved first by as long as that lasted (interface, Margin warning), and the
 * reports that hold their escalation hold longer: time in which nobody judges, nor asks the treasury,
 * does not run. All by real time, so that a tenant's clock set ahead is none of it. Safe beside
 * judgements and other workers, and to be repeated after a crash: each warning knows up to when
 * outages have moved it, and each report.
 */
export async function noteHeartbeat(
  db: Db,
  clock: Clock,
  { outageMs }: Pick<MarginPolicy, 'outageMs'>,
): Promise<Outage | undefined> {
  // The clock first: a worker paused between the two finds others' beats, and no outage.
  const until = clock()
  const from = await selectHeartbeat(db)
  const lostMs = from ? until.getTime() - from.getTime() : 0
  const isOutage = from !== undefined && lostMs > outageMs
  const warnings = isOutage
    ? await moveAll(db, { from, until }, lockDeadlinesToExtend, moveDeadlines)
    : 0
  if (isOutage) await moveAll(db, { from, until }, lockHoldsToExtend, moveHolds)
  // Last: until then every judgement sees the outage for itself.
  await upsertHeartbeat(db, until)
  return isOutage ? { lostMs, warnings } : undefined
}

async function moveAll(
  db: Db,
  outage: { from: Date; until: Date },
  lock: typeof lockDeadlinesToExtend,
  move: typeof moveDeadlines,
): Promise<number> {
  for (let moved = 0; ; ) {
    const batch = await inTransaction(db, async (tx) => {
      const facilities = await lock(tx, outage.until, BATCH)
      await move(tx, facilities, outage)
      return facilities.length
    })
    moved += batch
    if (batch < BATCH) return moved
  }
}

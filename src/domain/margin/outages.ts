import type { Clock } from '../../core/time.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { lockUnmoved, moveDeadlines, selectHeartbeat, upsertHeartbeat } from './outage-queries.ts'
import type { MarginPolicy } from './policy.ts'

const BATCH = 500

/** For how long no worker was there, and how many warnings' deadlines that has moved. */
export type Outage = { lostMs: number; warnings: number }

/**
 * Notes that a worker is there. Where none was for longer than the policy suffers, the deadlines of
 * all open warnings are moved first by as long as that lasted (interface, Margin warning): time in
 * which nobody judges does not run. All by real time, so that a tenant's clock set ahead is none of
 * it. Safe beside judgements and other workers, and to be repeated after a crash: each warning knows
 * up to when outages have moved it.
 */
export async function noteHeartbeat(
  db: Db,
  clock: Clock,
  { outageMs }: Pick<MarginPolicy, 'outageMs'>,
): Promise<Outage | undefined> {
  const from = await selectHeartbeat(db)
  const until = clock()
  const lostMs = from ? until.getTime() - from.getTime() : 0
  const isOutage = from !== undefined && lostMs > outageMs
  const warnings = isOutage ? await moveAll(db, { from, until }) : 0
  // Last: until then every judgement sees the outage for itself.
  await upsertHeartbeat(db, until)
  return isOutage ? { lostMs, warnings } : undefined
}

async function moveAll(db: Db, outage: { from: Date; until: Date }): Promise<number> {
  for (let moved = 0; ; ) {
    const batch = await inTransaction(db, async (tx) => {
      const facilities = await lockUnmoved(tx, outage.until, BATCH)
      await moveDeadlines(tx, facilities, outage)
      return facilities.length
    })
    moved += batch
    if (batch < BATCH) return moved
  }
}

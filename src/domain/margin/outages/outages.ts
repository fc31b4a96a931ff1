import type { Clock } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { listScopes, sumScopes } from '../../tenants/each-tenant.ts'
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

export type Outage = { lostMs: number; warnings: number }

/** Records that a worker is there. After an outage it first moves the deadlines of all open
 * warnings and the reports that hold them, in real time. Safe beside evaluations and other
 * workers, and after a crash: each warning and report records until when outages have moved it. */
export async function noteHeartbeat(
  db: Db,
  clock: Clock,
  { outageMs }: Pick<MarginPolicy, 'outageMs'>,
): Promise<Outage | undefined> {
  // The clock first: a worker paused here finds others' heartbeats, and no outage.
  const until = clock()
  const from = await selectHeartbeat(db)
  const lostMs = from ? until.getTime() - from.getTime() : 0
  const isOutage = from !== undefined && lostMs > outageMs
  const warnings = isOutage
    ? await moveAll(db, { from, until }, lockDeadlinesToExtend, moveDeadlines)
    : 0
  if (isOutage) await moveAll(db, { from, until }, lockHoldsToExtend, moveHolds)
  // Last: until then every evaluation sees the outage itself.
  await upsertHeartbeat(db, until)
  return isOutage ? { lostMs, warnings } : undefined
}

async function moveAll(
  db: Db,
  outage: { from: Date; until: Date },
  lock: typeof lockDeadlinesToExtend,
  move: typeof moveDeadlines,
): Promise<number> {
  return await sumScopes(await listScopes(db), async (tenantId) => {
    for (let moved = 0; ; ) {
      const batch = await inTransaction(db, async (tx) => {
        const facilities = await lock(tx, outage.until, { tenantId, limit: BATCH })
        if (facilities.length > 0) await move(tx, facilities, outage)
        return facilities.length
      })
      moved += batch
      if (batch < BATCH) return moved
    }
  })
}

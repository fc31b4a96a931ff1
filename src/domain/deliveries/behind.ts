import type { Db } from '../../db/database.ts'
import { inScopes, readPresent } from '../tenants/each-tenant.ts'
import { moveSeen, selectLanesBehind, selectOldestDue } from './behind-queries.ts'
import type { LaneName } from './lane.ts'

/** Lanes to run: with something due and no holder, or with one that is late. `waitedMs`: since then. Those that
 * want none of the newest events are moved over them, so that they are not asked again. */
export async function findLanesBehind(
  db: Db,
  now: Date,
): Promise<(LaneName & { waitedMs: number })[]> {
  const rows = await readPresent(db, (tenantId) => selectLanesBehind(db, now, tenantId))
  const lanes = rows.map((row) => ({ ...row, tenantId: row.tenant_id, webhookId: row.webhook_id }))
  const caughtUp = lanes
    .filter(({ due_at: dueAt }) => dueAt === null)
    .map((lane) => ({ ...lane, seen: lane.last_sequence }))
  if (caughtUp.length > 0) {
    for (const some of await inScopes(db, caughtUp)) await moveSeen(db, some)
  }
  return lanes.flatMap(({ tenantId, webhookId, due_at: dueAt }) => {
    return dueAt ? [{ tenantId, webhookId, waitedMs: now.getTime() - dueAt.getTime() }] : []
  })
}

export async function measureOldestDelivery(db: Db, now: Date): Promise<number> {
  const dueAt = await selectOldestDue(db, now)
  return dueAt ? now.getTime() - dueAt.getTime() : 0
}

import type { Clock } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { TenantScope } from '../../../db/tenant-scope.ts'
import { findAbsent, isNodeAway } from '../../tenants/absent-tenants.ts'
import { listScopes } from '../../tenants/each-tenant.ts'
import {
  deleteAbsentTenant,
  insertAbsentTenants,
  selectAbsentTenants,
} from '../../tenants/queries.ts'
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

type Beat = { from: Date | undefined; until: Date; outageMs: number }

/** Records that a worker is there. After an outage it first moves the deadlines of all open
 * warnings and the reports that hold them, in real time. Safe beside evaluations and other
 * workers, and after a crash: each warning and report records until when outages have moved it. */
export async function noteHeartbeat(
  db: Db,
  clock: Clock,
  { outageMs }: Pick<MarginPolicy, 'outageMs'>,
  onAbsent: (tenants: number) => void = () => undefined,
): Promise<Outage | undefined> {
  // The clock first: a worker paused here finds others' heartbeats, and no outage.
  const until = clock()
  const from = await selectHeartbeat(db)
  const beat = { from, until, outageMs }
  const warnings = await creditTenants(db, beat, onAbsent)
  // Last: until then every evaluation sees the outage itself.
  await upsertHeartbeat(db, until)
  return from && isOutage(beat) ? { lostMs: until.getTime() - from.getTime(), warnings } : undefined
}

const isOutage = ({ from, until, outageMs }: Beat) =>
  from !== undefined && until.getTime() - from.getTime() > outageMs

/** Tenants of a node that is away have an outage of their own, which is credited when it is back. */
async function creditTenants(
  db: Db,
  beat: Beat,
  onAbsent: (tenants: number) => void,
): Promise<number> {
  const absent = await findAbsent(db)
  const sinceOf = new Map(
    (await selectAbsentTenants(db)).map(({ tenantId, since }) => [tenantId, since]),
  )
  let warnings = 0
  for (const tenantId of isOutage(beat) ? await listScopes(db) : sinceOf.keys()) {
    if (tenantId === undefined) warnings += await credit(db, tenantId, beat)
    else if (!absent.has(tenantId)) {
      try {
        const from = sinceOf.get(tenantId) ?? beat.from
        warnings += await credit(db, tenantId, { ...beat, from })
        if (sinceOf.has(tenantId)) await deleteAbsentTenant(db, tenantId)
      } catch (error) {
        if (!isNodeAway(error)) throw error
        absent.add(tenantId)
      }
    }
  }
  if (absent.size === 0) return warnings
  await insertAbsentTenants(db, [...absent], beat.from ?? beat.until)
  onAbsent(absent.size)
  return warnings
}

async function credit(db: Db, tenantId: TenantScope, beat: Beat): Promise<number> {
  const { from, until } = beat
  if (!from || !isOutage(beat)) return 0
  const outage = { from, until }
  const warnings = await moveAll(db, tenantId, outage, [lockDeadlinesToExtend, moveDeadlines])
  await moveAll(db, tenantId, outage, [lockHoldsToExtend, moveHolds])
  return warnings
}

async function moveAll(
  db: Db,
  tenantId: TenantScope,
  outage: { from: Date; until: Date },
  [lock, move]: readonly [typeof lockDeadlinesToExtend, typeof moveDeadlines],
): Promise<number> {
  for (let moved = 0; ; ) {
    const batch = await inTransaction(db, async (tx) => {
      const facilities = await lock(tx, outage.until, { tenantId, limit: BATCH })
      if (facilities.length > 0) await move(tx, facilities, outage)
      return facilities.length
    })
    moved += batch
    if (batch < BATCH) return moved
  }
}

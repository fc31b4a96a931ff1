import { addMs, type Clock } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { TenantScope } from '../../../db/tenant-scope.ts'
import { insertOutages, type OutageRow } from '../../facilities/pauses/pause-queries.ts'
import { isOutage } from '../../facilities/pauses/pauses.ts'
import { findAbsent, isNodeAway } from '../../tenants/absent-tenants.ts'
import { listScopes } from '../../tenants/each-tenant.ts'
import {
  deleteAbsentTenant,
  insertAbsentTenants,
  selectAbsentTenants,
} from '../../tenants/queries.ts'
import {
  lockWarned,
  selectHeartbeat,
  upsertHeartbeat,
  type WarnedFacility,
  type WarnedPage,
} from './outage-queries.ts'

const BATCH = 500

export type Outage = { lostMs: number; warnings: number }

type Beat = { from: Date | undefined; until: Date }

/** Records that a worker is there. An outage before it is first recorded for each facility that is
 * warned, in real time. Safe beside evaluations and other workers, and after a crash: pauses count
 * once, however many overlap. */
export async function noteHeartbeat(
  db: Db,
  clock: Clock,
  onAbsent: (tenants: number) => void = () => undefined,
): Promise<Outage | undefined> {
  // The clock first: a worker paused here finds others' heartbeats, and no outage.
  const until = clock()
  const from = await selectHeartbeat(db)
  const warnings = await recordOutages(db, { from, until }, onAbsent)
  // Last: until then every evaluation sees the outage itself.
  await upsertHeartbeat(db, until)
  return isOutage(from, until) ? { lostMs: until.getTime() - from.getTime(), warnings } : undefined
}

/** Tenants of a node that is away have an outage of their own, which is recorded when it is back. */
async function recordOutages(
  db: Db,
  beat: Beat,
  onAbsent: (tenants: number) => void,
): Promise<number> {
  const absent = await findAbsent(db)
  const sinceOf = new Map(
    (await selectAbsentTenants(db)).map(({ tenantId, since }) => [tenantId, since]),
  )
  let warnings = 0
  for (const tenantId of isOutage(beat.from, beat.until) ? await listScopes(db) : sinceOf.keys()) {
    if (tenantId === undefined) warnings += await recordOutage(db, tenantId, beat)
    else if (!absent.has(tenantId)) {
      try {
        const from = sinceOf.get(tenantId) ?? beat.from
        warnings += await recordOutage(db, tenantId, { ...beat, from })
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

async function recordOutage(db: Db, tenantId: TenantScope, { from, until }: Beat): Promise<number> {
  if (!isOutage(from, until)) return 0
  let after: WarnedPage['after'] = { tenantId: '', facilityId: '' }
  for (let recorded = 0; ; ) {
    const batch = await inTransaction(db, async (tx) => {
      const facilities = await lockWarned(tx, { tenantId, after, limit: BATCH })
      await insertOutages(
        tx,
        facilities.map((one) => toOutage(one, { from, until })),
      )
      return facilities
    })
    recorded += batch.length
    after = batch.at(-1) ?? after
    if (batch.length < BATCH) return recorded
  }
}

/** Times are the tenant's. */
function toOutage(
  { clockOffsetMs, ...facility }: WarnedFacility,
  { from, until }: { from: Date; until: Date },
): OutageRow {
  const offsetMs = Number(clockOffsetMs)
  return { ...facility, from: addMs(from, offsetMs), until: addMs(until, offsetMs) }
}

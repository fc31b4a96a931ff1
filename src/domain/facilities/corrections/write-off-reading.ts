import { addMs, DAY_MS, MINUTE_MS } from '../../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import type { Position } from '../../collateral/valuation.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { requestWork, type WorkResult } from '../../work/work.ts'
import { askPositions } from '../custody/ask-positions.ts'
import { getFacility } from '../facilities.ts'
import type { Custodian } from '../ports.ts'
import { READ_FOR_WRITE_OFF } from '../topics.ts'
import {
  askWriteOffReading,
  selectWriteOffReading,
  storeWriteOffReading,
} from './correction-queries.ts'

// A debt is written off where the custodian holds nothing that can be sold. It is asked when a write-off
// is proposed, and until that ends, so that its answer is new when another operator confirms.

/** A write-off needs an answer that is no older. */
export const READING_MS = 15 * MINUTE_MS

const ASKED_DAYS = 3
const AGAIN_MS = 10 * MINUTE_MS
const RETRY_REFUSED_MS = MINUTE_MS

/** By real time. */
export async function requestWriteOffReading(
  { tx, tenantId, realNow }: Omit<TenantContext, 'now'>,
  facilityId: string,
): Promise<void> {
  const until = addMs(realNow, ASKED_DAYS * DAY_MS)
  await askWriteOffReading(tx, { tenantId, facilityId }, until)
  await requestWork(tx, { tenantId, topic: READ_FOR_WRITE_OFF, subjectId: facilityId }, realNow)
}

export async function readForWriteOff(
  context: { db: Db; custodian: Custodian; instant: InstantFor },
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  const { db } = context
  const [asked, facility, instant] = await Promise.all([
    selectWriteOffReading(db, tenantId, facilityId),
    getFacility(db, tenantId, facilityId),
    context.instant(tenantId),
  ])
  const { realNow } = instant
  if (!asked || asked.asked_until <= realNow || facility.state !== 'APPROVED') return { done: true }
  const question = { purpose: 'write_off', basis: 'write-off' } as const
  const answer = await askPositions(context, facility, question, instant)
  if (answer.status === 'pending') return { done: false, retryAt: answer.askAgainAt }
  if (answer.status === 'refused') return { done: false, retryAt: addMs(realNow, RETRY_REFUSED_MS) }
  const positions = answer.positions.map(({ asset, units }) => ({ asset, units: String(units) }))
  await inTransaction(db, (tx) =>
    storeWriteOffReading(tx, { tenantId, facilityId }, { readAt: answer.askedAt, positions }),
  )
  return { done: false, retryAt: addMs(realNow, AGAIN_MS) }
}

/** The answer, if it is new enough; `readAt` is domain time. */
export async function findWriteOffReading(
  { tx, tenantId, now }: { tx: Tx; tenantId: string; now: Date },
  facilityId: string,
): Promise<{ positions: Position[]; readAt: Date } | undefined> {
  const row = await selectWriteOffReading(tx, tenantId, facilityId)
  if (!row?.read_at || !row.positions || row.read_at < addMs(now, -READING_MS)) return undefined
  const positions = row.positions.map(({ asset, units }) => ({ asset, units: BigInt(units) }))
  return { positions, readAt: row.read_at }
}

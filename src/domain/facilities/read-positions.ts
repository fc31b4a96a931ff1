import { addMs, type Instant, SECOND_MS } from '../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import type { PortfolioSource } from '../../db/schema.ts'
import {
  getPortfolioSource,
  recordReading,
  setPortfolioSource,
} from '../collateral/portfolio-source.ts'
import type { Position } from '../collateral/valuation.ts'
import type { InstantFor } from '../tenants/tenant-clock.ts'
import { requestWork, requestWorks, type WorkResult } from '../work/work.ts'
import { askPositions } from './ask-positions.ts'
import { type Facility, getFacility, lockFacility } from './facilities.ts'
import { type SalesProgress, selectSalesProgress } from './holding-queries.ts'
import { endInquiry } from './inquiry-queries.ts'
import type { Custodian } from './ports.ts'
import { selectApprovedIds, selectApprovedOf } from './queries.ts'
import { JUDGE_AFTER, READ_POSITIONS, requestJudgement } from './topics.ts'

/** How soon a reading that a sale has overtaken is repeated. */
const OVERTAKEN_PAUSE_MS = 5 * SECOND_MS

export type ReadContext = {
  db: Db
  custodian: Custodian
  config: { custodianReadSeconds: number }
  instant: InstantFor
}

/**
 * Reads what the custodian holds for a facility's borrower, and asks to be run again after the
 * period, as long as the facility is approved and the custodian is its tenant's portfolio source.
 */
export async function readPositions(
  context: ReadContext,
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  const { db } = context
  const facility = await getFacility(db, tenantId, facilityId)
  const isWanted =
    facility.state === 'APPROVED' && (await getPortfolioSource(db, tenantId)) === 'custodian'
  if (!isWanted) {
    // Chosen again one day, the custodian is asked anew.
    await endInquiry(db, { tenantId, facilityId, purpose: 'reading' })
    return { done: true }
  }

  const reading = await takeReading(context, facility)
  return { done: false, lookAgainAt: reading.againAt }
}

/**
 * Asks the custodian what it holds for the borrower of a pending or approved facility and keeps the
 * answer, unless a sale has overtaken it or the facility has ended meanwhile: the next one is not
 * lent on by what was true of this one. Tells whether it is kept, and when (real time) to ask again.
 */
export async function takeReading(
  context: ReadContext,
  facility: Facility,
): Promise<{ isTaken: boolean; againAt: Date }> {
  const { db, config } = context
  const { tenantId, id, borrowerId } = facility
  const instant = await context.instant(tenantId)
  const { realNow } = instant
  const periodMs = config.custodianReadSeconds * SECOND_MS
  const againAt = addMs(realNow, periodMs)
  const purpose = facility.state === 'PENDING' ? 'application' : 'reading'
  const basis = basisOf(await selectSalesProgress(db, tenantId, borrowerId))
  const answer = await askPositions(context, facility, { purpose, basis }, instant)
  if (answer.status === 'pending') return { isTaken: false, againAt: answer.askAgainAt }
  if (answer.status === 'refused') return { isTaken: false, againAt }
  const outcome = await inTransaction(db, async (tx) => {
    const { state } = await lockFacility(tx, tenantId, id)
    if (state !== 'PENDING' && state !== 'APPROVED') return 'not_wanted'
    const sales = await selectSalesProgress(tx, tenantId, borrowerId)
    if (basisOf(sales) !== basis || isSince(sales.executedAt, answer.askedAt)) return 'overtaken'
    // Whether an order under way is in the answer already, nobody knows until it has ended.
    if (sales.settled < sales.orders) return 'in_doubt'
    await storeReading(tx, facility, answer, { state, sales, realNow })
    return 'taken'
  })
  if (outcome !== 'overtaken') return { isTaken: outcome === 'taken', againAt }
  return { isTaken: false, againAt: addMs(realNow, Math.min(OVERTAKEN_PAUSE_MS, periodMs)) }
}

async function storeReading(
  tx: Tx,
  { tenantId, id, borrowerId }: Facility,
  { positions, askedAt }: { positions: readonly Position[]; askedAt: Date },
  { state, sales, realNow }: { state: Facility['state']; sales: SalesProgress; realNow: Date },
): Promise<void> {
  const stored = await recordReading(tx, tenantId, borrowerId, positions, askedAt)
  // What was sold since the reading before is taken off no more, though its answer was the same.
  const isCountedAnew = stored.readBefore && isSince(sales.executedAt, stored.readBefore)
  if ((stored.changed || isCountedAnew) && state === 'APPROVED') {
    await requestJudgement(tx, tenantId, id, 'collateral', realNow)
  }
}

/** What of sales an answer must not be older than. */
function basisOf({ orders, settled }: SalesProgress): string {
  return `${settled} of ${orders} settled`
}

function isSince(executedAt: Date | undefined, instant: Date): boolean {
  return executedAt !== undefined && executedAt >= instant
}

/** Has a facility's positions read from now on, until its tenant's source is no longer the custodian. */
export async function beginReading(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  realNow: Date,
): Promise<void> {
  await requestWork(tx, { tenantId, topic: READ_POSITIONS, subjectId: facilityId }, realNow)
}

/**
 * Chooses where a tenant's positions come from (interface, Platform config: the portfolio source).
 * From the custodian all approved facilities are read from now on; back at push, those are looked at
 * whose readings are forgotten, for their collateral may count for more.
 */
export async function choosePortfolioSource(
  tx: Tx,
  tenantId: string,
  mode: PortfolioSource,
  { now, realNow }: Instant,
): Promise<void> {
  const unread = await setPortfolioSource(tx, tenantId, mode, now)
  const isRead = mode === 'custodian'
  const topic = isRead ? READ_POSITIONS : JUDGE_AFTER.collateral
  const facilityIds = isRead
    ? await selectApprovedIds(tx, tenantId)
    : await selectApprovedOf(tx, tenantId, unread)
  const works = facilityIds.map((subjectId) => ({ topic, subjectId }))
  await requestWorks(tx, tenantId, works, realNow)
}

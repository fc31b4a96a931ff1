import { addMs, type Instant, SECOND_MS } from '../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { getPortfolioSource, recordReading } from '../collateral/portfolio-source.ts'
import { requestWork, requestWorks, type WorkResult } from '../outbox/outbox.ts'
import { type Facility, getFacility, lockFacility } from './facilities.ts'
import type { Custodian } from './ports.ts'
import { selectApprovedIds } from './queries.ts'
import { READ_POSITIONS, requestJudgement } from './topics.ts'

export type ReadContext = {
  db: Db
  custodian: Custodian
  config: { custodianReadSeconds: number }
  instant: (tenantId: string) => Promise<Instant>
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
  if (!isWanted) return { done: true }

  const reading = await takeReading(context, facility)
  return { done: false, lookAgainAt: reading.againAt }
}

/**
 * Asks the custodian what it holds for the borrower of a pending or approved facility and keeps the
 * answer, unless the facility has ended meanwhile: the next one is not lent on by what was true of
 * this one. Tells whether it has answered, and when (real time) to ask again.
 */
export async function takeReading(
  { db, custodian, config, instant }: ReadContext,
  facility: Facility,
): Promise<{ isTaken: boolean; againAt: Date }> {
  const { tenantId, id, borrowerId, custodyAccount: account } = facility
  const periodMs = config.custodianReadSeconds * SECOND_MS
  // The time before the call: a sale during it is taken off rather than missed.
  const { now: readAt, realNow } = await instant(tenantId)
  // One call a period, also where its answer takes several runs.
  const callId = `${id}/positions/${Math.floor(realNow.getTime() / periodMs)}`
  const answer = await custodian.positions({ tenantId, callId, account, borrowerId, realNow })
  if (answer.status === 'pending') return { isTaken: false, againAt: answer.askAgainAt }
  const againAt = addMs(realNow, periodMs)
  if (answer.status === 'refused') return { isTaken: false, againAt }
  await inTransaction(db, async (tx) => {
    const { state } = await lockFacility(tx, tenantId, id)
    if (state !== 'PENDING' && state !== 'APPROVED') return
    const { changed } = await recordReading(tx, tenantId, borrowerId, answer.positions, readAt)
    if (changed && state === 'APPROVED') {
      await requestJudgement(tx, tenantId, id, 'collateral', realNow)
    }
  })
  return { isTaken: true, againAt }
}

/** Has a facility's positions read from now on, where the custodian is its tenant's source. */
export async function beginReading(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  realNow: Date,
): Promise<void> {
  if ((await getPortfolioSource(tx, tenantId)) !== 'custodian') return
  await requestWork(tx, { tenantId, topic: READ_POSITIONS, subjectId: facilityId }, realNow)
}

/** Has the positions of all approved facilities of a tenant read from now on. */
export async function beginReadingAll(tx: Tx, tenantId: string, realNow: Date): Promise<void> {
  const facilityIds = await selectApprovedIds(tx, tenantId)
  const works = facilityIds.map((subjectId) => ({
    topic: READ_POSITIONS,
    subjectId,
    dueAt: realNow,
  }))
  await requestWorks(tx, tenantId, works)
}

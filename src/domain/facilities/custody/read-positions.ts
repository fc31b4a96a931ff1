import { addMs, type Instant, SECOND_MS } from '../../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import { getPortfolioSource, recordReadings } from '../../collateral/portfolio-source.ts'
import type { PriceFeed } from '../../collateral/prices.ts'
import type { Position } from '../../collateral/valuation.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import { requestWork, requestWorks, type WorkResult } from '../../work/work.ts'
import { type Facility, getFacility } from '../facilities.ts'
import type { LendingTermsAt } from '../policy.ts'
import type { Custodian } from '../ports.ts'
import { lockFacilityStates } from '../queries.ts'
import { EVALUATE_AFTER, READ_ALONE, READ_POSITIONS } from '../topics.ts'
import { askPositions } from './ask-positions.ts'
import { NO_SALES, type SalesProgress, selectSalesProgress } from './holding-queries.ts'
import { endInquiries } from './inquiry-queries.ts'
import type { ReadingPeriods } from './reading-period.ts'

const OVERTAKEN_PAUSE_MS = 5 * SECOND_MS

export type ReadContext = {
  db: Db
  custodian: Custodian
  prices: PriceFeed
  termsAt: LendingTermsAt
  config: ReadingPeriods
  instant: InstantFor
}

export type TakenReading = { facility: Facility; positions: readonly Position[]; basis: string }

export type ReadingOutcome = 'taken' | 'overtaken' | 'in_doubt' | 'not_wanted' | 'locked'

type Asked = { askedAt: Date; realNow: Date; locked: 'wait for' | 'pass over' }

/** Reads one facility that a call about many left unanswered. */
export async function readAlone(
  context: ReadContext,
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  const facility = await getFacility(context.db, tenantId, facilityId)
  if (!(await isReadingWanted(context.db, facility))) {
    await endInquiries(context.db, { tenantId, facilityIds: [facilityId], purpose: 'reading' })
    return { done: true }
  }
  const reading = await takeReading(context, facility)
  return reading.isAnswered ? { done: true } : { done: false, retryAt: reading.againAt }
}

async function isReadingWanted(db: Db, { tenantId, state }: Facility): Promise<boolean> {
  return state === 'APPROVED' && (await getPortfolioSource(db, tenantId)) === 'custodian'
}

/** A sale or the facility's end makes the answer void. `againAt` is real time. */
export async function takeReading(
  context: ReadContext,
  facility: Facility,
): Promise<{ isAnswered: boolean; isTaken: boolean; againAt: Date }> {
  const { db, config } = context
  const { tenantId, borrowerId } = facility
  const instant = await context.instant(tenantId)
  const { realNow } = instant
  const againAt = addMs(realNow, config.custodianReadSeconds * SECOND_MS)
  const purpose = facility.state === 'PENDING' ? 'application' : 'reading'
  const sales = await selectSalesProgress(db, tenantId, [borrowerId])
  const basis = basisOf(sales.get(borrowerId))
  const answer = await askPositions(context, facility, { purpose, basis }, instant)
  if (answer.status === 'pending') {
    return { isAnswered: false, isTaken: false, againAt: answer.askAgainAt }
  }
  if (answer.status === 'refused') return { isAnswered: true, isTaken: false, againAt }
  const { positions, askedAt } = answer
  const outcomes = await inTransaction(db, (tx) =>
    storeReadings(tx, tenantId, [{ facility, positions, basis }], {
      askedAt,
      realNow,
      locked: 'wait for',
    }),
  )
  const outcome = outcomes.get(facility.id)
  if (outcome !== 'overtaken') return { isAnswered: true, isTaken: outcome === 'taken', againAt }
  return { isAnswered: false, isTaken: false, againAt: overtakenAgainAt(config, realNow) }
}

export function overtakenAgainAt({ custodianReadSeconds }: ReadingPeriods, realNow: Date): Date {
  return addMs(realNow, Math.min(OVERTAKEN_PAUSE_MS, custodianReadSeconds * SECOND_MS))
}

/** `askedAt` is domain time. Requests an evaluation where they change the collateral. */
export async function storeReadings(
  tx: Tx,
  tenantId: string,
  readings: readonly TakenReading[],
  { askedAt, realNow, locked }: Asked,
): Promise<Map<string, ReadingOutcome>> {
  const ids = readings.map(({ facility }) => facility.id)
  const borrowerIds = readings.map(({ facility }) => facility.borrowerId)
  const stateOf = await lockFacilityStates(tx, tenantId, ids, locked)
  const salesOf = await selectSalesProgress(tx, tenantId, borrowerIds)
  const outcomes = new Map(
    readings.map((reading): [string, ReadingOutcome] => {
      const { id, borrowerId } = reading.facility
      const state = stateOf.get(id)
      if (state === undefined && locked === 'pass over') return [id, 'locked']
      if (state !== 'PENDING' && state !== 'APPROVED') return [id, 'not_wanted']
      return [id, outcomeOf(reading, salesOf.get(borrowerId) ?? NO_SALES, askedAt)]
    }),
  )
  const taken = readings.filter(({ facility }) => outcomes.get(facility.id) === 'taken')
  const stored = await recordReadings(
    tx,
    tenantId,
    taken.map(({ facility, positions }) => ({ borrowerId: facility.borrowerId, positions })),
    askedAt,
  )
  const changed = taken.filter(({ facility: { id, borrowerId } }) => {
    const { isChanged, readBefore } = stored.get(borrowerId) ?? {}
    const { executedAt } = salesOf.get(borrowerId) ?? NO_SALES
    // Sales since the earlier reading no longer count, though both readings are equal.
    const isCountedAgain = readBefore !== undefined && isSince(executedAt, readBefore)
    return (isChanged === true || isCountedAgain) && stateOf.get(id) === 'APPROVED'
  })
  const topic = EVALUATE_AFTER.collateral
  const works = changed.map(({ facility }) => ({ topic, subjectId: facility.id }))
  await requestWorks(tx, tenantId, works, realNow)
  return outcomes
}

function outcomeOf({ basis }: TakenReading, sales: SalesProgress, askedAt: Date): ReadingOutcome {
  if (basisOf(sales) !== basis || isSince(sales.executedAt, askedAt)) return 'overtaken'
  // An order under way may or may not be in the answer.
  return sales.settled < sales.orders ? 'in_doubt' : 'taken'
}

/** As text: an answer holds for this progress alone. */
export function basisOf({ orders, settled }: SalesProgress = NO_SALES): string {
  return `${settled} of ${orders} settled`
}

function isSince(executedAt: Date | undefined, instant: Date): boolean {
  return executedAt !== undefined && executedAt >= instant
}

export async function beginReading(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  realNow: Date,
): Promise<void> {
  await requestWork(tx, { tenantId, topic: READ_POSITIONS, subjectId: facilityId }, realNow)
}

export async function requestReadingAlone(
  tx: Tx,
  tenantId: string,
  facilityIds: readonly string[],
  { realNow }: Instant,
): Promise<void> {
  const works = facilityIds.map((id) => ({ topic: READ_ALONE, subjectId: id }))
  await requestWorks(tx, tenantId, works, realNow)
}

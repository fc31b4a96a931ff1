import { newId } from '../../../core/ids.ts'
import { addMs, type Instant } from '../../../core/time.ts'
import { inTransaction } from '../../../db/database.ts'
import { getPortfolioSource } from '../../collateral/portfolio-source.ts'
import { valuePortfolio } from '../../collateral/valuation.ts'
import type { WorkResult } from '../../work/work.ts'
import { type Facility, toFacility } from '../facilities.ts'
import { totalDebtCents } from '../ledger/debt.ts'
import { MAX_READINGS } from '../ports.ts'
import { selectFacilitiesOf } from '../queries.ts'
import { selectSalesProgress } from './holding-queries.ts'
import { loadHoldings } from './holdings.ts'
import { endInquiries } from './inquiry-queries.ts'
import {
  basisOf,
  overtakenAgainAt,
  type ReadContext,
  type ReadingOutcome,
  requestReadingAlone,
  storeReadings,
  type TakenReading,
} from './read-positions.ts'
import { nextReadingAt, readingPeriodMs } from './reading-period.ts'

const STORED_AT_ONCE = 100

/** Returns when to read each again. Throws where the custodian is unreachable. */
export async function readManyPositions(
  context: ReadContext,
  tenantId: string,
  facilityIds: readonly string[],
): Promise<Map<string, WorkResult>> {
  const { db } = context
  const source = await getPortfolioSource(db, tenantId)
  const all = (await selectFacilitiesOf(db, tenantId, facilityIds)).map(toFacility)
  const wanted = all.filter(({ state }) => state === 'APPROVED' && source === 'custodian')
  const results = new Map<string, WorkResult>(facilityIds.map((id) => [id, { done: true }]))
  const ended = facilityIds.filter((id) => !wanted.some((facility) => facility.id === id))
  // A late answer must not count if the custodian is chosen again later.
  await endInquiries(db, { tenantId, facilityIds: ended, purpose: 'reading' })
  if (wanted.length === 0) return results

  const instant = await context.instant(tenantId)
  const outcomes = await readWanted(context, tenantId, wanted, instant)
  for (const [id, againAt] of await nextReadings(context, tenantId, wanted, instant)) {
    const outcome = outcomes.get(id)
    const isMissed = outcome === 'overtaken' || outcome === 'locked'
    const dueAt = isMissed ? overtakenAgainAt(context.config, instant.realNow) : againAt
    results.set(id, { done: false, retryAt: dueAt })
  }
  return results
}

async function readWanted(
  { db, custodian }: ReadContext,
  tenantId: string,
  facilities: readonly Facility[],
  instant: Instant,
): Promise<Map<string, ReadingOutcome>> {
  const borrowerIds = facilities.map(({ borrowerId }) => borrowerId)
  const salesOf = await selectSalesProgress(db, tenantId, borrowerIds)
  const answers = await custodian.readings({
    tenantId,
    callId: newId('rdg'),
    realNow: instant.realNow,
    accounts: facilities.map(({ id, borrowerId, custodyAccount }) => {
      return { account: custodyAccount, facilityId: id, borrowerId }
    }),
  })
  const taken: TakenReading[] = []
  const unanswered: string[] = []
  for (const facility of facilities) {
    const answer = answers.get(facility.id)
    const basis = basisOf(salesOf.get(facility.borrowerId))
    if (answer?.status === 'done') taken.push({ facility, positions: answer.positions, basis })
    else if (answer?.status !== 'refused') unanswered.push(facility.id)
  }
  if (unanswered.length > 0) {
    await inTransaction(db, (tx) => requestReadingAlone(tx, tenantId, unanswered, instant))
  }
  // A facility locked elsewhere must not hold up the others.
  const stored = { askedAt: instant.now, realNow: instant.realNow, locked: 'pass over' as const }
  const outcomes = new Map<string, ReadingOutcome>()
  for (let at = 0; at < taken.length; at += STORED_AT_ONCE) {
    const readings = taken.slice(at, at + STORED_AT_ONCE)
    const chunk = await inTransaction(db, (tx) => storeReadings(tx, tenantId, readings, stored))
    for (const [id, outcome] of chunk) outcomes.set(id, outcome)
  }
  return outcomes
}

/** Real times. A full call stays together by itself, so its facilities keep their own periods. */
async function nextReadings(
  { db, prices, termsAt, config }: ReadContext,
  tenantId: string,
  facilities: readonly Facility[],
  { now, realNow }: Instant,
): Promise<Map<string, Date>> {
  const borrowerIds = facilities.map(({ borrowerId }) => borrowerId)
  const holdings = await loadHoldings(db, tenantId, borrowerIds)
  const latest = await prices.latest(db, tenantId, now)
  const { termsOf } = await termsAt(db, now)
  return new Map(
    facilities.map((facility) => {
      const { id, borrowerId, debt } = facility
      const { policy } = termsOf(facility)
      const positions = holdings.get(borrowerId)?.positions ?? []
      const { valueCents } = valuePortfolio(positions, latest, policy.haircuts)
      const debtCents = totalDebtCents(debt, now)
      const periodMs = readingPeriodMs({ debtCents, valueCents }, config)
      const isFull = facilities.length === MAX_READINGS
      const againAt = isFull
        ? addMs(realNow, periodMs)
        : nextReadingAt(tenantId, realNow, periodMs, config)
      return [id, againAt]
    }),
  )
}

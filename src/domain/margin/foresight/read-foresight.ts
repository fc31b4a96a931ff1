import type { Db } from '../../../db/database.ts'
import type { EventToAppend } from '../../events/append/append.ts'
import { loadHoldings } from '../../facilities/custody/holdings.ts'
import { selectLatestCompletedDraw } from '../../facilities/draws/draw-queries.ts'
import { type Facility, getFacility } from '../../facilities/facilities.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import { provisionalAt } from '../../facilities/ledger/provisional.ts'
import { notApproved } from '../../facilities/not-approved.ts'
import { selectDeficit } from '../../facilities/queries.ts'
import { getBorrower } from '../../onboarding/borrowers.ts'
import { additionsOf, type Case, cureOf, type MarginReading } from '../case.ts'
import { type FacilityView, viewCase } from '../facility-view.ts'
import type { CureAddition } from '../ladder/cure-amounts.ts'
import { loadCases, loadPrices } from '../load-cases.ts'
import { planSale, type SalePlan } from '../sale-plan.ts'
import { type Level, levelsOf } from './levels.ts'
import { type ActFacts, type ActRefusal, type Acts, previewActs } from './preview.ts'

export type MarginLevels = { view: FacilityView; levels: Level[] }

/** Refuses `not_found`, `facility_not_approved`. */
export async function readMarginLevels(
  reading: MarginReading,
  facilityId: string,
): Promise<MarginLevels> {
  const { now } = reading
  const { evaluated } = await loadApprovedCase(reading, facilityId)
  return { view: viewCase(evaluated, now), levels: levelsOf(evaluated, now) }
}

export type FacilityPreview = {
  at: Date
  view: FacilityView
  refusals: ActRefusal[]
  events: EventToAppend[]
  warning: PreviewedWarning | undefined
  sale: SalePlan | undefined
}

export type PreviewedWarning = {
  number: number
  tier: number
  cureAmountCents: bigint
  cureCollateralCents: bigint
  cureAdditions: CureAddition[]
  cureDeadline: Date
  ifEscalated: SalePlan
}

/** What the acts would lead to; nothing is written. Refuses `not_found`, `facility_not_approved`. */
export async function previewFacility(
  reading: MarginReading,
  facilityId: string,
  acts: Acts,
): Promise<FacilityPreview> {
  const { now } = reading
  const start = await loadApprovedCase(reading, facilityId)
  const { facility } = start.evaluated
  const facts = await loadActFacts(reading, facility, acts)
  const { policy } = reading.termsOf(facility)
  const { course, refusals } = previewActs({ ...start, now }, facts, acts, policy)
  const { evaluated, now: at, events } = course
  return {
    at,
    view: viewCase(evaluated, at),
    refusals,
    events,
    warning: describeWarning(evaluated, at),
    sale: evaluated.hasLiveCall ? planSaleOf(evaluated, at) : undefined,
  }
}

async function loadApprovedCase(reading: MarginReading, facilityId: string) {
  const facility = await getFacility(reading.db, reading.tenantId, facilityId)
  if (facility.state !== 'APPROVED') throw notApproved(facility.state)
  const pricesBy = loadPrices(reading)
  const [evaluated] = await loadCases(reading, [facility], pricesBy)
  if (!evaluated) throw new Error(`facility ${facilityId} was not loaded`)
  return { evaluated, prices: await pricesBy(evaluated.policy) }
}

async function loadActFacts(
  { db, tenantId, now }: MarginReading,
  facility: Facility,
  { draw, repayment }: Acts,
): Promise<ActFacts> {
  const { id, borrowerId } = facility
  const borrower = draw && (await getBorrower(db, tenantId, borrowerId))
  const drawn = repayment && (await selectLatestCompletedDraw(db, tenantId, id))
  return {
    portfolioAgeMs: draw && (await loadPortfolioAge(db, tenantId, borrowerId, now)),
    isBlocked: borrower?.block !== undefined,
    deficitCents: draw ? await selectDeficit(db, tenantId, borrowerId) : 0n,
    hasDrawn: drawn !== undefined,
    provisional: await provisionalAt(db, facility, now),
  }
}

async function loadPortfolioAge(db: Db, tenantId: string, borrowerId: string, now: Date) {
  const holdings = (await loadHoldings(db, tenantId, [borrowerId])).get(borrowerId)
  return holdings && now.getTime() - holdings.receivedAt.getTime()
}

function describeWarning(evaluated: Case, now: Date): PreviewedWarning | undefined {
  const { warning } = evaluated
  if (!warning) return undefined
  const { number, tier, cureDeadline } = warning
  const cure = cureOf(evaluated, cureDeadline, now)
  return {
    number,
    tier,
    cureAmountCents: cure.amountCents,
    cureCollateralCents: cure.collateralCents,
    cureAdditions: additionsOf(evaluated, cure.collateralCents),
    cureDeadline,
    ifEscalated: planSaleOf(evaluated, now),
  }
}

function planSaleOf({ facility, policy, collateral }: Case, now: Date): SalePlan {
  const debtCents = totalDebtCents(facility.debt, now)
  return planSale({ debtCents, positions: collateral.latest.positions }, policy)
}

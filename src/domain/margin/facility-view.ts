import { mapInSlices } from '../../core/limits/slices.ts'
import { floorCents, formatLtv } from '../../core/ratio.ts'
import type { Db } from '../../db/database.ts'
import type { Valuation } from '../collateral/valuation.ts'
import type { Facility } from '../facilities/facilities.ts'
import { type Outstanding, outstandingAt } from '../facilities/ledger/debt.ts'
import type { BoundTerms } from './amendments/facility-terms.ts'
import type { Case, MarginView } from './case.ts'
import { loadCases, loadPrices } from './load-cases.ts'
import type { MarginPolicy } from './policy.ts'

export const HEALTH_STATES = ['HEALTHY', 'WARNING', 'DEFICIT', 'MARGIN_CALL'] as const

export type Health = (typeof HEALTH_STATES)[number]

/** All figures are of one instant; those that follow from the debt follow from its shown cents. */
export type FacilityView = {
  facility: Facility
  /** Its own; of an application those in force. */
  policy: MarginPolicy
  /** Of one that was approved. */
  terms: BoundTerms | undefined
  /** Of one that lends. */
  nextTerms: { at: Date; terms: BoundTerms } | undefined
  valuation: Valuation
  valueCents: bigint
  outstanding: Outstanding
  requiredFloorCents: bigint
  ltv: string
  health: Health
  isStale: boolean
  /** While deadlines stand still by the lender's grant. */
  forbearanceUntil: Date | undefined
  /** The oldest price that counts; this instant where none does. */
  valuedAt: Date
}

export async function viewFacility(
  db: Db,
  view: MarginView,
  facility: Facility,
  now: Date,
): Promise<FacilityView> {
  const [viewed] = await viewFacilities(db, view, [facility], now)
  if (!viewed) throw new Error(`facility ${facility.id} was not viewed`)
  return viewed
}

const AT_ONCE = 100

export async function viewFacilities(
  db: Db,
  view: MarginView,
  facilities: readonly Facility[],
  now: Date,
): Promise<FacilityView[]> {
  const [first] = facilities
  if (!first) return []
  const reading = { ...view, db, tenantId: first.tenantId, now }
  const prices = loadPrices(reading)
  const views: FacilityView[] = []
  // So that others do not wait for the rows of all.
  for (let at = 0; at < facilities.length; at += AT_ONCE) {
    const cases = await loadCases(reading, facilities.slice(at, at + AT_ONCE), prices)
    views.push(...(await mapInSlices(cases, (evaluated) => viewCase(evaluated, now))))
  }
  return views
}

export function viewCase(evaluated: Case, now: Date): FacilityView {
  const { facility, policy, collateral, warning, hasLiveCall } = evaluated
  const { latest, isStale } = collateral
  const outstanding = outstandingAt(facility.debt, now)
  const debtCents = outstanding.totalCents
  const ratioPpm = warning || hasLiveCall ? policy.cureLtvPpm : policy.floorLtvPpm
  return {
    facility,
    policy,
    ...termsIn(evaluated),
    valuation: latest,
    valueCents: latest.valueCents,
    outstanding,
    requiredFloorCents: floorCents(debtCents, ratioPpm),
    ltv: formatLtv(debtCents, latest.valueCents),
    health: healthOf(evaluated, debtCents),
    isStale,
    forbearanceUntil: forbearanceOf(facility, now),
    valuedAt: latest.oldestPriceAt ?? now,
  }
}

export function forbearanceOf({ forbearanceUntil }: Facility, now: Date): Date | undefined {
  return forbearanceUntil && forbearanceUntil > now ? forbearanceUntil : undefined
}

function healthOf({ warning, hasLiveCall, collateral }: Case, debtCents: bigint): Health {
  if (hasLiveCall) return 'MARGIN_CALL'
  if (debtCents > collateral.latest.valueCents) return 'DEFICIT'
  return warning ? 'WARNING' : 'HEALTHY'
}

function termsIn({ facility, policy, nextPolicy }: Case) {
  const { termsVersion: version, debt, nextTerms, state } = facility
  if (version === undefined) return { terms: undefined, nextTerms: undefined }
  const terms = { version, ratePpm: debt.ratePpm, policy }
  if (!nextTerms || !nextPolicy || state !== 'APPROVED') return { terms, nextTerms: undefined }
  const next = {
    version: nextTerms.version ?? version,
    ratePpm: nextTerms.ratePpm ?? debt.ratePpm,
    policy: nextPolicy,
  }
  return { terms, nextTerms: { at: nextTerms.at, terms: next } }
}

import { loadPositionSources } from '../../collateral/position-sources.ts'
import { type FacilityKey, getFacility } from '../../facilities/facilities.ts'
import { type Hold, listHolds } from '../../facilities/holds/holds.ts'
import { type FacilityView, viewCase } from '../facility-view.ts'
import { loadCases, loadPrices } from '../load-cases.ts'
import { type CustodianReading, type DeskReading, lastReading } from './open-warnings.ts'

export type DeskFacility = FacilityView & {
  /** The tenant's time of all figures. */
  asOf: Date
  openWarning: number | undefined
  runningCall: number | undefined
  custodian: CustodianReading | undefined
  /** Oldest first, lifted ones too. */
  holds: readonly Hold[]
}

/** Refuses `not_found`. */
export async function getDeskFacility(
  { db, clockFor, termsAt, prices }: DeskReading,
  { tenantId, facilityId }: FacilityKey,
): Promise<DeskFacility> {
  const facility = await getFacility(db, tenantId, facilityId)
  const now = await clockFor(db, tenantId)
  const { termsOf } = await termsAt(db, now)
  const reading = { db, tenantId, now, prices, termsOf }
  const [evaluated] = await loadCases(reading, [facility], loadPrices(reading))
  if (!evaluated) throw new Error(`facility ${facilityId} was not loaded`)
  const { borrowerId } = facility
  const sources = await loadPositionSources(db, tenantId, [borrowerId])
  return {
    ...viewCase(evaluated, now),
    asOf: now,
    openWarning: evaluated.warning?.number,
    runningCall: evaluated.hasLiveCall ? evaluated.lastCallNumber : undefined,
    custodian: lastReading(sources.get(borrowerId)),
    holds: await listHolds(db, facility),
  }
}

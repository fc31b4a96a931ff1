import { type FacilityChange, lockForRequest } from '../facilities/locked-facility.ts'
import { hasDueTerms } from './amendments/change-terms.ts'
import { settlePastDeadline } from './evaluation/evaluate.ts'
import { evaluateFacilities, type MarginContext } from './evaluation/evaluate-facilities.ts'

/** Locks a facility for a request. A passed margin deadline is settled first: what comes after it
 * cannot cure what ended with it. Refuses `not_found`. */
export async function changeFacility<Context extends MarginContext>(
  context: Context,
  facilityId: string,
): Promise<FacilityChange<Context>> {
  return await lockForRequest(context, facilityId, settlePastDeadline)
}

/** As `changeFacility`, for closing: what repayments cured is cured first. */
export async function changeEvaluatedFacility<Context extends MarginContext>(
  context: Context,
  facilityId: string,
): Promise<FacilityChange<Context>> {
  return await lockForRequest(context, facilityId, async (locked) => {
    await evaluateFacilities(locked, [facilityId], { trigger: 'repayment' })
    return hasDueTerms(locked.facility, locked.now)
  })
}

import { type FacilityChange, lockForRequest } from '../facilities/locked-facility.ts'
import { isOverdue } from './evaluation/due-queries.ts'
import { evaluateFacilities, type MarginContext } from './evaluation/evaluate-facilities.ts'

/** Locks a facility for a request. A passed margin deadline is settled first: what comes after it
 * cannot cure what ended with it. Refuses `not_found`. */
export async function changeFacility<Context extends MarginContext>(
  context: Context,
  facilityId: string,
): Promise<FacilityChange<Context>> {
  const { tx, tenantId, now } = context
  return await lockForRequest(
    context,
    facilityId,
    () => isOverdue(tx, tenantId, facilityId, now),
    async (locked, overdue) => {
      if (overdue) await evaluateFacilities(locked, [facilityId], { trigger: 'price' })
    },
  )
}

/** As `changeFacility`, for closing: what repayments cured is cured first. */
export async function changeEvaluatedFacility<Context extends MarginContext>(
  context: Context,
  facilityId: string,
): Promise<FacilityChange<Context>> {
  return await lockForRequest(
    context,
    facilityId,
    async () => undefined,
    (locked) => evaluateFacilities(locked, [facilityId], { trigger: 'repayment' }),
  )
}

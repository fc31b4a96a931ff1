import { Refusal } from '../../core/errors.ts'
import type { FacilityState } from '../../db/schema/facilities.ts'

const NEXT_STEP = {
  PENDING: 'wait for facility.decisioned.',
  DECLINED: 'read its decline_reasons, and apply for a new one.',
  CLOSING: 'wait for facility.closed; to borrow again, apply for a new one then.',
  CLOSED: 'to borrow again, apply for a new one.',
} as const satisfies Record<Exclude<FacilityState, 'APPROVED'>, string>

export function notApproved(state: keyof typeof NEXT_STEP): Refusal {
  return new Refusal('facility_not_approved', `The facility is ${state}: ${NEXT_STEP[state]}`)
}

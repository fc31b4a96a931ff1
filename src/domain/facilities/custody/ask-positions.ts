import { addMs, type Instant, SECOND_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import type { InquiryPurpose } from '../../../db/schema/facilities.ts'
import type { Position } from '../../collateral/valuation.ts'
import type { Facility } from '../facilities.ts'
import type { Custodian } from '../ports.ts'
import { callAbout } from './custodian-call.ts'
import { beginInquiry, endInquiry } from './inquiry-queries.ts'

/** Somebody else has asked the same, and has had the answer. */
const TAKEN_PAUSE_MS = SECOND_MS

/**
 * What the custodian is asked for. While `basis` stays as it is the same question stands; once it is
 * another, what was asked before is of no use and a new one begins.
 */
export type Question = { purpose: InquiryPurpose; basis: string }

/** What an account holds, as of no earlier than `askedAt` (domain time). */
export type PositionsAnswer =
  | { status: 'done'; positions: Position[]; askedAt: Date }
  | { status: 'refused' }
  /** To be asked again at this real time: under the same id, until it is answered. */
  | { status: 'pending'; askAgainAt: Date }

/**
 * Asks the custodian what a facility's account holds. A question keeps its id until it is answered or
 * refused, however often it must be asked and by whom; every answer is taken once, and the next
 * question is another. Throws where the custodian cannot be reached.
 */
export async function askPositions(
  { db, custodian }: { db: Db; custodian: Custodian },
  facility: Facility,
  { purpose, basis }: Question,
  { now, realNow }: Instant,
): Promise<PositionsAnswer> {
  const inquiry = { tenantId: facility.tenantId, facilityId: facility.id, purpose }
  const { number, askedAt } = await beginInquiry(db, { ...inquiry, basis, now })
  const answer = await custodian.positions(callAbout(facility, `${purpose}/${number}`, realNow))
  if (answer.status === 'pending') return answer
  // Before it is used: after a crash it is asked anew, and never answered with what was true once.
  const isOurs = await endInquiry(db, { ...inquiry, number })
  if (!isOurs) return { status: 'pending', askAgainAt: addMs(realNow, TAKEN_PAUSE_MS) }
  if (answer.status === 'refused') return { status: 'refused' }
  return { status: 'done', positions: [...answer.positions], askedAt }
}

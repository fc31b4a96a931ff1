import { addMs, type Instant, SECOND_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import type { InquiryPurpose } from '../../../db/schema/facilities.ts'
import type { Position } from '../../collateral/valuation.ts'
import type { Facility } from '../facilities.ts'
import type { Custodian } from '../ports.ts'
import { callAbout } from './custodian-call.ts'
import { beginInquiry, endInquiry } from './inquiry-queries.ts'

/** Another run asked the same and took the answer. */
const TAKEN_PAUSE_MS = SECOND_MS

/** A question keeps its call id while `basis` is the same; a new basis makes a new question. */
export type Question = { purpose: InquiryPurpose; basis: string }

/** `askedAt` is domain time: the positions are no older. */
export type PositionsAnswer =
  | { status: 'done'; positions: Position[]; askedAt: Date }
  | { status: 'refused' }
  /** Make the same call again at this real time. */
  | { status: 'pending'; askAgainAt: Date }

/** An answer is used once. Throws where the custodian is unreachable. */
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
  // Before it is used: after a crash the question is new, so an old answer never counts.
  const isOurs = await endInquiry(db, { ...inquiry, number })
  if (!isOurs) return { status: 'pending', askAgainAt: addMs(realNow, TAKEN_PAUSE_MS) }
  if (answer.status === 'refused') return { status: 'refused' }
  return { status: 'done', positions: [...answer.positions], askedAt }
}

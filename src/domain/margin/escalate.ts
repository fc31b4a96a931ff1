import type { Instant } from '../../core/time.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { getFacility } from '../facilities/facilities.ts'
import type { Custodian } from '../facilities/ports.ts'
import type { WorkResult } from '../outbox/outbox.ts'
import { confirmForEscalation } from './confirm-positions.ts'
import { type JudgeContext, judgeFacilities } from './judge.ts'

export type EscalationContext = JudgeContext & {
  db: Db
  custodian: Custodian
  instant: (tenantId: string) => Promise<Instant>
}

/**
 * Has the custodian confirm a facility's positions and judges it by them: an escalation that one bad
 * push or one wrong snapshot has called for does not happen. While the custodian does not answer,
 * nothing escalates; the outbox keeps asking.
 */
export async function escalateWarning(
  context: EscalationContext,
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  const facility = await getFacility(context.db, tenantId, facilityId)
  if (facility.state !== 'APPROVED') return { done: true }
  const asked = await context.instant(tenantId)
  const answer = await confirmForEscalation(context, facility, asked)
  if ('askAgainAt' in answer) return { done: false, lookAgainAt: answer.askAgainAt }
  const confirmed = new Map([[facility.borrowerId, answer.positions]])
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, (tx) =>
    judgeFacilities(tx, context, tenantId, [facilityId], {
      ...instant,
      trigger: 'price',
      confirmed,
    }),
  )
  return { done: true }
}

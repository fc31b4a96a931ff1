import { type Db, inTransaction } from '../../../db/database.ts'
import { endInquiry } from '../../facilities/custody/inquiry-queries.ts'
import { type Facility, getFacility } from '../../facilities/facilities.ts'
import type { Custodian } from '../../facilities/ports.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import type { WorkResult } from '../../work/work.ts'
import type { EvaluationInstant } from '../decisions/plan-step.ts'
import { evaluateFacility } from '../evaluation/evaluate.ts'
import { isToEscalate } from '../evaluation/evaluate-case.ts'
import {
  evaluateFacilities,
  type MarginEvaluationContext,
} from '../evaluation/evaluate-facilities.ts'
import { loadCase } from '../load-cases.ts'
import { bindTerms } from '../policy.ts'
import { confirmForEscalation } from './confirm-positions.ts'

export type EscalationContext = MarginEvaluationContext & {
  db: Db
  custodian: Custodian
  instant: InstantFor
}

/** So that one bad push escalates nothing. Retried without an answer, while the stored positions require it. */
export async function escalateWarning(
  context: EscalationContext,
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  const facility = await getFacility(context.db, tenantId, facilityId)
  if (facility.state !== 'APPROVED') return { done: true }
  const asked = { ...(await context.instant(tenantId)), trigger: 'price' as const }
  if (!(await isDue(context, facility, asked))) {
    // A late answer to the open question must not count for the next one.
    await endInquiry(context.db, { tenantId, facilityId, purpose: 'escalation' })
    await evaluateFacility(context.db, context, { tenantId, facilityId }, asked)
    return { done: true }
  }
  const answer = await confirmForEscalation(context, facility, asked)
  if ('askAgainAt' in answer) return { done: false, retryAt: answer.askAgainAt }
  const confirmed = new Map([[facility.borrowerId, answer]])
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const margin = await bindTerms(context, { tx, tenantId, ...instant })
    await evaluateFacilities(margin, [facilityId], { trigger: 'price', confirmed })
  })
  return { done: true }
}

async function isDue(
  context: EscalationContext,
  facility: Facility,
  instant: EvaluationInstant,
): Promise<boolean> {
  const { tenantId } = facility
  const terms = await context.termsAt(context.db, instant.now)
  const reading = { ...context, ...terms, tenantId, now: instant.now }
  const stored = await loadCase(reading, facility)
  return isToEscalate(stored, instant)
}

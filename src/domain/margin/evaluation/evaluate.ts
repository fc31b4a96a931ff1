import { addMs, type Instant } from '../../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import type { FacilityKey } from '../../facilities/facilities.ts'
import { setDeadline } from '../../work/deadlines.ts'
import type { EvaluationInstant } from '../decisions/plan-step.ts'
import { bindTerms } from '../policy.ts'
import { EVALUATE_TENANT } from '../topics.ts'
import { isOverdue, selectIndebted } from './due-queries.ts'
import {
  evaluateFacilities,
  type MarginContext,
  type MarginEvaluationContext,
} from './evaluate-facilities.ts'
import {
  evaluateInIsolation,
  type NotEvaluated,
  throwNotEvaluated,
} from './evaluate-in-isolation.ts'

const BATCH = 200

export async function evaluateFacility(
  db: Db,
  context: MarginEvaluationContext,
  { tenantId, facilityId }: FacilityKey,
  { now, realNow, trigger }: EvaluationInstant,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const margin = await bindTerms(context, { tx, tenantId, now, realNow })
    await evaluateFacilities(margin, [facilityId], { trigger })
  })
}

/** The errors of those that fail are thrown together at the end. */
export async function evaluateTenant(
  db: Db,
  context: MarginEvaluationContext,
  tenantId: string,
  instant: Instant,
): Promise<void> {
  const failed: NotEvaluated[] = []
  const instantNow = () => instant
  let after = ''
  for (;;) {
    const facilityIds = await selectIndebted(db, tenantId, after, BATCH)
    const batch = { tenantId, facilityIds }
    failed.push(...(await evaluateInIsolation(db, context, batch, { instantNow })))
    const last = facilityIds.at(-1)
    if (last === undefined || facilityIds.length < BATCH) break
    after = last
  }
  throwNotEvaluated(failed)
}

export async function settlePastDeadline(margin: MarginContext, facilityId: string): Promise<void> {
  const overdue = await isOverdue(margin.tx, margin.tenantId, facilityId, margin.now)
  if (overdue) await evaluateFacilities(margin, [facilityId], { trigger: 'price' })
}

/** A price set at `now` counts once it has held for the window. */
export async function scheduleEvaluation(
  tx: Tx,
  { marginPolicy }: Pick<MarginContext, 'marginPolicy'>,
  tenantId: string,
  now: Date,
): Promise<void> {
  const at = addMs(now, marginPolicy.confirmMs)
  await setDeadline(tx, tenantId, EVALUATE_TENANT, { subjectId: String(at.getTime()), dueAt: at })
}

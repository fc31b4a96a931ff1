import { addMs, type Instant } from '../../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import type { FacilityKey } from '../../facilities/facilities.ts'
import type { LockedFacility } from '../../facilities/locked-facility.ts'
import { setDeadline } from '../../work/deadlines.ts'
import { hasDueTerms } from '../amendments/change-terms.ts'
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

/** Returns whether an amendment was due, which may have changed the facility. */
export async function settlePastDeadline(margin: LockedFacility<MarginContext>): Promise<boolean> {
  const { tx, tenantId, facility, now } = margin
  const isAmended = hasDueTerms(facility, now)
  const isDue = isAmended || (await isOverdue(tx, tenantId, facility.id, now))
  if (isDue) await evaluateFacilities(margin, [facility.id], { trigger: 'price' })
  return isAmended
}

/** A price set at `now` counts once it has held for the window, which each version has of its own. */
export async function scheduleEvaluation(
  tx: Tx,
  { versions }: Pick<MarginContext, 'versions'>,
  tenantId: string,
  now: Date,
): Promise<void> {
  for (const confirmMs of new Set(versions.map(({ marginPolicy }) => marginPolicy.confirmMs))) {
    const at = addMs(now, confirmMs)
    await setDeadline(tx, tenantId, EVALUATE_TENANT, { subjectId: String(at.getTime()), dueAt: at })
  }
}

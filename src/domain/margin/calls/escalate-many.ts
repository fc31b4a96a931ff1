import { newId } from '../../../core/ids.ts'
import { inTransaction } from '../../../db/database.ts'
import type { Position } from '../../collateral/valuation.ts'
import { endInquiries } from '../../facilities/custody/inquiry-queries.ts'
import { type Facility, toFacility } from '../../facilities/facilities.ts'
import { selectFacilitiesOf } from '../../facilities/queries.ts'
import type { ItemResult } from '../../work/run-work.ts'
import { loadCases, loadPrices } from '../case.ts'
import type { EvaluationInstant } from '../decisions/plan-step.ts'
import { isToEscalate } from '../evaluation/evaluate-case.ts'
import { evaluateFacilities } from '../evaluation/evaluate-facilities.ts'
import { selectHeartbeat } from '../outages/outage-queries.ts'
import { type EscalationContext, escalateWarning } from './escalate.ts'

/** As `escalateWarning`, with one call to the custodian and one transaction. What fails, is locked
 * or is not answered is escalated alone. */
export async function escalateWarnings(
  context: EscalationContext,
  tenantId: string,
  facilityIds: readonly string[],
): Promise<ItemResult[]> {
  const ended =
    facilityIds.length > 1
      ? await escalateTogether(context, tenantId, facilityIds).catch(() => new Set<string>())
      : new Set<string>()
  return await Promise.all(
    facilityIds.map(async (id): Promise<ItemResult> => {
      if (ended.has(id)) return { done: true }
      return await escalateWarning(context, tenantId, id).catch((error: unknown) => ({ error }))
    }),
  )
}

/** Returns the facilities that need nothing more. */
async function escalateTogether(
  context: EscalationContext,
  tenantId: string,
  facilityIds: readonly string[],
): Promise<Set<string>> {
  const { db } = context
  const all = (await selectFacilitiesOf(db, tenantId, facilityIds)).map(toFacility)
  const approved = all.filter(({ state }) => state === 'APPROVED')
  const asked = { ...(await context.instant(tenantId)), trigger: 'price' as const }
  const due = await selectDue(context, tenantId, approved, asked)
  const positionsOf = await confirmTogether(context, tenantId, due, asked)
  const confirmed = due.filter(({ borrowerId }) => positionsOf.has(borrowerId))
  // A late answer to the open question must not count for the next one.
  const confirmedIds = confirmed.map(({ id }) => id)
  await endInquiries(db, { tenantId, facilityIds: confirmedIds, purpose: 'escalation' })
  const instant = await context.instant(tenantId)
  await inTransaction(db, (tx) =>
    evaluateFacilities({ ...context, tx, tenantId, ...instant }, confirmedIds, {
      trigger: 'price',
      confirmed: positionsOf,
    }),
  )
  const closed = all.filter(({ state }) => state !== 'APPROVED').map(({ id }) => id)
  return new Set([...confirmedIds, ...closed])
}

async function selectDue(
  context: EscalationContext,
  tenantId: string,
  facilities: readonly Facility[],
  instant: EvaluationInstant,
): Promise<Facility[]> {
  const reading = { ...context, tenantId, now: instant.now }
  const cases = await loadCases(reading, facilities, await loadPrices(reading))
  const lastBeatAt = await selectHeartbeat(context.db)
  const moment = { ...instant, lastBeatAt }
  return cases
    .filter((stored) => isToEscalate(stored, context.marginPolicy, moment))
    .map(({ facility }) => facility)
}

/** By borrower, who has no more than one approved facility; unanswered ones are left out. */
async function confirmTogether(
  { custodian }: EscalationContext,
  tenantId: string,
  facilities: readonly Facility[],
  { realNow }: EvaluationInstant,
): Promise<Map<string, Position[]>> {
  if (facilities.length === 0) return new Map()
  const answers = await custodian.readings({
    tenantId,
    callId: newId('rdg'),
    realNow,
    forEscalation: true,
    accounts: facilities.map(({ id, borrowerId, custodyAccount }) => {
      return { account: custodyAccount, facilityId: id, borrowerId }
    }),
  })
  return new Map(
    facilities.flatMap(({ id, borrowerId }) => {
      const answer = answers.get(id)
      return answer?.status === 'done' ? [[borrowerId, [...answer.positions]] as const] : []
    }),
  )
}

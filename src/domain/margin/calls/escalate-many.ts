import { newId } from '../../../core/ids.ts'
import { inTransaction } from '../../../db/database.ts'
import { endInquiries } from '../../facilities/custody/inquiry-queries.ts'
import { type Facility, toFacility } from '../../facilities/facilities.ts'
import { lockFacilities } from '../../facilities/locked-facility.ts'
import { selectFacilitiesOf } from '../../facilities/queries.ts'
import type { ItemResult } from '../../work/run-work.ts'
import type { Confirmed } from '../case.ts'
import type { EvaluationInstant } from '../decisions/plan-step.ts'
import { isToEscalate } from '../evaluation/evaluate-case.ts'
import { evaluateFacilities } from '../evaluation/evaluate-facilities.ts'
import { loadCases, loadPrices } from '../load-cases.ts'
import { bindTerms } from '../policy.ts'
import { type EscalationContext, escalateWarning } from './escalate.ts'
import { isStillConfirmed, runTogether } from './run-together.ts'

/** With one call and one transaction; what fails, is locked or is not answered is escalated alone. */
export async function escalateWarnings(
  context: EscalationContext,
  tenantId: string,
  facilityIds: readonly string[],
  onFallback: (error: unknown) => void,
): Promise<ItemResult[]> {
  return await runTogether(
    context,
    { tenantId, facilityIds },
    {
      async together(results) {
        const ended = await escalateTogether(context, tenantId, facilityIds)
        for (const id of ended) results.set(id, { done: true })
      },
      alone: (id) => escalateWarning(context, tenantId, id),
      onFallback,
    },
  )
}

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
  const unanswered = new Set(due.filter(({ borrowerId }) => !positionsOf.has(borrowerId)))
  // Confirmed, or no longer due: the latter need no custodian, only an evaluation.
  const decided = approved.filter((facility) => !unanswered.has(facility)).map(({ id }) => id)
  // A late answer to the open question must not count for the next one.
  await endInquiries(db, { tenantId, facilityIds: decided, purpose: 'escalation' })
  const instant = await context.instant(tenantId)
  const closed = all.filter(({ state }) => state !== 'APPROVED').map(({ id }) => id)
  if (!isStillConfirmed(asked.realNow, instant.realNow)) return new Set(closed)
  const evaluated = await inTransaction(db, async (tx) => {
    const margin = await bindTerms(context, { tx, tenantId, ...instant })
    // One that is locked elsewhere is left out, so that the others do not wait for it.
    const locked = await lockFacilities(margin, decided, 'pass over')
    const ids = locked.map(({ facility }) => facility.id)
    await evaluateFacilities(margin, ids, { trigger: 'price', confirmed: positionsOf })
    return ids
  })
  return new Set([...evaluated, ...closed])
}

async function selectDue(
  context: EscalationContext,
  tenantId: string,
  facilities: readonly Facility[],
  instant: EvaluationInstant,
): Promise<Facility[]> {
  const terms = await context.termsAt(context.db, instant.now)
  const reading = { ...context, ...terms, tenantId, now: instant.now }
  const cases = await loadCases(reading, facilities, loadPrices(reading))
  const due = cases.filter((stored) => isToEscalate(stored, instant))
  const dueIds = new Set(due.map(({ facility }) => facility.id))
  return facilities.filter(({ id }) => dueIds.has(id))
}

/** By borrower, who has no more than one approved facility; unanswered ones are left out. */
async function confirmTogether(
  { custodian }: EscalationContext,
  tenantId: string,
  facilities: readonly Facility[],
  { now, realNow }: EvaluationInstant,
): Promise<Map<string, Confirmed>> {
  if (facilities.length === 0) return new Map()
  const answers = await custodian.readings({
    tenantId,
    callId: newId('rdg'),
    realNow,
    decides: true,
    accounts: facilities.map(({ id, borrowerId, custodyAccount }) => {
      return { account: custodyAccount, facilityId: id, borrowerId }
    }),
  })
  return new Map(
    facilities.flatMap(({ id, borrowerId }) => {
      const answer = answers.get(id)
      if (answer?.status !== 'done') return []
      return [[borrowerId, { positions: [...answer.positions], askedAt: now }] as const]
    }),
  )
}

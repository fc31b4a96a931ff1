import type { PriceFeed } from '../../collateral/prices.ts'
import { appendEvents } from '../../events/append/append.ts'
import type { Facility } from '../../facilities/facilities.ts'
import { lockApproved } from '../../facilities/locked-facility.ts'
import { endOutages, insertOutages } from '../../facilities/pauses/pause-queries.ts'
import { noteActs } from '../../facilities/queries.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { clearDeadlines, setDeadlines } from '../../work/deadlines.ts'
import { requestWorks } from '../../work/work.ts'
import { insertCalls } from '../call-queries.ts'
import { withConfirmed } from '../case.ts'
import { insertDecisions } from '../decisions/decision-queries.ts'
import { instantsOf, toDecision, toSharedFacts } from '../decisions/decision-record.ts'
import type { Trigger } from '../ladder/facts.ts'
import { loadCases, loadPrices } from '../load-cases.ts'
import type { TermsAt } from '../policy.ts'
import { EVALUATE_FACILITY, RECHECK_PUSH } from '../topics.ts'
import { insertWarnings, updateNoticed, updateOpenWarnings } from '../warning-queries.ts'
import {
  type EvaluationCause,
  type EvaluationTerms,
  evaluateCase,
  type Outcome,
} from './evaluate-case.ts'
import { updateQuestions } from './question-queries.ts'
import { withRaises } from './with-raises.ts'

export type MarginEvaluationContext = {
  prices: PriceFeed
  termsAt: TermsAt
  hasRounds: boolean
}

export type MarginContext = TenantContext & EvaluationTerms & { prices: PriceFeed }

/** Under their locks. An escalation is requested first, and happens once `confirmed` decides so. */
export async function evaluateFacilities(
  context: MarginContext,
  facilityIds: readonly string[],
  cause: EvaluationCause,
): Promise<void> {
  for (const { facilities, now } of await lockApproved(context, facilityIds)) {
    await evaluateLocked({ ...context, now }, facilities, cause)
  }
}

async function evaluateLocked(
  margin: MarginContext,
  facilities: readonly Facility[],
  cause: EvaluationCause,
): Promise<void> {
  const { tx, now } = margin
  const reading = { ...margin, db: tx }
  const loadingPrices = loadPrices(reading)
  const byStored = await loadCases(reading, facilities, loadingPrices)
  const prices = await loadingPrices
  const moment = { now, realNow: margin.realNow, trigger: cause.trigger }
  const byConfirmed = byStored.flatMap((one) => {
    const confirmed = cause.confirmed?.get(one.facility.borrowerId)
    return confirmed ? [withConfirmed(one, confirmed, prices, margin)] : []
  })
  const stored = await withRaises(margin, byStored)
  const confirmedOf = new Map(
    (await withRaises(margin, byConfirmed)).map((one) => [one.facility.id, one]),
  )
  const outcomes = stored.map((one) =>
    evaluateCase({ byStored: one, byConfirmed: confirmedOf.get(one.facility.id) }, margin, moment),
  )
  const isDecided = outcomes.some(({ decision }) => decision !== undefined)
  const quotes = isDecided ? await margin.prices.quotesAt(tx, instantsOf(prices)) : []
  const sharedFacts = toSharedFacts(prices, quotes, margin.marginPolicy)
  await writeOutcomes(margin, outcomes, sharedFacts, cause.trigger)
}

function isAct({ raised, changed, call, decision, event, question }: Outcome): boolean {
  return (raised ?? changed ?? call ?? decision ?? event ?? question?.answer) !== undefined
}

async function writeOutcomes(
  { tx, tenantId, now, realNow }: TenantContext,
  outcomes: readonly Outcome[],
  sharedFacts: unknown,
  trigger: Trigger,
): Promise<void> {
  const acted = outcomes.filter(isAct).map(({ facilityId }) => facilityId)
  if (acted.length > 0) await noteActs(tx, tenantId, acted, now)
  const each = <T>(rowsOf: (outcome: Outcome) => readonly T[]) => outcomes.flatMap(rowsOf)
  await insertWarnings(
    tx,
    tenantId,
    each(({ facilityId, raised }) => (raised ? [{ facilityId, ...raised }] : [])),
  )
  await updateOpenWarnings(
    tx,
    tenantId,
    each(({ facilityId, changed }) => (changed ? [{ facilityId, ...changed }] : [])),
  )
  await insertCalls(
    tx,
    tenantId,
    each(({ call }) => (call ? [call] : [])),
    now,
  )
  await insertDecisions(
    tx,
    tenantId,
    { sharedFacts, decidedAt: now },
    each(({ decision }) => (decision ? [toDecision(decision, { now, trigger })] : [])),
  )
  await updateNoticed(
    tx,
    tenantId,
    each(({ facilityId, noticed }) => (noticed ? [{ facilityId, ...noticed }] : [])),
  )
  await updateQuestions(
    tx,
    tenantId,
    each(({ question }) => (question ? [question] : [])),
  )
  await insertOutages(
    tx,
    each(({ facilityId, outage }) =>
      outage === 'begins' ? [{ tenantId, facilityId, from: now, until: undefined }] : [],
    ),
  )
  await endOutages(
    tx,
    tenantId,
    each(({ facilityId, outage }) => (outage === 'ends' ? [facilityId] : [])),
    now,
  )
  await setDeadlines(
    tx,
    tenantId,
    EVALUATE_FACILITY,
    each(({ facilityId, evaluateAt }) =>
      evaluateAt ? [{ subjectId: facilityId, dueAt: evaluateAt }] : [],
    ),
  )
  await setDeadlines(
    tx,
    tenantId,
    RECHECK_PUSH,
    each(({ facilityId, recheckAt }) =>
      recheckAt ? [{ subjectId: facilityId, dueAt: recheckAt }] : [],
    ),
  )
  await clearDeadlines(
    tx,
    tenantId,
    EVALUATE_FACILITY,
    each(({ facilityId, evaluateAt }) => (evaluateAt ? [] : [facilityId])),
  )
  await requestWorks(
    tx,
    tenantId,
    each(({ facilityId, works }) => works.map((topic) => ({ topic, subjectId: facilityId }))),
    realNow,
  )
  await appendEvents(
    tx,
    tenantId,
    each(({ event }) => (event ? [event] : [])),
  )
}

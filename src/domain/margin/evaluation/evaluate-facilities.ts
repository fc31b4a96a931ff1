import type { AcceptedQuote, PriceFeed } from '../../collateral/prices.ts'
import { appendEvents } from '../../events/append/append.ts'
import type { Facility } from '../../facilities/facilities.ts'
import { encodeEased } from '../../facilities/ledger/eased.ts'
import { lockApproved } from '../../facilities/locked-facility.ts'
import { endOutages, insertOutages } from '../../facilities/pauses/pause-queries.ts'
import { noteActs, updateEased } from '../../facilities/queries.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { clearDeadlines, setDeadlines } from '../../work/deadlines.ts'
import { requestWorks } from '../../work/work.ts'
import { bindDue } from '../amendments/change-terms.ts'
import { insertCalls } from '../call-queries.ts'
import { type Case, type PriceView, withConfirmed } from '../case.ts'
import { insertDecisions } from '../decisions/decision-queries.ts'
import { instantsOf, toDecision, toSharedFacts } from '../decisions/decision-record.ts'
import type { Trigger } from '../ladder/facts.ts'
import { loadCases, loadPrices, type PricesBy } from '../load-cases.ts'
import type { TermsAt, TermsInForce } from '../policy.ts'
import { AMEND_FACILITY, EVALUATE_FACILITY, RECHECK_PUSH } from '../topics.ts'
import { insertWarnings, updateNoticed, updateOpenWarnings } from '../warning-queries.ts'
import { type EvaluationCause, evaluateCase, type Outcome } from './evaluate-case.ts'
import { updateQuestions } from './question-queries.ts'
import { withRaises } from './with-raises.ts'

export type MarginEvaluationContext = {
  prices: PriceFeed
  termsAt: TermsAt
  hasRounds: boolean
}

/** Once a facility is locked in it, `marginPolicy` is the facility's own. `hasRounds`: rounds come one by
 * one, and each evaluates every debt. */
export type MarginContext = TenantContext &
  Pick<TermsInForce, 'marginPolicy' | 'termsOf' | 'versions'> & {
    prices: PriceFeed
    hasRounds: boolean
  }

/** Under their locks. An escalation is requested first, and happens once `confirmed` decides so. */
export async function evaluateFacilities(
  context: MarginContext,
  facilityIds: readonly string[],
  cause: EvaluationCause,
): Promise<void> {
  for (const { facilities, now } of await lockApproved(context, facilityIds)) {
    const margin = { ...context, now }
    await evaluateLocked(margin, await bindDue(margin, facilities), cause)
  }
}

async function evaluateLocked(
  margin: MarginContext,
  facilities: readonly Facility[],
  cause: EvaluationCause,
): Promise<void> {
  const { tx, now } = margin
  const reading = { ...margin, db: tx }
  const pricesBy = loadPrices(reading)
  const byStored = await loadCases(reading, facilities, pricesBy)
  const moment = { now, realNow: margin.realNow, trigger: cause.trigger }
  const byConfirmed: Case[] = []
  for (const one of byStored) {
    const confirmed = cause.confirmed?.get(one.facility.borrowerId)
    if (!confirmed) continue
    byConfirmed.push(withConfirmed(one, confirmed, await pricesBy(one.policy), now))
  }
  const stored = await withRaises(margin, byStored)
  const confirmedOf = new Map(
    (await withRaises(margin, byConfirmed)).map((one) => [one.facility.id, one]),
  )
  const outcomes = stored.map((one) =>
    evaluateCase(
      { byStored: one, byConfirmed: confirmedOf.get(one.facility.id) },
      margin.hasRounds,
      moment,
    ),
  )
  await writeOutcomes(margin, outcomes, pricesBy, cause.trigger)
}

/** Those by one policy share the record of it and of its prices. What is read is read once for all, and
 * all is sent together: loans of many versions take few round trips more than those of one. */
async function recordDecisions(
  { tx, tenantId, now, prices: feed }: MarginContext,
  outcomes: readonly Outcome[],
  pricesBy: PricesBy,
  trigger: Trigger,
): Promise<void> {
  const decided = outcomes.flatMap(({ decision }) => (decision ? [decision] : []))
  const quotesOf = new Map<PriceView, readonly AcceptedQuote[]>()
  for (const [policy, group] of Map.groupBy(decided, ({ evaluated }) => evaluated.policy)) {
    const prices = await pricesBy(policy)
    const quotes = quotesOf.get(prices) ?? (await feed.quotesAt(tx, instantsOf(prices)))
    quotesOf.set(prices, quotes)
    const sharedFacts = toSharedFacts(prices, quotes, policy)
    const rows = group.map((decision) => toDecision(decision, { now, trigger }))
    insertDecisions(tx, tenantId, { sharedFacts, decidedAt: now }, rows)
  }
}

function isAct({ raised, changed, call, decision, event, question }: Outcome): boolean {
  return (raised ?? changed ?? call ?? decision ?? event ?? question?.answer) !== undefined
}

async function writeOutcomes(
  margin: MarginContext,
  outcomes: readonly Outcome[],
  pricesBy: PricesBy,
  trigger: Trigger,
): Promise<void> {
  const { tx, tenantId, now, realNow } = margin
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
  await recordDecisions(margin, outcomes, pricesBy, trigger)
  await updateNoticed(
    tx,
    tenantId,
    each(({ facilityId, noticed }) => (noticed ? [{ facilityId, ...noticed }] : [])),
  )
  for (const { facilityId, eased } of outcomes) {
    if (eased) await updateEased(tx, tenantId, facilityId, encodeEased(eased))
  }
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
    AMEND_FACILITY,
    each(({ facilityId, bindAt }) => (bindAt ? [{ subjectId: facilityId, dueAt: bindAt }] : [])),
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
  appendEvents(
    tx,
    tenantId,
    each(({ event }) => (event ? [event] : [])),
  )
}

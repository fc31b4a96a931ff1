import type { Tx } from '../../db/database.ts'
import type { PriceFeed } from '../collateral/prices.ts'
import { appendEvents } from '../events/append-event.ts'
import { toFacility } from '../facilities/facilities.ts'
import { clearDeadlines, setDeadlines } from '../work/deadlines.ts'
import { requestWorks } from '../work/work.ts'
import { insertCalls } from './call-queries.ts'
import { insertDecisions } from './decision-queries.ts'
import { instantsOf, toDecision, toSharedFacts } from './decision-record.ts'
import { loadCases, loadPrices } from './facts.ts'
import { type JudgeOptions, type JudgeTerms, judgeCase, type Outcome } from './judge-case.ts'
import { selectHeartbeat } from './outage-queries.ts'
import { insertWarnings, lockApproved, updateOpenWarnings } from './queries.ts'
import { JUDGE_FACILITY } from './topics.ts'

export type JudgeContext = JudgeTerms & { prices: PriceFeed }

/**
 * Judges facilities of one tenant by the ladder, under their locks, and applies what it decides:
 * one statement a kind of row, however many facilities there are. Those that are not approved are
 * passed over. An escalation is not carried out until the custodian has confirmed the positions: it is
 * asked for them, and with its answer as `confirmed` it happens or does not.
 */
export async function judgeFacilities(
  tx: Tx,
  context: JudgeContext,
  tenantId: string,
  facilityIds: readonly string[],
  options: JudgeOptions,
): Promise<void> {
  const { now } = options
  const { marginPolicy: policy } = context
  const facilities = (await lockApproved(tx, tenantId, facilityIds)).map(toFacility)
  if (facilities.length === 0) return
  const prices = await loadPrices(tx, context.prices, tenantId, now, policy)
  const load = (positionsOf?: typeof options.confirmed) =>
    loadCases(tx, tenantId, facilities, prices, now, policy, positionsOf)
  const stored = await load()
  const confirmed = options.confirmed ? await load(options.confirmed) : []
  const isWarned = stored.some(({ warning }) => warning !== undefined)
  // Only now, under the locks: a worker that comes back moves deadlines under them before it tells.
  const lastBeatAt = isWarned ? await selectHeartbeat(tx) : undefined
  const moment = { ...options, lastBeatAt }
  const outcomes = stored.map((one, at) =>
    judgeCase({ stored: one, confirmed: confirmed[at] }, context, moment),
  )
  const isDecided = outcomes.some(({ decision }) => decision !== undefined)
  const quotes = isDecided ? await context.prices.quotesAt(tx, instantsOf(prices)) : []
  await writeOutcomes(tx, tenantId, outcomes, toSharedFacts(prices, quotes, policy), options)
}

async function writeOutcomes(
  tx: Tx,
  tenantId: string,
  outcomes: readonly Outcome[],
  sharedFacts: unknown,
  options: JudgeOptions,
): Promise<void> {
  const { now } = options
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
    sharedFacts,
    each(({ decision }) => (decision ? [toDecision(decision, options)] : [])),
    now,
  )
  await setDeadlines(
    tx,
    tenantId,
    JUDGE_FACILITY,
    each(({ facilityId, lookAt }) => (lookAt ? [{ subjectId: facilityId, dueAt: lookAt }] : [])),
  )
  await clearDeadlines(
    tx,
    tenantId,
    JUDGE_FACILITY,
    each(({ facilityId, lookAt }) => (lookAt ? [] : [facilityId])),
  )
  await requestWorks(
    tx,
    tenantId,
    each(({ facilityId, works }) => works.map((topic) => ({ topic, subjectId: facilityId }))),
    options.realNow,
  )
  // Last, for it takes the tenant's event counter.
  await appendEvents(
    tx,
    tenantId,
    each(({ event }) => (event ? [event] : [])),
  )
}

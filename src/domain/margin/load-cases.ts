import { mapInSlices } from '../../core/limits/slices.ts'
import { addMs } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { executeShared } from '../../db/transactions/execute.ts'
import type { Prices } from '../collateral/prices.ts'
import type { Position } from '../collateral/valuation.ts'
import { loadHoldings } from '../facilities/custody/holdings.ts'
import type { Facility } from '../facilities/facilities.ts'
import { creditCents } from '../facilities/ledger/conversion.ts'
import { loadPauses } from '../facilities/pauses/load-pauses.ts'
import { type Pause, resumeAt } from '../facilities/pauses/pauses.ts'
import { EVALUATE_AFTER } from '../facilities/topics.ts'
import { SUSPENSE_HOLD_MS } from '../repayments/repayments.ts'
import type { Topic } from '../work/topics.ts'
import { findWorkOn } from '../work/work.ts'
import { selectLiveCalls } from './call-queries.ts'
import {
  type Case,
  type CasePush,
  type MarginReading,
  othersOf,
  type PriceView,
  type ReportedCure,
  toCounted,
  valuationTerms,
} from './case.ts'
import type { Trigger } from './ladder/facts.ts'
import { evaluateCollateral } from './ladder/window-values.ts'
import type { MarginPolicy, TermsOf } from './policy.ts'
import { selectHistory, selectOpenWarnings, selectReportedCures } from './warning-queries.ts'
import { toOpenWarning } from './warnings/paused.ts'

/** The prices by which a policy decides: its window is as long as it says. Asked for once. */
export type PricesBy = (policy: MarginPolicy) => Promise<PriceView>

export function loadPrices({
  db,
  tenantId,
  now,
  prices,
}: Omit<MarginReading, 'termsOf'>): PricesBy {
  const loading = new Map<string, Promise<PriceView>>()
  const load = async (confirmMs: number, longestMs: number): Promise<PriceView> => {
    const [window, latest] = await Promise.all([
      prices.window(db, tenantId, { now, confirmMs, longestMs }),
      prices.latest(db, tenantId, now),
    ])
    return { latest, window }
  }
  return async ({ confirmMs, longestWindowMs }) => {
    const key = `${confirmMs}/${longestWindowMs}`
    const loaded = loading.get(key) ?? load(confirmMs, longestWindowMs)
    loading.set(key, loaded)
    return await loaded
  }
}

export async function loadCase(
  reading: MarginReading,
  facility: Facility,
  confirmed?: Position[],
): Promise<Case> {
  const positionsOf = new Map(confirmed && [[facility.borrowerId, confirmed]])
  const [evaluated] = await loadCases(reading, [facility], loadPrices(reading), positionsOf)
  if (!evaluated) throw new Error(`facility ${facility.id} was not loaded`)
  return evaluated
}

/** One query a kind of fact, all in one round trip but for what follows from warnings. `positionsOf` replaces stored positions, by borrower. */
export async function loadCases(
  { db, tenantId, now, termsOf }: Omit<MarginReading, 'prices'>,
  facilities: readonly Facility[],
  pricesBy: PricesBy,
  positionsOf: ReadonlyMap<string, Position[]> = new Map(),
): Promise<Case[]> {
  const ids = facilities.map((facility) => facility.id)
  if (ids.length === 0) return []
  const policies = facilities.map((facility) => termsOf(facility).marginPolicy)
  const distinct = [...new Set(policies)]
  const borrowerIds = facilities.map((facility) => facility.borrowerId)
  const [views, warnings, calls, history, holdingsOf] = await Promise.all([
    Promise.all(distinct.map(async (policy) => [policy, await pricesBy(policy)] as const)),
    executeShared(db, tenantId, selectOpenWarnings({ tenantId, ids })),
    executeShared(db, tenantId, selectLiveCalls({ tenantId, ids })),
    executeShared(db, tenantId, selectHistory({ tenantId, ids })),
    loadHoldings(db, tenantId, borrowerIds),
  ])
  const warned = warnings.map((row) => row.facility_id)
  const [cures, pausesOf] = await Promise.all([
    warned.length > 0 ? selectReportedCures(db, tenantId, ids) : [],
    loadPauses(db, tenantId, warned, now),
  ])
  const changedBy = await loadChanges(db, tenantId, warned)

  const viewOf = new Map(views)
  const rowOf = new Map(warnings.map((row) => [row.facility_id, row]))
  const inCall = new Set(calls.map((row) => row.facility_id))
  const historyOf = new Map(history.map((row) => [row.facility_id, row]))
  const curesOf = Map.groupBy(cures, (row) => row.facility_id)
  return await mapInSlices(facilities, (facility) => {
    const policy = termsOf(facility).marginPolicy
    const prices = viewOf.get(policy)
    if (!prices) throw new Error('the prices of each policy were loaded')
    const holdings = holdingsOf.get(facility.borrowerId)
    const given = positionsOf.get(facility.borrowerId)
    const counted = toCounted(given ? undefined : holdings)
    const positions = given ?? counted.positions
    const past = historyOf.get(facility.id)
    const row = rowOf.get(facility.id)
    const pauses = row ? pausesOf(facility.id) : []
    const warning = row && toOpenWarning(row, pauses, now, policy)
    return {
      facility,
      policy,
      nextPolicy: nextPolicyOf(facility, termsOf),
      ...counted,
      push: counted.push && holdPush(counted.push, pauses, now, policy),
      positions,
      collateral: evaluateCollateral(positions, prices, {
        ...othersOf(counted),
        now,
        ...valuationTerms(policy),
      }),
      raise: undefined,
      warning,
      hasLiveCall: inCall.has(facility.id),
      lastWarningNumber: past?.last_number ?? 0,
      lastCallNumber: past?.last_call_number ?? 0,
      lastCure:
        past?.cured_at && past.cure_deadline
          ? {
              curedAt: past.cured_at,
              leftMs: Math.max(0, past.cure_deadline.getTime() - past.cured_at.getTime()),
            }
          : undefined,
      reported: (curesOf.get(facility.id) ?? []).flatMap((row) =>
        toReportedCure(row, { warning, pauses, now }, prices.latest, policy),
      ),
      changedBy: changedBy.get(facility.id),
    }
  })
}

function nextPolicyOf(
  { nextTerms, termsVersion, decisionedAt }: Facility,
  termsOf: TermsOf,
): MarginPolicy | undefined {
  if (!nextTerms) return undefined
  const { version = termsVersion } = nextTerms
  return termsOf({ termsVersion: version, decisionedAt }).marginPolicy
}

/** Repayments and pushes whose evaluation was requested and has not run. */
async function loadChanges(
  db: Db,
  tenantId: string,
  facilityIds: readonly string[],
): Promise<Map<string, Trigger>> {
  const causeOf = new Map<Topic, Trigger>([
    [EVALUATE_AFTER.collateral, 'collateral'],
    [EVALUATE_AFTER.repayment, 'repayment'],
    [EVALUATE_AFTER.correction, 'correction'],
  ])
  const works = await findWorkOn(db, tenantId, [...causeOf.keys()], facilityIds)
  return new Map(
    works.flatMap(({ topic, subjectId }) => {
      const cause = causeOf.get(topic)
      return cause ? [[subjectId, cause] as const] : []
    }),
  )
}

/** A report that would cure holds the escalation for a time. */
function holdPush(
  push: CasePush,
  pauses: readonly Pause[],
  now: Date,
  { pushHoldMs }: MarginPolicy,
): CasePush {
  const { receivedAt: from } = push
  return { ...push, holdsUntil: resumeAt({ at: addMs(from, pushHoldMs), from }, pauses, now) }
}

function toReportedCure(
  row: Awaited<ReturnType<typeof selectReportedCures>>[number],
  at: { warning: Case['warning']; pauses: readonly Pause[]; now: Date },
  prices: Prices,
  policy: MarginPolicy,
): ReportedCure[] {
  const { warning, pauses, now } = at
  const { reported_at: reportedAt, asset } = row
  const isSuspended = row.status === 'APPLIED'
  const units = isSuspended ? row.suspended_units : row.delivered_units
  const price = prices.get(asset)?.price
  if (!warning || (!isSuspended && row.margin_warning_number !== warning.number)) return []
  if (!reportedAt || units === null) return []
  if (price === undefined) return []
  // A part of a receipt holds from the operators' decision, what is in suspense from the answer.
  const since = (isSuspended ? row.applied_at : row.split_from && row.requested_at) || reportedAt
  const longestMs = isSuspended ? SUSPENSE_HOLD_MS : (policy.holdMs[asset] ?? 0)
  return [
    {
      repaymentId: row.repayment_id,
      delivered: { asset, units },
      cents: creditCents({ asset, units }, price),
      reportedAt,
      holdsUntil: resumeAt({ at: addMs(since, longestMs), from: since }, pauses, now),
    },
  ]
}

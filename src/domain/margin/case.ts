import { addMs } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { curingOf, type Held } from '../collateral/position-sources.ts'
import type { PriceFeed, Prices } from '../collateral/prices.ts'
import type { Position } from '../collateral/valuation.ts'
import { type Holdings, loadHoldings } from '../facilities/custody/holdings.ts'
import type { Facility } from '../facilities/facilities.ts'
import { creditCents } from '../facilities/ledger/dollar-value.ts'
import { EVALUATE_AFTER } from '../facilities/topics.ts'
import type { Topic } from '../work/topics.ts'
import { findWorkOn } from '../work/work.ts'
import { selectLiveCalls } from './call-queries.ts'
import { cureAmounts } from './ladder/cure-amounts.ts'
import type { LadderFacts, Push, Trigger } from './ladder/facts.ts'
import { evaluateRaise, type RaiseFacts } from './ladder/raise-facts.ts'
import {
  type EvaluatedCollateral,
  evaluateCollateral,
  type OtherPositions,
} from './ladder/window-values.ts'
import type { MarginPolicy } from './policy.ts'
import {
  type StoredWarning,
  selectHistory,
  selectOpenWarnings,
  selectReportedCures,
} from './warning-queries.ts'

export type Case = {
  facility: Facility
  positions: Position[]
  /** What counts towards a cure, where it is less. */
  curing: Position[] | undefined
  collateral: EvaluatedCollateral
  pushed: Position[]
  /** What is pushed and would cure if the custodian confirmed it. */
  claimed: Position[] | undefined
  /** By the custodian's last answer, also one that is not about the push. */
  held: Held | undefined
  push: CasePush | undefined
  /** What the open warning was raised on, where the custodian may not support it. */
  raise: RaiseFacts | undefined
  warning: StoredWarning | undefined
  hasLiveCall: boolean
  lastWarningNumber: number
  lastCallNumber: number
  lastCure: LadderFacts['lastCure']
  reported: readonly ReportedCure[]
  /** A change not evaluated yet: it, not the price, is the cause of a cure. */
  changedBy: Trigger | undefined
}

export type CasePush = Push & { digest: Buffer; checkingSince: Date | undefined }

/** It holds the escalation until `holdsUntil` (the tenant's time). */
export type ReportedCure = {
  cents: bigint
  reportedAt: Date
  holdsUntil: Date
  /** Outages until this real time are included in `holdsUntil`. */
  outagesUntil: Date | undefined
}

export type PriceView = { latest: Prices; window: readonly Prices[] | undefined }

export type MarginView = { prices: PriceFeed; marginPolicy: MarginPolicy }

export type MarginReading = MarginView & { db: Db; tenantId: string; now: Date }

export async function loadPrices(reading: MarginReading): Promise<PriceView> {
  const { db, tenantId, now, prices, marginPolicy } = reading
  const window = await prices.window(db, tenantId, {
    now,
    confirmMs: marginPolicy.confirmMs,
    longestMs: marginPolicy.longestWindowMs,
  })
  return { latest: await prices.latest(db, tenantId, now), window }
}

export async function loadCase(
  reading: MarginReading,
  facility: Facility,
  confirmed?: Position[],
): Promise<Case> {
  const prices = await loadPrices(reading)
  const positionsOf = new Map(confirmed && [[facility.borrowerId, confirmed]])
  const [evaluated] = await loadCases(reading, [facility], prices, positionsOf)
  if (!evaluated) throw new Error(`facility ${facility.id} was not loaded`)
  return evaluated
}

/** One query a kind of fact. `positionsOf` replaces stored positions, by borrower. */
export async function loadCases(
  { db, tenantId, now, marginPolicy: policy }: MarginReading,
  facilities: readonly Facility[],
  prices: PriceView,
  positionsOf: ReadonlyMap<string, Position[]> = new Map(),
): Promise<Case[]> {
  const ids = facilities.map((facility) => facility.id)
  if (ids.length === 0) return []
  const warnings = await selectOpenWarnings(db, tenantId, ids)
  const calls = await selectLiveCalls(db, tenantId, ids)
  const history = await selectHistory(db, tenantId, ids)
  const holdingsOf = await loadHoldings(
    db,
    tenantId,
    facilities.map((facility) => facility.borrowerId),
  )
  const cures = warnings.length > 0 ? await selectReportedCures(db, tenantId, ids) : []

  const warned = warnings.map((row) => row.facility_id)
  const changedBy = await loadChanges(db, tenantId, warned)

  const warningOf = new Map(warnings.map((row) => [row.facility_id, toWarning(row)]))
  const inCall = new Set(calls.map((row) => row.facility_id))
  const historyOf = new Map(history.map((row) => [row.facility_id, row]))
  const curesOf = Map.groupBy(cures, (row) => row.facility_id)
  return facilities.map((facility) => {
    const holdings = holdingsOf.get(facility.borrowerId)
    const given = positionsOf.get(facility.borrowerId)
    const counted = toCounted(given ? undefined : holdings)
    const positions = given ?? counted.positions
    const past = historyOf.get(facility.id)
    const warning = warningOf.get(facility.id)
    return {
      facility,
      ...counted,
      positions,
      collateral: evaluateCollateral(positions, prices, {
        ...othersOf(counted),
        now,
        staleMs: policy.staleMs,
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
        toReportedCure(row, warning, prices.latest, policy),
      ),
      changedBy: changedBy.get(facility.id),
    }
  })
}

/** The same case by other positions, or at other prices. */
export function withPositions(
  evaluated: Case,
  positions: Position[],
  prices: PriceView,
  { now, marginPolicy }: { now: Date; marginPolicy: MarginPolicy },
): Case {
  const isSame = positions === evaluated.positions
  const counted = isSame ? evaluated : { ...evaluated, ...toCounted(undefined), positions }
  const terms = { ...othersOf(counted), now, staleMs: marginPolicy.staleMs }
  return { ...counted, collateral: evaluateCollateral(positions, prices, terms) }
}

/** What the custodian holds, as of no earlier than `askedAt` (domain time). */
export type Confirmed = { positions: Position[]; askedAt: Date }

/** The same case by what the custodian has just confirmed. */
export function withConfirmed(
  evaluated: Case,
  confirmed: Confirmed,
  prices: PriceView,
  { now, marginPolicy }: { now: Date; marginPolicy: MarginPolicy },
): Case {
  const { positions } = confirmed
  const { pushed, push } = evaluated
  // What was pushed after the question is not answered by it.
  const isAnswer = push !== undefined && push.receivedAt <= confirmed.askedAt
  const curing = isAnswer ? curingOf(pushed, positions) : undefined
  const terms = { now, staleMs: marginPolicy.staleMs, curing }
  const answeredAt = isAnswer ? confirmed.askedAt : undefined
  return {
    ...evaluated,
    positions,
    curing,
    claimed: undefined,
    held: { positions, readAt: confirmed.askedAt },
    collateral: evaluateCollateral(positions, prices, terms),
    push: push && { ...push, answeredAt },
  }
}

/** By the custodian's last answer, at the highest price of the window. */
export function heldHighCents({ collateral: { values }, held }: Case): bigint | undefined {
  return held && values && (values.heldCents ?? values.highCents)
}

export function toLadderFacts(evaluated: Case, trigger: Trigger, now: Date): LadderFacts {
  const { collateral, push } = evaluated
  const isPushed = push?.isNew || push?.askedSince !== undefined
  const changedBy = evaluated.changedBy ?? (isPushed ? 'collateral' : undefined)
  return {
    now,
    trigger: trigger === 'price' ? (changedBy ?? trigger) : trigger,
    debt: evaluated.facility.debt,
    values: collateral.values,
    hasSellableValue: collateral.latest.valueCents > 0n,
    push: push && toPushFacts(push),
    atRaise: evaluated.raise && evaluateRaise(evaluated.raise),
    warning: evaluated.warning,
    hasLiveCall: evaluated.hasLiveCall,
    lastCure: evaluated.lastCure,
    reported: evaluated.reported.map(({ cents, holdsUntil }) => ({ cents, holdsUntil })),
  }
}

export function cureOf(
  { facility, collateral }: Case,
  cureDeadline: Date,
  now: Date,
  policy: MarginPolicy,
): ReturnType<typeof cureAmounts> {
  const lowCents = collateral.values?.lowCents ?? collateral.latest.valueCents
  return cureAmounts({ debt: facility.debt, lowCents, cureDeadline, now }, policy)
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
  ])
  const works = await findWorkOn(db, tenantId, [...causeOf.keys()], facilityIds)
  return new Map(
    works.flatMap(({ topic, subjectId }) => {
      const cause = causeOf.get(topic)
      return cause ? [[subjectId, cause] as const] : []
    }),
  )
}

type Counted = Pick<Case, 'positions' | 'curing' | 'pushed' | 'claimed' | 'held' | 'push'>

function toCounted(holdings: Holdings | undefined): Counted {
  if (!holdings) {
    return {
      positions: [],
      curing: undefined,
      pushed: [],
      claimed: undefined,
      held: undefined,
      push: undefined,
    }
  }
  const { positions, curing, pushed, claimed, held, changedAt, answeredAt, question } = holdings
  const push = { receivedAt: changedAt, answeredAt, ...question }
  return { positions, curing, pushed, claimed, held, push }
}

function othersOf({ curing, claimed, held, push }: Counted): OtherPositions {
  return { curing, claimed, held: push?.answeredAt ? undefined : held?.positions }
}

function toPushFacts({ receivedAt, isNew, askedSince, answeredAt }: Push): Push {
  return { receivedAt, isNew, askedSince, answeredAt }
}

function toWarning(row: Awaited<ReturnType<typeof selectOpenWarnings>>[number]): StoredWarning {
  return {
    number: row.number,
    tier: row.tier,
    cureDeadline: row.cure_deadline,
    windowDeadline: row.window_deadline ?? row.cure_deadline,
    raisedAt: row.raised_at,
    ltvAtRaise: row.ltv_at_raise,
    extendedSeconds: row.extended_seconds,
    outagesUntil: row.outages_until,
    unevaluatedSince: row.unevaluated_since ?? undefined,
    upheld: row.upheld,
  }
}

function toReportedCure(
  row: Awaited<ReturnType<typeof selectReportedCures>>[number],
  warning: StoredWarning | undefined,
  prices: Prices,
  policy: MarginPolicy,
): ReportedCure[] {
  const { reported_at: reportedAt, delivered_units: units, asset } = row
  const price = prices.get(asset)?.price
  if (!warning || row.margin_warning_number !== warning.number) return []
  if (!reportedAt || units === null) return []
  if (price === undefined) return []
  const holdMs = (policy.holdMs[asset] ?? 0) + Number(row.hold_lost_ms)
  return [
    {
      cents: creditCents({ asset, units }, price),
      reportedAt,
      holdsUntil: addMs(reportedAt, holdMs),
      outagesUntil: row.outages_until ?? undefined,
    },
  ]
}

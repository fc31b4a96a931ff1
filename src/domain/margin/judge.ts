import { formatUsd, usd } from '../../core/money.ts'
import { floorCents, formatLtv } from '../../core/ratio.ts'
import { addMs, type Instant } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import type { PriceFeed } from '../collateral/prices.ts'
import type { Position } from '../collateral/valuation.ts'
import { clearDeadline, setDeadline } from '../deadlines/deadlines.ts'
import { appendEvents, type EventToAppend } from '../events/append-event.ts'
import { totalDebtCents } from '../facilities/debt.ts'
import { toFacility } from '../facilities/facilities.ts'
import { requestFloorPush } from '../facilities/floors.ts'
import { requestWork } from '../outbox/outbox.ts'
import { beginCall } from './calls.ts'
import { toDecisionFacts } from './decision-record.ts'
import { type Case, loadCases, loadPrices, type PriceView, toLadderFacts } from './facts.ts'
import { cureAmounts, decideLadder, type LadderDecision, type Trigger } from './ladder.ts'
import { nextLookAt } from './next-look.ts'
import type { MarginPolicy, Tier } from './policy.ts'
import {
  insertDecisions,
  insertWarnings,
  lockApproved,
  type NewDecision,
  updateOpenWarning,
} from './queries.ts'
import { ESCALATE_WARNING, JUDGE_FACILITY } from './topics.ts'

export type JudgeContext = {
  prices: PriceFeed
  marginPolicy: MarginPolicy
  /** Whether rounds come one by one, so that a gap between them is an outage. */
  hasRounds: boolean
}

export type JudgeOptions = Instant & {
  trigger: Trigger
  /** Positions as the custodian has just given them: with them an escalation is decided for good. */
  confirmed?: ReadonlyMap<string, Position[]>
}

/** What one judgement makes the transaction write. */
type Writes = { events: EventToAppend[]; decisions: NewDecision[] }

/**
 * Judges facilities of one tenant by the ladder, under their locks, and applies what it decides
 * (interface, States of a margin warning). Facilities that are not approved are passed over. An
 * escalation is not carried out until the custodian has confirmed the positions: then it is asked
 * for, and decided anew with the answer.
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
  if (facilityIds.length === 0) return
  const facilities = (await lockApproved(tx, tenantId, facilityIds)).map(toFacility)
  const prices = await loadPrices(tx, context.prices, tenantId, now, policy)
  const cases = await loadCases(tx, tenantId, facilities, prices, now, policy, options.confirmed)
  const writes: Writes = { events: [], decisions: [] }
  for (const judged of cases) await judgeCase(tx, context, judged, prices, options, writes)
  await insertDecisions(tx, tenantId, writes.decisions, now)
  // Last, for it takes the tenant's event counter.
  await appendEvents(tx, tenantId, writes.events)
}

async function judgeCase(
  tx: Tx,
  context: JudgeContext,
  judged: Case,
  prices: PriceView,
  options: JudgeOptions,
  writes: Writes,
): Promise<void> {
  const { marginPolicy: policy } = context
  const { now, trigger } = options
  const current = await extendForOutage(tx, context, judged, now)
  const decision = decideLadder(toLadderFacts(current, trigger, now), policy)
  const after = await applyDecision(tx, context, current, decision, prices, options, writes)
  if (after.warning && isRaise(decision) && decision.cureDeadline <= now) {
    // Critical: what was just raised escalates at once.
    await requestEscalation(tx, after, options)
  }
  await scheduleLook(tx, after, decision, options, policy)
}

type Raise = Extract<LadderDecision, { kind: 'raise' | 'worsen' }>

const isRaise = (decision: LadderDecision): decision is Raise =>
  decision.kind === 'raise' || decision.kind === 'worsen'

/** Time in which nobody could judge does not run: the deadline moves by it, on the record. */
async function extendForOutage(
  tx: Tx,
  { marginPolicy: policy, hasRounds }: JudgeContext,
  judged: Case,
  now: Date,
): Promise<Case> {
  const { warning, facility, collateral } = judged
  if (!hasRounds || !warning || !collateral.values) return judged
  const gapMs = now.getTime() - warning.judgedAt.getTime()
  const extensionMs = gapMs > policy.outageMs ? gapMs : 0
  const extended = {
    ...warning,
    judgedAt: now,
    cureDeadline: addMs(warning.cureDeadline, extensionMs),
    extendedSeconds: warning.extendedSeconds + Math.ceil(extensionMs / 1_000),
  }
  await updateOpenWarning(tx, facility.tenantId, facility.id, warning.number, {
    judged_at: extended.judgedAt,
    cure_deadline: extended.cureDeadline,
    extended_seconds: extended.extendedSeconds,
  })
  return { ...judged, warning: extended }
}

async function applyDecision(
  tx: Tx,
  context: JudgeContext,
  judged: Case,
  decision: LadderDecision,
  prices: PriceView,
  options: JudgeOptions,
  writes: Writes,
): Promise<Case> {
  const { marginPolicy: policy } = context
  const record = (kind: NewDecision['kind'], number: number) => {
    const facts = toDecisionFacts(judged, prices, options, policy, decision)
    writes.decisions.push({ facilityId: judged.facility.id, warningNumber: number, kind, facts })
  }
  switch (decision.kind) {
    case 'none':
    case 'hold':
      return judged
    case 'raise': {
      const after = await raiseWarning(tx, judged, decision, options, policy, writes)
      record('raise', judged.lastWarningNumber + 1)
      return after
    }
    case 'worsen': {
      const after = await worsenWarning(tx, judged, decision, options, policy, writes)
      record('worsen', judged.warning?.number ?? 0)
      return after
    }
    case 'cure':
      record('cure', judged.warning?.number ?? 0)
      return await cureWarning(tx, judged, decision.by, options, policy, writes)
    case 'escalate':
      if (!options.confirmed) {
        await requestEscalation(tx, judged, options)
        return judged
      }
      record('escalate', judged.warning?.number ?? 0)
      return await escalateWarning(tx, judged, decision.reason, options, policy, writes)
    default: {
      const unreachable: never = decision
      return unreachable
    }
  }
}

type Step = { tier: Tier; cureDeadline: Date }

async function raiseWarning(
  tx: Tx,
  judged: Case,
  step: Step,
  { now, realNow }: Instant,
  policy: MarginPolicy,
  writes: Writes,
): Promise<Case> {
  const { facility } = judged
  const warning = {
    number: judged.lastWarningNumber + 1,
    ...step,
    raisedAt: now,
    ltvAtRaise: ltvOf(judged, now),
    extendedSeconds: 0,
    judgedAt: now,
  }
  await insertWarnings(tx, [
    {
      tenant_id: facility.tenantId,
      facility_id: facility.id,
      number: warning.number,
      tier: step.tier,
      status: 'OPEN',
      raised_at: now,
      ltv_at_raise: warning.ltvAtRaise,
      cure_deadline: step.cureDeadline,
      judged_at: now,
    },
  ])
  const after = { ...judged, warning, lastWarningNumber: warning.number }
  writes.events.push(raisedEvent(after, warning.number, step, now, policy))
  await requestFloorPush(tx, facility.tenantId, facility.id, realNow)
  return after
}

async function worsenWarning(
  tx: Tx,
  judged: Case,
  step: Step,
  { now }: Instant,
  policy: MarginPolicy,
  writes: Writes,
): Promise<Case> {
  const { facility, warning } = judged
  if (!warning) throw new Error('only an open warning gets worse')
  await updateOpenWarning(tx, facility.tenantId, facility.id, warning.number, {
    tier: step.tier,
    cure_deadline: step.cureDeadline,
  })
  writes.events.push(raisedEvent(judged, warning.number, step, now, policy))
  return { ...judged, warning: { ...warning, ...step } }
}

function raisedEvent(
  { facility, collateral }: Case,
  number: number,
  step: Step,
  now: Date,
  policy: MarginPolicy,
): EventToAppend {
  const { debt } = facility
  const debtCents = totalDebtCents(debt, now)
  const lowCents = collateral.values?.lowCents ?? collateral.latest.valueCents
  const cure = cureAmounts(debt, lowCents, step.cureDeadline, now, policy)
  return {
    type: 'margin_warning.raised',
    resource: { type: 'margin_warning', id: `${facility.id}/${number}` },
    occurredAt: now,
    data: {
      facility_id: facility.id,
      number,
      tier: step.tier,
      cure_amount: usd(cure.amountCents),
      deadline: step.cureDeadline.toISOString(),
      ltv: formatLtv(debtCents, collateral.latest.valueCents),
      required_floor_usd: formatUsd(floorCents(debtCents, policy.cureLtvPpm)),
      cure_collateral_usd: formatUsd(cure.collateralCents),
    },
  }
}

async function cureWarning(
  tx: Tx,
  judged: Case,
  by: Trigger,
  { now, realNow }: Instant,
  policy: MarginPolicy,
  writes: Writes,
): Promise<Case> {
  const { facility, warning } = judged
  if (!warning) throw new Error('only an open warning is cured')
  await updateOpenWarning(tx, facility.tenantId, facility.id, warning.number, {
    status: 'CURED',
    cured_at: now,
    cured_by: by,
    ...endAmounts(judged, warning.cureDeadline, now, policy),
  })
  writes.events.push({
    type: 'margin_warning.cured',
    resource: { type: 'margin_warning', id: `${facility.id}/${warning.number}` },
    occurredAt: now,
    data: {
      facility_id: facility.id,
      number: warning.number,
      cured_at: now.toISOString(),
      cured_by: by,
      ltv: ltvOf(judged, now),
    },
  })
  await requestFloorPush(tx, facility.tenantId, facility.id, realNow)
  return { ...judged, warning: undefined }
}

async function escalateWarning(
  tx: Tx,
  judged: Case,
  reason: 'deadline' | 'critical',
  { now, realNow }: Instant,
  policy: MarginPolicy,
  writes: Writes,
): Promise<Case> {
  const { facility, warning } = judged
  if (!warning) throw new Error('only an open warning escalates')
  await updateOpenWarning(tx, facility.tenantId, facility.id, warning.number, {
    status: 'ESCALATED',
    escalated_at: now,
    ...endAmounts(judged, warning.cureDeadline, now, policy),
  })
  const callNumber = await beginCall(tx, facility, warning.number, { now, realNow })
  writes.events.push({
    type: 'margin_warning.escalated',
    resource: { type: 'margin_warning', id: `${facility.id}/${warning.number}` },
    occurredAt: now,
    data: {
      facility_id: facility.id,
      number: warning.number,
      margin_call_number: callNumber,
      reason,
    },
  })
  return { ...judged, warning: undefined, hasLiveCall: true }
}

/** What was asked of a warning, frozen as it ends. */
function endAmounts(judged: Case, cureDeadline: Date, now: Date, policy: MarginPolicy) {
  const { debt } = judged.facility
  const lowCents = judged.collateral.values?.lowCents ?? judged.collateral.latest.valueCents
  const cure = cureAmounts(debt, lowCents, cureDeadline, now, policy)
  return { cure_amount_cents: cure.amountCents, cure_collateral_cents: cure.collateralCents }
}

function ltvOf({ facility, collateral }: Case, now: Date): string {
  return formatLtv(totalDebtCents(facility.debt, now), collateral.latest.valueCents)
}

/** Has the custodian asked for the positions, which alone decide an escalation. */
async function requestEscalation(
  tx: Tx,
  { facility }: Case,
  { realNow, confirmed }: JudgeOptions,
): Promise<void> {
  // Already deciding with the custodian's answer: what is new is judged with the next one.
  const dueAt = confirmed ? addMs(realNow, 1_000) : realNow
  const item = { tenantId: facility.tenantId, topic: ESCALATE_WARNING, subjectId: facility.id }
  await requestWork(tx, item, dueAt)
}

/** Notes when this facility must be looked at though nothing happens. */
async function scheduleLook(
  tx: Tx,
  { facility, collateral, warning }: Case,
  decision: LadderDecision,
  { now }: Instant,
  policy: MarginPolicy,
): Promise<void> {
  const { tenantId, id, debt } = facility
  const valueCents = collateral.latest.valueCents
  const cureDeadline = warning?.cureDeadline
  const next =
    decision.kind === 'hold'
      ? addMs(decision.until, 1)
      : nextLookAt({ debt, valueCents, cureDeadline, now }, policy)
  if (next) await setDeadline(tx, tenantId, JUDGE_FACILITY, id, next)
  else await clearDeadline(tx, tenantId, JUDGE_FACILITY, id)
}

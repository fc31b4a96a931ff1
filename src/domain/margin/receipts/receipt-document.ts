import { divideDown, formatFixed, maxOf } from '../../../core/money.ts'
import type { CallOutcome } from '../../../db/schema/margin.ts'
import { marketCents } from '../../collateral/valuation.ts'
import type { Facility } from '../../facilities/facilities.ts'
import { accrue, applyPayment, totalDebtCents } from '../../facilities/ledger/debt.ts'
import { LEAST_AFTER_PAUSE_MS, OUTAGE_MS, type Pause } from '../../facilities/pauses/pauses.ts'
import type { Statement } from '../../facilities/statements/statement.ts'
import type { LiveCall, Sale } from '../call-queries.ts'
import type { DecisionFacts } from '../decisions/decision-record.ts'
import type { RecordedPrice } from '../ladder/raise-facts.ts'
import type { Raise } from '../notices/raises.ts'
import type { StopReason } from '../sale-plan.ts'
import type { PlainJson } from './canonical-json.ts'
import { toDecisionPart } from './decision-part.ts'
import type { BookingRecord, PlanRecord } from './plan-record.ts'
import { createTables, debtPart, listPositions, type Tables, text, time } from './receipt-parts.ts'
import { statementPart } from './statement-part.ts'

export const RECEIPT_TYPE = 'sale-receipt/1'

export type ReceiptSale = Sale & {
  planned: PlanRecord | undefined
  booked: BookingRecord | undefined
}

/** All that a call was decided and carried out by, as of its completion. */
export type ReceiptFacts = {
  /** Before what was left of the debt was charged off. */
  facility: Facility
  call: LiveCall
  sales: readonly ReceiptSale[]
  outcome: CallOutcome
  deficitCents: bigint
  /** Why nothing more was sold, and what that was planned from. */
  end: PlanRecord & { reason: StopReason }
  decisions: readonly { number: number; kind: string; facts: DecisionFacts }[]
  pauses: readonly Pause[]
  raises: readonly Raise[]
  statement: Statement
}

/** Pure. Names no person, no account and no kind of a hold. */
export function toReceipt(facts: ReceiptFacts): PlainJson {
  const { facility, call, end } = facts
  const tables = createTables()
  const decisions = facts.decisions.map((decision) => toDecisionPart(decision, tables))
  const steps = facts.sales.map((sale) => toStep(sale, tables))
  const last = endPart(facts, tables)
  return {
    type: RECEIPT_TYPE,
    tenant_id: facility.tenantId,
    borrower_id: facility.borrowerId,
    facility_id: facility.id,
    margin_call_number: call.number,
    margin_warning_number: call.margin_warning_number,
    made_at: time(end.at),
    rules: { least_after_pause_ms: LEAST_AFTER_PAUSE_MS, outage_ms: OUTAGE_MS },
    decisions,
    steps,
    end: last,
    totals: {
      proceeds_cents: text(sum(facts.sales, ({ proceeds_cents }) => proceeds_cents ?? 0n)),
      costs_cents: text(call.costs_cents),
      interest_cents: text(call.interest_cents),
      principal_cents: text(call.principal_cents),
      surplus_cents: text(call.surplus_cents),
      deficit_cents: text(facts.deficitCents),
    },
    pauses: facts.pauses.map(({ kind, from, until }) => ({
      kind,
      from: time(from),
      until: until && time(until),
    })),
    raises: facts.raises.map(({ eventId, raisedAt, notices }) => ({
      event_id: eventId,
      raised_at: time(raisedAt),
      notices: notices.map(({ channel, at, recordedAt }) => ({
        channel,
        at: time(at),
        recorded_at: time(recordedAt),
      })),
    })),
    statement: statementPart(facts.statement),
    ...tables.toParts(),
  }
}

function endPart({ outcome, end }: ReceiptFacts, tables: Tables): PlainJson {
  return { outcome, reason: end.reason, ...planPart(end, tables) }
}

function planPart(plan: PlanRecord, tables: Tables) {
  const { at, debt, easedCents, policy, positions, rounds } = plan
  return {
    at: time(at),
    terms: tables.termsIndex(policy),
    debt: debtPart(debt),
    debt_cents: text(totalDebtCents(debt, at)),
    eased_cents: easedCents === undefined ? undefined : text(easedCents),
    positions: listPositions(positions, tables),
    rounds: tables.roundIndexes(rounds, positions),
  }
}

function toStep(sale: ReceiptSale, tables: Tables): PlainJson {
  const { planned, asset } = sale
  const latest = planned?.rounds.at(-1)?.find((price) => price.asset === asset)
  tables.noteAsset(asset)
  return {
    number: sale.number,
    plan: planned && planPart(planned, tables),
    order: {
      asset,
      units: text(sale.ordered_units),
      in_kind: sale.in_kind,
      ordered_at: time(sale.ordered_at),
      reference: latest && { price: text(latest.price), venues: venuesOf(latest) },
      acknowledged_at: sale.acknowledged_at ? time(sale.acknowledged_at) : undefined,
      recalled_at: sale.recalled_at ? time(sale.recalled_at) : undefined,
      status: sale.status,
    },
    fill: sale.status === 'FILLED' ? fillPart(sale, latest) : undefined,
  }
}

function fillPart(
  { asset, filled_units, proceeds_cents, costs_cents, executed_at, booked }: ReceiptSale,
  reference: RecordedPrice | undefined,
): PlainJson {
  const [units, proceedsCents, costsCents] = [
    ...[filled_units ?? 0n, proceeds_cents ?? 0n, costs_cents ?? 0n],
  ] as [bigint, bigint, bigint]
  const netCents = maxOf(0n, proceedsCents - costsCents)
  const expected = reference && marketCents({ asset, units }, reference.price)
  const accrued = booked && accrue(booked.debt, booked.at)
  const paid = accrued && applyPayment(accrued, netCents).allocation
  return {
    units: text(units),
    proceeds_cents: text(proceedsCents),
    costs_cents: text(costsCents),
    executed_at: executed_at ? time(executed_at) : undefined,
    slippage_bps: expected ? slippage(expected, proceedsCents) : undefined,
    booked_at: accrued && time(accrued.accruedAt),
    debt: booked && debtPart(booked.debt),
    interest_cents: paid && text(paid.interestCents),
    principal_cents: paid && text(paid.principalCents),
    surplus_cents: paid && text(paid.refundCents),
  }
}

/** Below the reference price, in hundredths of a percent with two digits, rounded down. */
function slippage(expectedCents: bigint, proceedsCents: bigint): string {
  return formatFixed(divideDown((expectedCents - proceedsCents) * 1_000_000n, expectedCents), 2)
}

/** Whose quotes make the median: one, or the two around it. */
function venuesOf({ sources }: RecordedPrice): string[] {
  const sorted = [...sources].sort((a, b) => (a.price < b.price ? -1 : a.price > b.price ? 1 : 0))
  const middle = sorted.length >> 1
  return sorted
    .slice(sorted.length % 2 === 1 ? middle : middle - 1, middle + 1)
    .map((it) => it.source)
}

function sum<T>(items: readonly T[], read: (item: T) => bigint): bigint {
  return items.reduce((total, item) => total + read(item), 0n)
}

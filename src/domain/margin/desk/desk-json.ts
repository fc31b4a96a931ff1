import { formatAmount, formatDecimal, formatQuantity, formatUsd } from '../../../core/money.ts'
import { SECOND_MS } from '../../../core/time.ts'
import { formatPrice } from '../../collateral/prices.ts'
import type { Position } from '../../collateral/valuation.ts'
import { callToJson } from '../calls/call-json.ts'
import type { ExplainedDecision } from '../decisions/explain-decision.ts'
import { warningToJson } from '../warnings/warning-json.ts'
import type { OwingCall, SaleOrder } from './desk-calls.ts'
import type { DeskFacility } from './desk-facility.ts'
import type { CustodianReading, DeskWarning } from './open-warnings.ts'
import type { TimelineEntry } from './timeline.ts'

/** For the commands and the operator API. */
export function deskWarningToJson(warning: DeskWarning) {
  const { asOf, cureDeadline, claimed, custodian, reported } = warning
  return {
    ...warningToJson(warning),
    tenant_id: warning.tenantId,
    borrower_id: warning.borrowerId,
    as_of: asOf.toISOString(),
    seconds_left: Math.floor((cureDeadline.getTime() - asOf.getTime()) / SECOND_MS),
    debt_usd: formatUsd(warning.debtCents),
    collateral_value_usd: formatUsd(warning.valueCents),
    valuation_status: toStatus(warning.isStale),
    on_hold: warning.isOnHold,
    reported: reported.map(({ repaymentId, delivered, cents, reportedAt, holdsUntil }) => ({
      repayment_id: repaymentId,
      amount: formatAmount(delivered),
      credit_usd: formatUsd(cents),
      reported_at: reportedAt.toISOString(),
      holds_until: holdsUntil.toISOString(),
    })),
    claimed: claimed
      ? {
          positions: positionsToJson(claimed.positions),
          pushed_at: claimed.pushedAt.toISOString(),
          asked_since: claimed.askedSince?.toISOString() ?? null,
        }
      : null,
    custodian: readingToJson(custodian),
  }
}

export function deskCallToJson(call: OwingCall) {
  return {
    ...callToJson(call),
    tenant_id: call.tenantId,
    borrower_id: call.borrowerId,
    debt_usd: formatUsd(call.debtCents),
    created_at: call.createdAt.toISOString(),
    orders: call.orders.map(orderToJson),
  }
}

function orderToJson({ asset, fill, ...order }: SaleOrder) {
  return {
    number: order.number,
    asset,
    quantity: formatQuantity({ asset, units: order.units }),
    in_kind: order.inKind,
    status: order.status,
    ordered_at: order.orderedAt.toISOString(),
    acknowledged_at: order.acknowledgedAt?.toISOString() ?? null,
    fill: fill
      ? {
          quantity: formatQuantity({ asset, units: fill.units }),
          proceeds_usd: formatUsd(fill.proceedsCents),
          costs_usd: formatUsd(fill.costsCents),
          executed_at: fill.at.toISOString(),
        }
      : null,
  }
}

export function explanationToJson(decision: ExplainedDecision) {
  const { summary, recorded, recomputed, agrees } = decision
  return { summary, recorded, recomputed, agrees }
}

export function timelineEntryToJson(entry: TimelineEntry) {
  const { at, source, summary } = entry
  return {
    at: at.toISOString(),
    source,
    summary,
    warning_number: warningOf(entry) ?? null,
    call_number: callOf(entry) ?? null,
    repayment_id: 'repayment' in entry ? entry.repayment.id : null,
    order: 'order' in entry ? orderToJson(entry.order) : null,
  }
}

function warningOf(entry: TimelineEntry): number | undefined {
  if ('decision' in entry) return entry.warningNumber
  if ('repayment' in entry) return entry.repayment.marginWarningNumber
  return 'call' in entry ? entry.call.marginWarningNumber : undefined
}

function callOf(entry: TimelineEntry): number | undefined {
  if ('order' in entry) return entry.callNumber
  return 'call' in entry ? entry.call.number : undefined
}

export function deskFacilityToJson(view: DeskFacility) {
  const { facility, outstanding } = view
  const { chargedOff } = facility
  return {
    tenant_id: facility.tenantId,
    id: facility.id,
    external_id: facility.externalId ?? null,
    borrower_id: facility.borrowerId,
    state: facility.state,
    limit_usd: formatUsd(facility.limitCents),
    principal_usd: formatUsd(outstanding.principalCents),
    interest_usd: formatUsd(outstanding.interestCents),
    debt_usd: formatUsd(outstanding.totalCents),
    charged_off_usd: chargedOff
      ? formatUsd(chargedOff.principalCents + chargedOff.interestCents)
      : null,
    recovered_usd: chargedOff ? formatUsd(chargedOff.recoveredCents) : null,
    collateral_value_usd: formatUsd(view.valueCents),
    required_floor_usd: formatUsd(view.requiredFloorCents),
    ltv: view.ltv,
    health: view.health,
    valuation_status: toStatus(view.isStale),
    as_of: view.asOf.toISOString(),
    positions: view.valuation.positions.map(({ asset, units, price, haircutPpm, valueCents }) => ({
      asset,
      quantity: formatQuantity({ asset, units }),
      price_usd: price === undefined ? null : formatPrice(price),
      haircut: haircutPpm === undefined ? null : formatDecimal(haircutPpm, 6),
      value_usd: formatUsd(valueCents),
    })),
    rate: formatDecimal(facility.debt.ratePpm, 6),
    terms_version: facility.termsVersion ?? null,
    next_terms: view.nextTerms
      ? {
          effective_at: view.nextTerms.at.toISOString(),
          version: view.nextTerms.terms.version,
          rate: formatDecimal(view.nextTerms.terms.ratePpm, 6),
        }
      : null,
    custodian: readingToJson(view.custodian),
    holds: view.holds.map((hold) => ({
      id: hold.id,
      kind: hold.kind,
      reason: hold.reason ?? null,
      since: hold.since.toISOString(),
      lifted_at: hold.liftedAt?.toISOString() ?? null,
    })),
    forbearance_until: view.forbearanceUntil?.toISOString() ?? null,
    open_warning: view.openWarning ?? null,
    running_call: view.runningCall ?? null,
  }
}

function readingToJson(reading: CustodianReading | undefined) {
  return reading
    ? { positions: positionsToJson(reading.positions), read_at: reading.readAt.toISOString() }
    : null
}

function positionsToJson(positions: readonly Position[]) {
  return positions.map(({ asset, units }) => ({
    asset,
    quantity: formatQuantity({ asset, units }),
  }))
}

function toStatus(isStale: boolean): 'STALE' | 'FRESH' {
  return isStale ? 'STALE' : 'FRESH'
}

import { formatUsd, usd } from '../../../core/money.ts'
import { floorCents, formatLtv } from '../../../core/ratio.ts'
import type { CuredBy } from '../../../db/schema/margin.ts'
import type { EventToAppend } from '../../events/append/append.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { NewCall } from '../call-queries.ts'
import { type Case, cureOf } from '../case.ts'
import type { MarginPolicy } from '../policy.ts'
import type { StoredWarning } from '../warning-queries.ts'

export function raisedEvent(
  evaluated: Case,
  { number, tier, cureDeadline, windowDeadline }: StoredWarning,
  now: Date,
  policy: MarginPolicy,
): EventToAppend {
  const { facility } = evaluated
  const asks = cureOf(evaluated, cureDeadline, now)
  return {
    type: 'margin_warning.raised',
    resource: warningResource(evaluated, number),
    occurredAt: now,
    data: {
      facility_id: facility.id,
      number,
      tier,
      cure_amount: usd(asks.amountCents),
      deadline: cureDeadline.toISOString(),
      window_deadline: windowDeadline.toISOString(),
      ltv: ltvAt(evaluated, 'highCents', now),
      latest_ltv: ltvAt(evaluated, 'latestCents', now),
      required_floor_usd: formatUsd(
        floorCents(totalDebtCents(facility.debt, now), policy.cureLtvPpm),
      ),
      cure_collateral_usd: formatUsd(asks.collateralCents),
      ...(facility.heldSince && { on_hold: true }),
    },
  }
}

export function curedEvent(
  evaluated: Case,
  number: number,
  curedBy: CuredBy,
  now: Date,
): EventToAppend {
  return {
    type: 'margin_warning.cured',
    resource: warningResource(evaluated, number),
    occurredAt: now,
    data: {
      facility_id: evaluated.facility.id,
      number,
      cured_at: now.toISOString(),
      cured_by: curedBy,
      ltv: ltvAt(evaluated, 'lowCents', now),
      latest_ltv: ltvAt(evaluated, 'latestCents', now),
    },
  }
}

export function escalatedEvent(
  evaluated: Case,
  { number, marginWarningNumber }: NewCall,
  reason: 'deadline' | 'critical',
  now: Date,
): EventToAppend {
  return {
    type: 'margin_warning.escalated',
    resource: warningResource(evaluated, marginWarningNumber),
    occurredAt: now,
    data: {
      facility_id: evaluated.facility.id,
      number: marginWarningNumber,
      margin_call_number: number,
      reason,
    },
  }
}

function warningResource({ facility }: Case, number: number) {
  return { type: 'margin_warning' as const, id: `${facility.id}/${number}` }
}

export function ltvAt(
  { facility, collateral }: Case,
  decidedAt: 'highCents' | 'lowCents' | 'latestCents',
  now: Date,
): string {
  const valueCents = collateral.values?.[decidedAt] ?? collateral.latest.valueCents
  return formatLtv(totalDebtCents(facility.debt, now), valueCents)
}

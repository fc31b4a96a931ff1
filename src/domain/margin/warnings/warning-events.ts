import { formatUsd, usd } from '../../../core/money.ts'
import { floorCents, formatLtv } from '../../../core/ratio.ts'
import type { EventToAppend } from '../../events/append-event.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { NewCall } from '../call-queries.ts'
import { type Case, cureOf } from '../case.ts'
import type { Trigger } from '../ladder/ladder.ts'
import type { MarginPolicy } from '../policy.ts'
import type { StoredWarning } from '../warning-queries.ts'

/** `margin_warning.raised`, for each step of the ladder: what cures the warning as things are. */
export function raisedEvent(
  judged: Case,
  { number, tier, cureDeadline }: StoredWarning,
  now: Date,
  policy: MarginPolicy,
): EventToAppend {
  const { facility } = judged
  const asks = cureOf(judged, cureDeadline, now, policy)
  return {
    type: 'margin_warning.raised',
    resource: warningResource(judged, number),
    occurredAt: now,
    data: {
      facility_id: facility.id,
      number,
      tier,
      cure_amount: usd(asks.amountCents),
      deadline: cureDeadline.toISOString(),
      ltv: ltvOf(judged, now),
      required_floor_usd: formatUsd(
        floorCents(totalDebtCents(facility.debt, now), policy.cureLtvPpm),
      ),
      cure_collateral_usd: formatUsd(asks.collateralCents),
    },
  }
}

/** What tells that a warning was cured, and by what (interface, margin_warning.cured). */
export function curedEvent(
  judged: Case,
  number: number,
  curedBy: Trigger,
  now: Date,
): EventToAppend {
  return {
    type: 'margin_warning.cured',
    resource: warningResource(judged, number),
    occurredAt: now,
    data: {
      facility_id: judged.facility.id,
      number,
      cured_at: now.toISOString(),
      cured_by: curedBy,
      ltv: ltvOf(judged, now),
    },
  }
}

/** What tells that a warning gave way to a margin call (interface, margin_warning.escalated). */
export function escalatedEvent(
  judged: Case,
  { number, marginWarningNumber }: NewCall,
  reason: 'deadline' | 'critical',
  now: Date,
): EventToAppend {
  return {
    type: 'margin_warning.escalated',
    resource: warningResource(judged, marginWarningNumber),
    occurredAt: now,
    data: {
      facility_id: judged.facility.id,
      number: marginWarningNumber,
      margin_call_number: number,
      reason,
    },
  }
}

function warningResource({ facility }: Case, number: number) {
  return { type: 'margin_warning' as const, id: `${facility.id}/${number}` }
}

/** The ratio as it is told, at the latest prices. */
export function ltvOf({ facility, collateral }: Case, now: Date): string {
  return formatLtv(totalDebtCents(facility.debt, now), collateral.latest.valueCents)
}

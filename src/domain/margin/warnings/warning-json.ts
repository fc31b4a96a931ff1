import { formatDecimal, formatQuantity, formatUsd } from '../../../core/money.ts'
import type { CureAddition } from '../ladder/cure-amounts.ts'
import type { Notice, Raise } from '../notices/raises.ts'
import type { MarginWarning } from './warnings.ts'

/** As tenants and operators read it. */
export function warningToJson(warning: MarginWarning & { raises?: readonly Raise[] }) {
  const { latestLtv, curedAt, curedBy, escalatedAt, ifEscalated } = warning
  return {
    facility_id: warning.facilityId,
    number: warning.number,
    tier: warning.tier,
    status: warning.status,
    cure_amount_usd: formatUsd(warning.cureAmountCents),
    cure_collateral_usd: formatUsd(warning.cureCollateralCents),
    ...(warning.status === 'OPEN' && {
      cure_additions: warning.cureAdditions.map(additionToJson),
    }),
    cure_deadline: warning.cureDeadline.toISOString(),
    window_deadline: warning.windowDeadline.toISOString(),
    ltv_at_raise: warning.ltvAtRaise,
    ...(latestLtv !== undefined && { latest_ltv: latestLtv }),
    raised_at: warning.raisedAt.toISOString(),
    ...(curedAt && { cured_at: curedAt.toISOString() }),
    ...(curedBy && { cured_by: curedBy }),
    ...(escalatedAt && { escalated_at: escalatedAt.toISOString() }),
    extended_seconds: warning.extendedSeconds,
    ...(ifEscalated && {
      if_escalated: {
        sale_usd: formatUsd(ifEscalated.saleCents),
        target_ltv: formatDecimal(ifEscalated.targetLtvPpm, 6),
      },
    }),
    ...(warning.raises && { raises: warning.raises.map(raiseToJson) }),
  }
}

function raiseToJson({ eventId, raisedAt, notices }: Raise) {
  return {
    event_id: eventId,
    raised_at: raisedAt.toISOString(),
    notices: notices.map(noticeToJson),
  }
}

export function noticeToJson({ channel, at, reference, recordedAt }: Notice) {
  return {
    channel,
    at: at.toISOString(),
    ...(reference !== undefined && { reference }),
    recorded_at: recordedAt.toISOString(),
  }
}

export function additionToJson({ asset, units, marketCents }: CureAddition) {
  return {
    asset,
    quantity: formatQuantity({ asset, units }),
    market_usd: formatUsd(marketCents),
  }
}

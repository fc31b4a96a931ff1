import { formatDecimal, formatQuantity, formatUsd, usd } from '../../../core/money.ts'
import type { MarginCall } from './calls.ts'

/** As tenants and operators read it. */
export function callToJson(call: MarginCall) {
  return {
    facility_id: call.facilityId,
    number: call.number,
    margin_warning_number: call.marginWarningNumber,
    status: call.status,
    ...(call.outcome && { outcome: call.outcome }),
    ...(call.targetLtvPpm !== undefined && { target_ltv: formatDecimal(call.targetLtvPpm, 6) }),
    planned: call.planned.map(({ asset, units }) => ({
      asset,
      quantity: formatQuantity({ asset, units }),
    })),
    sold: call.sold.map(({ asset, units, proceedsCents }) => ({
      asset,
      quantity: formatQuantity({ asset, units }),
      proceeds_usd: formatUsd(proceedsCents),
    })),
    costs_usd: formatUsd(call.costsCents),
    allocation: {
      interest: usd(call.interestCents),
      principal: usd(call.principalCents),
      refund_due: usd(call.surplusCents),
    },
    surplus_usd: formatUsd(call.surplusCents),
    deficit_usd: formatUsd(call.deficitCents),
    ...(call.startedAt && { started_at: call.startedAt.toISOString() }),
    ...(call.completedAt && { completed_at: call.completedAt.toISOString() }),
  }
}

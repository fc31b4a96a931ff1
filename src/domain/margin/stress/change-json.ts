import { formatUsd } from '../../../core/money.ts'
import type { ChangeSums } from './preview-terms.ts'

/** For the command, the operator API and a proposal. */
export function changeToJson(sums: ChangeSums) {
  return {
    warned_by_tier: sums.warned,
    warned_debt_usd: formatUsd(sums.warnedDebtCents),
    worsened: sums.worsened,
    sold: sums.escalated,
    sold_debt_usd: formatUsd(sums.escalatedDebtCents),
    relieved: sums.relieved,
  }
}

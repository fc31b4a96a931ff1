import { formatDecimal, minOf } from '../../../core/money.ts'
import { exceedsLtv, formatLtv } from '../../../core/ratio.ts'
import type { EventToAppend } from '../../events/append/append.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { Case } from '../case.ts'
import type { Step } from '../decisions/plan-step.ts'
import type { WindowValues } from '../ladder/facts.ts'
import type { MarginPolicy } from '../policy.ts'
import { levelsOf, toLevelBody } from './levels.ts'

/** The highest early line that counts as crossed, in parts per million; 0: none. It rises by the
 * highest value of the window and falls by the lowest, so that one price crosses nothing. */
export function noticedLine(
  {
    debtCents,
    values,
    noticedPpm,
  }: { debtCents: bigint; values: WindowValues | undefined; noticedPpm: bigint },
  policy: MarginPolicy,
): bigint {
  if (debtCents === 0n) return 0n
  if (!values) return noticedPpm
  const lineAt = (valueCents: bigint) =>
    policy.noticeLtvPpm.findLast((line) => exceedsLtv(debtCents, valueCents, line)) ?? 0n
  const risen = debtCents < policy.leastCents ? 0n : lineAt(values.highCents)
  return risen > noticedPpm ? risen : minOf(noticedPpm, lineAt(values.lowCents))
}

export type Noticed = { ltvPpm: bigint; isReported: boolean }

export type Notice = { noticed?: Noticed; event?: EventToAppend }

/** Empty where nothing changes. While a warning is open no line counts. */
export function planNotice(evaluated: Case, step: Step, now: Date, policy: MarginPolicy): Notice {
  const { facility, collateral, warning, hasLiveCall } = evaluated
  const isWarned = warning !== undefined && step.open !== undefined
  if (hasLiveCall || isWarned) return {}
  const before = facility.noticedLtvPpm
  const debtCents = totalDebtCents(facility.debt, now)
  const { values, latest } = collateral
  // After the sale lines count afresh.
  const next = step.call ? 0n : noticedLine({ debtCents, values, noticedPpm: before }, policy)
  // Without collateral that counts, there is no ratio to approach.
  if (next === before || (next > before && latest.valueCents === 0n)) return {}
  if (next < before || warning || step.open || !values) {
    return { noticed: { ltvPpm: next, isReported: false } }
  }
  return {
    noticed: { ltvPpm: next, isReported: true },
    event: {
      type: 'margin_notice.approaching',
      resource: { type: 'facility', id: facility.id },
      occurredAt: now,
      data: {
        facility_id: facility.id,
        line: formatDecimal(next, 6),
        ltv: formatLtv(debtCents, values.highCents),
        levels: levelsOf(evaluated, now).map(toLevelBody),
      },
    },
  }
}

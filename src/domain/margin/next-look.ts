import { INTEREST_PER_CENT } from '../../core/interest.ts'
import { divideUp } from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { addMs, DAY_MS } from '../../core/time.ts'
import { type Debt, totalDebtCents } from '../facilities/debt.ts'
import type { MarginPolicy } from './policy.ts'

/** Longer than this nobody plans ahead: whatever comes first will have us look again. */
const HORIZON_MS = 400 * DAY_MS

/**
 * The next instant at which something about a facility changes by itself though no price moves and
 * nobody pays: its interest carries the debt over a line of the ladder, or its deadline passes.
 * Undefined when nothing does within the horizon. Where rounds come one by one, each looks at every
 * debt as it then is, and only the deadline has an instant of its own.
 */
export function nextLookAt(
  facts: { debt: Debt; valueCents: bigint; deadline: Date | undefined; now: Date },
  hasRounds: boolean,
  policy: MarginPolicy,
): Date | undefined {
  const { debt, valueCents, deadline, now } = facts
  const lines = hasRounds
    ? []
    : [
        policy.floorLtvPpm,
        ...policy.tiers.map(({ aboveLtvPpm }) => aboveLtvPpm),
        policy.criticalLtvPpm,
      ]
  const instants = lines.flatMap((line) => crossingAt(debt, valueCents, line, now) ?? [])
  // The deadline itself is still in time.
  if (deadline && deadline >= now) instants.push(addMs(deadline, 1))
  return instants.sort((a, b) => a.getTime() - b.getTime())[0]
}

/** When interest alone takes the debt above `linePpm` of the value; undefined when it is there. */
function crossingAt(debt: Debt, valueCents: bigint, linePpm: bigint, now: Date): Date | undefined {
  const perMs = debt.principalCents * debt.ratePpm
  const debtThen = (linePpm * valueCents) / ONE_PPM + 1n
  if (perMs === 0n || totalDebtCents(debt, now) >= debtThen) return undefined
  // Interest is shown rounded up: one cent more is shown as soon as the last whole one is passed.
  const interestThen = debtThen - debt.principalCents + debt.interestPaidCents
  const missing = (interestThen - 1n) * INTEREST_PER_CENT + 1n - debt.interestNumerator
  const ms = Number(divideUp(missing, perMs))
  if (!Number.isFinite(ms) || ms > HORIZON_MS) return undefined
  const at = addMs(debt.accruedAt, ms)
  return at > now ? at : addMs(now, 1)
}

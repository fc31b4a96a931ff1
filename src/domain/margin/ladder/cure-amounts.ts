import { divideUp, maxOf, minOf } from '../../../core/money.ts'
import { floorCents, ONE_PPM } from '../../../core/ratio.ts'
import { addMs } from '../../../core/time.ts'
import { type Debt, projectDebtCents, totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { MarginPolicy } from '../policy.ts'
import { later } from './deadlines.ts'

type CureFacts = { debt: Debt; lowCents: bigint; cureDeadline: Date; now: Date }

/** In cents, with the interest until the slack after the deadline: what was asked still cures when
 * it arrives. Both are 0 where the floor is clear. */
export function cureAmounts(
  { debt, lowCents, cureDeadline, now }: CureFacts,
  policy: MarginPolicy,
): { amountCents: bigint; collateralCents: bigint } {
  const debtCents = totalDebtCents(debt, now)
  if (lowCents >= floorCents(debtCents, policy.cureLtvPpm)) {
    return { amountCents: 0n, collateralCents: 0n }
  }
  // While nothing can be evaluated, a deadline may be further back than the slack.
  const until = later(now, addMs(cureDeadline, policy.cureSlackMs))
  const projected = projectDebtCents(debt, { now, at: until }, 0n)
  const missing = divideUp(projected * ONE_PPM - policy.cureLtvPpm * lowCents, ONE_PPM)
  return {
    amountCents: minOf(debtCents, maxOf(policy.leastCents, missing)),
    collateralCents: floorCents(projected, policy.cureLtvPpm) - lowCents,
  }
}

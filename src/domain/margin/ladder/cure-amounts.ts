import { divideUp, maxOf, minOf } from '../../../core/money.ts'
import { floorCents, ONE_PPM } from '../../../core/ratio.ts'
import { addMs } from '../../../core/time.ts'
import {
  countedCents,
  countedPrice,
  type Haircuts,
  leastUnitsFor,
  marketCentsUp,
  type Position,
  valuePortfolio,
} from '../../collateral/valuation.ts'
import { type Debt, projectDebtCents, totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { MarginPolicy } from '../policy.ts'
import { later } from './deadlines.ts'
import type { EvaluatedCollateral } from './window-values.ts'

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

/** So much of one asset, added, cures. The market worth is at the latest price, before the haircut. */
export type CureAddition = Position & { marketCents: bigint }

/**
 * The least units of each asset with which the collateral counts `targetCents` at each price of the
 * window. First the assets that are held, the most valuable first; then the others by their codes.
 */
export function cureAdditions(
  { rounds, curing, latest }: Pick<EvaluatedCollateral, 'rounds' | 'curing' | 'latest'>,
  targetCents: bigint,
  haircuts: Haircuts,
): CureAddition[] {
  const latestRound = rounds.at(-1)
  if (!latestRound) return []
  const heldValue = new Map(latest.positions.map(({ asset, valueCents }) => [asset, valueCents]))
  const additions = [...haircuts].flatMap(([asset, haircutPpm]) => {
    const price = countedPrice(asset, latestRound)
    if (!price || haircutPpm >= ONE_PPM) return []
    const held = curing.find((position) => position.asset === asset)?.units ?? 0n
    const least = rounds.flatMap((round) => {
      const at = countedPrice(asset, round)
      if (!at) return []
      const missing = targetCents - valuePortfolio(curing, round, haircuts).valueCents
      const counted = countedCents({ asset, units: held }, at, haircutPpm) + missing
      return leastUnitsFor(asset, at, haircutPpm, counted) - held
    })
    const units = least.reduce(maxOf, 0n)
    return [{ asset, units, marketCents: marketCentsUp({ asset, units }, price) }]
  })
  const worthOf = ({ asset }: Position) => heldValue.get(asset) ?? 0n
  return additions.sort((a, b) => Number(worthOf(b) - worthOf(a)) || (a.asset < b.asset ? -1 : 1))
}

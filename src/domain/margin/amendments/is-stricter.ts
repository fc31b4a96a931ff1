import { isDeepStrictEqual } from 'node:util'
import { ONE_PPM } from '../../../core/ratio.ts'
import type { MarginPolicy } from '../policy.ts'
import type { BoundTerms } from './facility-terms.ts'

type Compared = Pick<BoundTerms, 'ratePpm' | 'policy'>

/** True unless nothing gets worse for the borrower: no line, cure or target is lower, no tier has fewer
 * hours, no haircut and no rate is higher, no asset is missing, and all else is equal. */
export function isStricter(before: Compared, after: Compared): boolean {
  return after.ratePpm > before.ratePpm || isPolicyStricter(before.policy, after.policy)
}

function isPolicyStricter(before: MarginPolicy, after: MarginPolicy): boolean {
  const isLineLower = linesOf(before).some((line, index) => line > (linesOf(after)[index] ?? 0n))
  const hasFewerHours = before.tiers.some(
    ({ windowMs }, index) => windowMs > (after.tiers[index]?.windowMs ?? 0),
  )
  const isCutMore = [...before.haircuts].some(
    ([asset, ppm]) => ppm < (after.haircuts.get(asset) ?? ONE_PPM + 1n),
  )
  return (
    isLineLower ||
    hasFewerHours ||
    isCutMore ||
    !isDeepStrictEqual(othersOf(before), othersOf(after))
  )
}

const linesOf = (policy: MarginPolicy): readonly bigint[] => [
  ...[policy.targetLtvPpm, policy.cureLtvPpm, policy.floorLtvPpm],
  ...policy.tiers.map(({ aboveLtvPpm }) => aboveLtvPpm),
  policy.criticalLtvPpm,
]

function othersOf({
  version: _version,
  targetLtvPpm: _target,
  cureLtvPpm: _cure,
  floorLtvPpm: _floor,
  tiers: _tiers,
  criticalLtvPpm: _critical,
  haircuts: _haircuts,
  ...others
}: MarginPolicy) {
  return others
}

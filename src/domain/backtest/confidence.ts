export type Interval = { low: number; high: number }

const TAIL = 0.025
const STEPS = 60

/** The shares of windows between which the truth lies with 95 % confidence, after `hits` of `trials`
 * independent windows (Clopper and Pearson): none of 10 leaves 0 to 0.308. */
export function shareInterval(hits: number, trials: number): Interval {
  if (trials === 0) return { low: 0, high: 1 }
  const low = hits === 0 ? 0 : solve((share) => 1 - atMost(hits - 1, trials, share) > TAIL)
  const high = hits === trials ? 1 : solve((share) => atMost(hits, trials, share) < TAIL)
  return { low, high }
}

/** The smallest share from which on `isBeyond` holds. */
function solve(isBeyond: (share: number) => boolean): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2
    if (isBeyond(middle)) high = middle
    else low = middle
  }
  return high
}

/** The probability of at most so many hits. By logarithms, because small powers vanish. */
function atMost(hits: number, trials: number, share: number): number {
  if (share <= 0) return 1
  if (share >= 1) return hits >= trials ? 1 : 0
  let logTerm = trials * Math.log1p(-share)
  let sum = Math.exp(logTerm)
  for (let hit = 1; hit <= hits; hit += 1) {
    logTerm += Math.log((trials - hit + 1) / hit) + Math.log(share) - Math.log1p(-share)
    sum += Math.exp(logTerm)
  }
  return Math.min(1, sum)
}

import { INTEREST_PER_CENT } from '../../../core/interest.ts'
import { divideUp } from '../../../core/money.ts'
import { ONE_PPM } from '../../../core/ratio.ts'
import { addMs, DAY_MS } from '../../../core/time.ts'
import { type Debt, totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { MarginPolicy } from '../policy.ts'
import type { LadderDecision, LadderFacts } from './facts.ts'
import { claimedCents } from './ladder.ts'

type EvaluationFacts = Pick<LadderFacts, 'debt' | 'reported' | 'now'> & {
  decision: LadderDecision
  valueCents: bigint
  deadline: Date | undefined
  /** When debt that a message has brought counts in all. */
  easedUntil?: Date | undefined
}

const HORIZON_MS = 400 * DAY_MS

/** When interest carries the debt over a threshold, the deadline passes, or a
 * wait for a price or a repayment ends, though no price moves and no money comes. Where rounds come one by one, each
 * evaluates every debt: only deadline and waits count. Undefined beyond the horizon. */
export function nextEvaluationAt(
  facts: EvaluationFacts,
  hasRounds: boolean,
  policy: MarginPolicy,
): Date | undefined {
  const { debt, decision, deadline, now } = facts
  const debts = hasRounds ? [] : ladderThresholds(facts, policy)
  const instants = debts.flatMap((debtThen) => growthAt(debt, debtThen, now) ?? [])
  const decisive = deadline ? [deadline, addMs(deadline, policy.flickerMs)] : []
  for (const last of decisive) if (last >= now) instants.push(addMs(last, 1))
  if (decision.kind === 'hold') instants.push(addMs(decision.until, 1))
  if (decision.kind === 'ask' && decision.until > now) instants.push(decision.until)
  if (facts.easedUntil) instants.push(facts.easedUntil)
  return instants.sort((a, b) => a.getTime() - b.getTime())[0]
}

function ladderThresholds(
  { decision, valueCents, reported, now }: EvaluationFacts,
  policy: MarginPolicy,
): bigint[] {
  const above = (linePpm: bigint) => (linePpm * valueCents) / ONE_PPM + 1n
  const tiers = policy.tiers.map(({ aboveLtvPpm }) => above(aboveLtvPpm))
  const debts = [
    policy.leastCents,
    ...policy.noticeLtvPpm.map(above),
    above(policy.floorLtvPpm),
    ...tiers,
    above(policy.criticalLtvPpm),
  ]
  if (decision.kind === 'hold') debts.push(above(policy.cureLtvPpm) + claimedCents(reported, now))
  return debts
}

function growthAt(debt: Debt, debtThen: bigint, now: Date): Date | undefined {
  const perMs = debt.principalCents * debt.ratePpm
  if (perMs === 0n || totalDebtCents(debt, now) >= debtThen) return undefined
  // Interest is rounded up: a further cent shows as soon as the last whole one is passed.
  const interestThen = debtThen - debt.principalCents + debt.interestPaidCents
  const missing = (interestThen - 1n) * INTEREST_PER_CENT + 1n - debt.interestNumerator
  const ms = Number(divideUp(missing, perMs))
  if (!Number.isFinite(ms) || ms > HORIZON_MS) return undefined
  const at = addMs(debt.accruedAt, ms)
  return at > now ? at : addMs(now, 1)
}

import { formatDecimal, formatUsd } from '../../../core/money.ts'
import { floorCents, formatLtv } from '../../../core/ratio.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { LadderDecision } from '../ladder/facts.ts'
import { type DecisionFacts, decideAgain, readDecisionFacts } from './decision-record.ts'
import type { MarginDecision } from './decisions.ts'

/** A stored decision, in words, and decided again from its record. */
export type ExplainedDecision = Omit<MarginDecision, 'facts'> & {
  facts: DecisionFacts
  summary: string
  recorded: string
  recomputed: string
  /** False where the record is wrong. */
  agrees: boolean
}

export function explainDecision({ facts: stored, ...decision }: MarginDecision): ExplainedDecision {
  const facts = readDecisionFacts(stored)
  const recorded = describeOutcome(facts.decision)
  const recomputed = describeOutcome(decideAgain(facts))
  const agrees = recomputed === recorded
  return { ...decision, facts, summary: summarize(facts), recorded, recomputed, agrees }
}

function describeOutcome(decision: LadderDecision): string {
  switch (decision.kind) {
    case 'none':
      return 'nothing'
    case 'hold':
      return `hold until ${decision.until.toISOString()}`
    case 'ask':
      return `wait for the custodian until ${decision.until.toISOString()}`
    case 'raise':
    case 'worsen':
      return `${decision.kind} to tier ${decision.tier} until ${decision.cureDeadline.toISOString()}`
    case 'cure':
      return `cured by ${decision.by}`
    case 'escalate':
      return `escalated, ${decision.reason}`
    default: {
      const unreachable: never = decision
      return unreachable
    }
  }
}

function summarize({ ladder, policy, decision }: DecisionFacts): string {
  const debtCents = totalDebtCents(ladder.debt, ladder.now)
  const { values } = ladder
  const owed = `${formatUsd(debtCents)} USD was owed`
  const counted = (cents: bigint) => `the collateral counted ${formatUsd(cents)} USD`
  const cureFloor = `${formatUsd(floorCents(debtCents, policy.cureLtvPpm))} USD`
  switch (decision.kind) {
    case 'raise':
    case 'worsen': {
      const what = decision.kind === 'raise' ? 'Warning raised at' : 'Warning rose to'
      const head = `${what} tier ${decision.tier}, to cure until ${decision.cureDeadline.toISOString()}`
      if (!values) return `${head}.`
      const line = policy.tiers.find(({ tier }) => tier === decision.tier)?.aboveLtvPpm
      const above = line === undefined ? '' : `, above ${formatDecimal(line, 6)}`
      return `${head}: ${owed}, and at the best prices of the window ${counted(values.highCents)}: an LTV of ${formatLtv(debtCents, values.highCents)}${above}.`
    }
    case 'cure': {
      if (decision.by === 'correction' && ladder.trigger !== 'correction') {
        return 'Ended by correction: by what the custodian holds it should not have been raised.'
      }
      const head = `Cured by ${CURED_BY[decision.by]}`
      if (debtCents === 0n || !values) return `${head}: ${owed}.`
      return `${head}: at the worst prices of the window ${counted(values.lowCents)}, and a cure needed ${cureFloor}.`
    }
    case 'escalate': {
      const head =
        decision.reason === 'critical'
          ? `Escalated, above the critical line of ${formatDecimal(policy.criticalLtvPpm, 6)}`
          : 'Escalated, the deadline had passed'
      if (!values) return `${head}.`
      return `${head}: ${owed}, ${counted(values.latestCents)}, and a cure needed ${cureFloor}.`
    }
    case 'none':
    case 'hold':
    case 'ask':
      return 'Nothing was decided.'
    default: {
      const unreachable: never = decision
      return unreachable
    }
  }
}

const CURED_BY = {
  repayment: 'a repayment',
  collateral: 'collateral',
  price: 'the price',
  correction: 'a correction of the debt',
} as const

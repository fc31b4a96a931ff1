import { formatDecimal, formatQuantity, formatUsd } from '../../core/money.ts'
import { SECOND_MS } from '../../core/time.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import { outstandingAt } from '../../domain/facilities/ledger/debt.ts'
import type { DecisionFacts } from '../../domain/margin/decisions/decision-record.ts'
import type { LadderDecision } from '../../domain/margin/ladder/facts.ts'
import type { MarginPolicy } from '../../domain/margin/policy.ts'
import type { OutcomeBody } from './margin-decision.ts'

type Decision = {
  number: number
  kind: 'raise' | 'worsen' | 'cure' | 'escalate'
  decidedAt: Date
  facts: DecisionFacts
}

export function toDecisionBody({ number, kind, decidedAt, facts }: Decision) {
  return { number, kind, decided_at: decidedAt.toISOString(), facts: toFactsBody(facts) }
}

function toFactsBody({ ladder, policy, positions, rounds, decision }: DecisionFacts) {
  const { debt, now, values, warning, lastCure, push, atRaise } = ladder
  const owed = outstandingAt(debt, now)
  return {
    outcome: toOutcomeBody(decision),
    trigger: ladder.trigger,
    debt: {
      principal_usd: formatUsd(owed.principalCents),
      interest_usd: formatUsd(owed.interestCents),
      total_usd: formatUsd(owed.totalCents),
      rate: formatDecimal(debt.ratePpm, 6),
    },
    ...(values && {
      values: {
        highest_usd: formatUsd(values.highCents),
        lowest_usd: formatUsd(values.lowCents),
        latest_usd: formatUsd(values.latestCents),
      },
    }),
    ...(push && {
      push: {
        received_at: push.receivedAt.toISOString(),
        ...(push.askedSince && { asked_since: push.askedSince.toISOString() }),
        ...(push.answeredAt && { answered_at: push.answeredAt.toISOString() }),
      },
    }),
    ...(atRaise && {
      at_raise: {
        debt_usd: formatUsd(atRaise.debtCents),
        highest_usd: formatUsd(atRaise.highCents),
      },
    }),
    positions: positions.map(({ asset, units, curingUnits, haircutPpm, valueCents }) => ({
      asset,
      quantity: formatQuantity({ asset, units }),
      ...(curingUnits !== undefined && {
        cure_quantity: formatQuantity({ asset, units: curingUnits }),
      }),
      ...(haircutPpm !== undefined && { haircut: formatDecimal(haircutPpm, 6) }),
      value_usd: formatUsd(valueCents),
    })),
    rounds: rounds.map((round) =>
      round.map(({ asset, price, at, sources }) => ({
        asset,
        price_usd: formatPrice(price),
        accepted_at: at.toISOString(),
        sources: sources.map((quote) => ({
          source: quote.source,
          price_usd: formatPrice(quote.price),
          at: quote.at.toISOString(),
        })),
      })),
    ),
    ...(warning && {
      warning: {
        tier: warning.tier,
        cure_deadline: warning.cureDeadline.toISOString(),
        window_deadline: warning.windowDeadline.toISOString(),
      },
    }),
    ...(lastCure && {
      last_cure: {
        cured_at: lastCure.curedAt.toISOString(),
        seconds_left: Math.floor(lastCure.leftMs / SECOND_MS),
      },
    }),
    reported: ladder.reported.map(({ cents, holdsUntil }) => ({
      amount_usd: formatUsd(cents),
      holds_until: holdsUntil.toISOString(),
    })),
    policy: toPolicyBody(policy),
  }
}

function toOutcomeBody(decision: LadderDecision): OutcomeBody {
  switch (decision.kind) {
    case 'raise':
    case 'worsen':
      return { tier: decision.tier, cure_deadline: decision.cureDeadline.toISOString() }
    case 'cure':
      return { cured_by: decision.by }
    case 'escalate':
      return { reason: decision.reason }
    case 'none':
    case 'hold':
    case 'ask':
      return {}
    default: {
      const unreachable: never = decision
      return unreachable
    }
  }
}

function toPolicyBody(policy: MarginPolicy) {
  const ratio = (ppm: bigint) => formatDecimal(ppm, 6)
  return {
    version: policy.version,
    floor_ltv: ratio(policy.floorLtvPpm),
    cure_ltv: ratio(policy.cureLtvPpm),
    tiers: policy.tiers.map(({ tier, aboveLtvPpm, windowMs }) => ({
      tier,
      above_ltv: ratio(aboveLtvPpm),
      cure_seconds: Math.floor(windowMs / SECOND_MS),
    })),
    critical_ltv: ratio(policy.criticalLtvPpm),
    confirm_seconds: Math.floor(policy.confirmMs / SECOND_MS),
    flicker_seconds: Math.floor(policy.flickerMs / SECOND_MS),
    least_usd: formatUsd(policy.leastCents),
  }
}

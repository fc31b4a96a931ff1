import { z } from 'zod'
import { formatDecimal, formatQuantity, formatUsd } from '../../core/money.ts'
import { SECOND_MS } from '../../core/time.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import { interestDueCents, totalDebtCents } from '../../domain/facilities/ledger/debt.ts'
import {
  type DecisionFacts,
  readDecisionFacts,
} from '../../domain/margin/decisions/decision-record.ts'
import { listMarginDecisions } from '../../domain/margin/decisions/decisions.ts'
import type { LadderDecision } from '../../domain/margin/ladder/ladder.ts'
import type { MarginPolicy } from '../../domain/margin/policy.ts'
import type { TypedApp } from '../app-type.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { assetText, decimalText, usdText } from '../schemas/amounts.ts'
import { idInput, ordinalInput, timestamp } from '../schemas/fields.ts'
import { operation } from '../schemas/operation.ts'

const factsObject = z.strictObject({
  outcome: z.strictObject({
    tier: z.int().min(1).max(3).optional(),
    cure_deadline: timestamp.optional(),
    cured_by: z.enum(['repayment', 'collateral', 'price']).optional(),
    reason: z.enum(['deadline', 'critical']).optional(),
  }),
  trigger: z.enum(['repayment', 'collateral', 'price']).describe('What triggered the evaluation'),
  debt: z.strictObject({
    principal_usd: usdText,
    interest_usd: usdText,
    total_usd: usdText,
    rate: decimalText,
  }),
  values: z
    .strictObject({ highest_usd: usdText, lowest_usd: usdText, latest_usd: usdText })
    .optional()
    .describe('Value of the positions at the rounds; absent where prices were not used'),
  positions: z
    .array(
      z.strictObject({
        asset: assetText,
        quantity: decimalText,
        haircut: decimalText.optional(),
        value_usd: usdText,
      }),
    )
    .describe('At the latest round; for an escalation as confirmed by the custodian'),
  rounds: z
    .array(
      z.array(
        z.strictObject({
          asset: assetText,
          price_usd: decimalText,
          accepted_at: timestamp,
          sources: z
            .array(z.strictObject({ source: z.string(), price_usd: decimalText, at: timestamp }))
            .describe('The quote of each venue; none where the sandbox set the price'),
        }),
      ),
    )
    .describe('Prices of the rounds that were evaluated, oldest first'),
  warning: z
    .strictObject({
      tier: z.int(),
      cure_deadline: timestamp,
      window_deadline: timestamp.describe('The deadline of its tiers without extensions'),
    })
    .optional()
    .describe('The warning before this decision'),
  last_cure: z.strictObject({ cured_at: timestamp, seconds_left: z.int() }).optional(),
  reported: z
    .array(z.strictObject({ amount_usd: usdText, holds_until: timestamp }))
    .describe('Repayments reported in time and not confirmed yet'),
  policy: z.strictObject({
    version: z.string(),
    floor_ltv: decimalText,
    cure_ltv: decimalText,
    tiers: z.array(
      z.strictObject({ tier: z.int(), above_ltv: decimalText, cure_seconds: z.int() }),
    ),
    critical_ltv: decimalText,
    confirm_seconds: z.int(),
    least_usd: usdText,
  }),
})

const decisionObject = z.strictObject({
  number: z.int().min(1),
  kind: z.enum(['raise', 'worsen', 'cure', 'escalate']),
  decided_at: timestamp,
  facts: factsObject.describe('All inputs of the decision, and its result'),
})

const EXAMPLE = {
  number: 1,
  kind: 'raise' as const,
  decided_at: '2026-11-20T12:01:00.000Z',
  facts: {
    outcome: { tier: 1, cure_deadline: '2026-11-22T12:01:00.000Z' },
    trigger: 'price' as const,
    debt: {
      principal_usd: '50000.00',
      interest_usd: '0.00',
      total_usd: '50000.00',
      rate: '0.1',
    },
    values: { highest_usd: '67900.00', lowest_usd: '67900.00', latest_usd: '67900.00' },
    positions: [{ asset: 'BTC', quantity: '1', haircut: '0.03', value_usd: '67900.00' }],
    rounds: [
      [{ asset: 'BTC', price_usd: '70000', accepted_at: '2026-11-20T12:00:00.000Z', sources: [] }],
      [{ asset: 'BTC', price_usd: '70000', accepted_at: '2026-11-20T12:01:00.000Z', sources: [] }],
    ],
    reported: [],
    policy: {
      version: '2026-11',
      floor_ltv: '0.7',
      cure_ltv: '0.6',
      tiers: [{ tier: 1, above_ltv: '0.7', cure_seconds: 172_800 }],
      critical_ltv: '0.83',
      confirm_seconds: 60,
      least_usd: '10.00',
    },
  },
}

const decisionListSchema = z
  .strictObject({ items: z.array(decisionObject) })
  .meta({ id: 'MarginDecisionList', examples: [{ items: [EXAMPLE] }] })

/** What each decision was made from, so that it can be recomputed. */
export function marginDecisionRoutes(app: TypedApp, { db }: RouteContext): void {
  app.get(
    '/facilities/:facility_id/margin-warnings/:number/decisions',
    {
      config: readsWith('facility:read'),
      schema: operation({
        id: 'listMarginDecisions',
        summary: 'List the decisions about a margin warning, each with its inputs',
        description: 'Oldest first.',
        tag: 'Margin',
        params: z.strictObject({ facility_id: idInput('fac'), number: ordinalInput }),
        response: { 200: decisionListSchema },
      }),
    },
    async (request) => {
      const { tenantId } = callerOf(request)
      const { facility_id: facilityId, number } = request.params
      const decisions = await listMarginDecisions(db, tenantId, facilityId, number)
      return {
        items: decisions.map((decision) => ({
          number: decision.number,
          kind: decision.kind,
          decided_at: decision.decidedAt.toISOString(),
          facts: toFactsBody(readDecisionFacts(decision.facts)),
        })),
      }
    },
  )
}

function toFactsBody({ ladder, policy, positions, rounds, decision }: DecisionFacts) {
  const { debt, now, values, warning, lastCure } = ladder
  return {
    outcome: toOutcomeBody(decision),
    trigger: ladder.trigger,
    debt: {
      principal_usd: formatUsd(debt.principalCents),
      interest_usd: formatUsd(interestDueCents(debt, now)),
      total_usd: formatUsd(totalDebtCents(debt, now)),
      rate: formatDecimal(debt.ratePpm, 6),
    },
    ...(values && {
      values: {
        highest_usd: formatUsd(values.highCents),
        lowest_usd: formatUsd(values.lowCents),
        latest_usd: formatUsd(values.latestCents),
      },
    }),
    positions: positions.map(({ asset, units, haircutPpm, valueCents }) => ({
      asset,
      quantity: formatQuantity({ asset, units }),
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

function toOutcomeBody(decision: LadderDecision): z.input<typeof factsObject>['outcome'] {
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
    least_usd: formatUsd(policy.leastCents),
  }
}

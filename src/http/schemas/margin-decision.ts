import { z } from 'zod'
import { assetText, decimalText, usdText } from './amounts.ts'
import { listOf, timestamp } from './fields.ts'

export const factsObject = z.strictObject({
  outcome: z.strictObject({
    tier: z.int().min(1).max(3).optional(),
    cure_deadline: timestamp.optional(),
    cured_by: z.enum(['repayment', 'collateral', 'price', 'correction']).optional(),
    reason: z.enum(['deadline', 'critical']).optional(),
  }),
  trigger: z
    .enum(['repayment', 'collateral', 'price', 'correction'])
    .describe('What triggered the evaluation'),
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
  push: z
    .strictObject({
      received_at: timestamp,
      asked_since: timestamp.optional(),
      answered_at: timestamp.optional().describe('The positions are then those of the custodian'),
    })
    .optional()
    .describe('The newest push, and whether the custodian has answered about it'),
  at_raise: z
    .strictObject({ debt_usd: usdText, highest_usd: usdText })
    .optional()
    .describe('What the warning was raised on, by the positions of the custodian'),
  positions: z
    .array(
      z.strictObject({
        asset: assetText,
        quantity: decimalText,
        cure_quantity: decimalText
          .optional()
          .describe('What counts towards a cure, where it is less'),
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
    flicker_seconds: z.int().describe('How long after the deadline the window may be undecided'),
    least_usd: usdText,
  }),
})

export const decisionObject = z.strictObject({
  number: z.int().min(1),
  kind: z.enum(['raise', 'worsen', 'cure', 'escalate']),
  decided_at: timestamp,
  facts: factsObject.describe('All inputs of the decision, and its result'),
})

export const DECISION_EXAMPLE = {
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
      flicker_seconds: 600,
      least_usd: '10.00',
    },
  },
}

export const decisionListSchema = listOf(decisionObject, 'MarginDecisionList', DECISION_EXAMPLE)

export type OutcomeBody = z.input<typeof factsObject>['outcome']

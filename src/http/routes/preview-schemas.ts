import { z } from 'zod'
import { type FieldFault, issueOf } from '../../core/field-errors.ts'
import { formatDecimal, formatQuantity, formatUsd, QUOTED_ASSETS } from '../../core/money.ts'
import { EVENT_TYPES } from '../../domain/events/catalogue/event-types.ts'
import { ACTS, type Acts } from '../../domain/margin/foresight/preview.ts'
import type { FacilityPreview } from '../../domain/margin/foresight/read-foresight.ts'
import type { MarginPolicy } from '../../domain/margin/policy.ts'
import type { SalePlan } from '../../domain/margin/sale-plan.ts'
import { additionToJson } from '../../domain/margin/warnings/warning-json.ts'
import { assetText, decimalText, moneyInput, priceInput, usdText } from '../schemas/amounts.ts'
import { timestamp } from '../schemas/fields.ts'
import { toValuationBody, VALUATION_EXAMPLE, valuationMembers } from './levels-schemas.ts'
import { additionsSchema } from './margin-schemas.ts'
import { positionsInput } from './portfolio-schemas.ts'

const GIVEN_TWICE: FieldFault = {
  code: 'duplicate',
  expected: 'Duplicate asset. Expected one price for each asset.',
}

const pricesInput = z
  .array(z.strictObject({ asset: z.enum(QUOTED_ASSETS), price_usd: priceInput }))
  .superRefine((prices, context) => {
    for (const [row, { asset }] of prices.entries()) {
      const first = prices.findIndex((price) => price.asset === asset)
      if (first < row) context.addIssue(issueOf(GIVEN_TWICE, asset, [row, 'asset']))
    }
  })

const MAX_DAYS = 400

export const actsSchema = z
  .strictObject({
    deposit: positionsInput.optional().describe('Collateral that is added'),
    withdrawal: positionsInput.optional().describe('Collateral that is taken away'),
    repayment: moneyInput.optional().describe('Confirmed by the treasury at once'),
    draw: moneyInput.optional().describe('Paid out at once'),
    prices: pricesInput.optional().describe('New prices; other assets keep theirs'),
    days: z
      .int()
      .min(0)
      .max(MAX_DAYS)
      .optional()
      .describe('How long afterwards; prices stay as they are'),
  })
  .meta({
    examples: [
      {
        deposit: [{ asset: 'BTC', quantity: '0.5' }],
        withdrawal: [{ asset: 'ETH', quantity: '2' }],
        repayment: { amount: '5000.00', asset: 'USDC' },
        draw: { amount: '1000.00', asset: 'USD' },
        prices: [{ asset: 'BTC', price_usd: '70000' }],
        days: 3,
      },
    ],
  })

export function readActs(body: z.output<typeof actsSchema>): Acts {
  const prices = (body.prices ?? []).map(({ asset, price_usd: price }) => [asset, price] as const)
  return {
    deposit: body.deposit ?? [],
    withdrawal: body.withdrawal ?? [],
    repayment: body.repayment,
    draw: body.draw,
    prices: new Map(prices),
    days: body.days ?? 0,
  }
}

const saleObject = z.strictObject({
  planned: z.array(z.strictObject({ asset: assetText, quantity: decimalText })),
  sale_usd: usdText,
  target_ltv: decimalText,
  debt_after_usd: usdText.describe('What would still be owed, at the planned fee'),
})

export const previewSchema = z
  .strictObject({
    at: timestamp.describe(
      'The instant of all figures. New prices count after they have held for a minute. A preview ends early where a margin call begins',
    ),
    refusals: z
      .array(z.strictObject({ act: z.enum(ACTS), code: z.string(), detail: z.string() }))
      .describe('What would be refused, and is left out of the figures'),
    ...valuationMembers,
    refund_due_usd: usdText.optional().describe('What would be refunded'),
    warning: z
      .strictObject({
        number: z.int().min(1),
        tier: z.int().min(1).max(3),
        cure_amount_usd: usdText,
        cure_collateral_usd: usdText.describe('After the haircut'),
        cure_additions: additionsSchema,
        cure_deadline: timestamp,
        if_escalated: saleObject,
      })
      .optional()
      .describe('The warning that would be open'),
    sale: saleObject.optional().describe('The plan of the margin call that would live'),
    events: z
      .array(
        z.strictObject({
          type: z.enum(EVENT_TYPES),
          occurred_at: timestamp,
          data: z.record(z.string(), z.unknown()),
        }),
      )
      .describe('The events of margin on the way, as they would be emitted'),
  })
  .meta({
    id: 'FacilityPreview',
    examples: [
      {
        at: '2026-11-20T12:01:00.000Z',
        refusals: [],
        ...VALUATION_EXAMPLE,
        debt_usd: '50000.01',
        required_floor_usd: '83333.35',
        ltv: '0.736378',
        health: 'WARNING',
        warning: {
          number: 1,
          tier: 1,
          cure_amount_usd: '9301.11',
          cure_collateral_usd: '15501.85',
          cure_additions: [{ asset: 'BTC', quantity: '0.22830412', market_usd: '15981.29' }],
          cure_deadline: '2026-11-22T12:01:00.000Z',
          if_escalated: {
            planned: [{ asset: 'BTC', quantity: '0.40489543' }],
            sale_usd: '28342.69',
            target_ltv: '0.55',
            debt_after_usd: '22224.18',
          },
        },
        events: [],
      },
    ],
  })

export function toPreviewBody(
  { at, refusals, view, warning, sale, events }: FacilityPreview,
  policy: MarginPolicy,
): z.input<typeof previewSchema> {
  const { refundDueCents } = view.facility
  return {
    at: at.toISOString(),
    refusals,
    ...toValuationBody(view),
    ...(refundDueCents > 0n && { refund_due_usd: formatUsd(refundDueCents) }),
    ...(warning && {
      warning: {
        number: warning.number,
        tier: warning.tier,
        cure_amount_usd: formatUsd(warning.cureAmountCents),
        cure_collateral_usd: formatUsd(warning.cureCollateralCents),
        cure_additions: warning.cureAdditions.map(additionToJson),
        cure_deadline: warning.cureDeadline.toISOString(),
        if_escalated: toSaleBody(warning.ifEscalated, policy),
      },
    }),
    ...(sale && { sale: toSaleBody(sale, policy) }),
    events: events.map(({ type, occurredAt, data }) => {
      return { type, occurred_at: occurredAt.toISOString(), data }
    }),
  }
}

function toSaleBody({ orders, end }: SalePlan, policy: MarginPolicy) {
  return {
    planned: orders.map(({ asset, units }) => ({
      asset,
      quantity: formatQuantity({ asset, units }),
    })),
    sale_usd: formatUsd(orders.reduce((sum, { grossCents }) => sum + grossCents, 0n)),
    target_ltv: formatDecimal(policy.targetLtvPpm, 6),
    debt_after_usd: formatUsd(end.debtCents),
  }
}

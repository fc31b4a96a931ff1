import { z } from 'zod'
import { formatDecimal, formatQuantity, formatUsd } from '../../core/money.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import type { ValuedPosition } from '../../domain/collateral/valuation.ts'
import { type FacilityView, HEALTH_STATES } from '../../domain/margin/facility-view.ts'
import { amountSchema, assetText, decimalText, usdText } from '../schemas/amounts.ts'
import { idText, timestamp } from '../schemas/fields.ts'

const FACILITY_ID = 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c'

export const collateralSchema = z
  .strictObject({
    positions: z.array(
      z.strictObject({
        asset: assetText,
        quantity: decimalText,
        price_usd: decimalText.optional().describe('Absent where there is no price'),
        haircut: decimalText.optional().describe('Absent for an asset that is not collateral'),
        value_usd: usdText,
      }),
    ),
    collateral_value_usd: usdText,
    debt_usd: usdText.describe('Floor and ratio follow from it'),
    required_floor_usd: usdText,
    ltv: decimalText,
    health: z.enum(HEALTH_STATES),
    valued_at: timestamp,
    valuation_status: z.enum(['FRESH', 'STALE']),
  })
  .meta({
    id: 'Collateral',
    examples: [
      {
        positions: [
          {
            asset: 'BTC',
            quantity: '1',
            price_usd: '70000',
            haircut: '0.03',
            value_usd: '67900.00',
          },
        ],
        collateral_value_usd: '67900.00',
        debt_usd: '50000.00',
        required_floor_usd: '71428.58',
        ltv: '0.736378',
        health: 'HEALTHY' as const,
        valued_at: '2026-11-20T12:00:00.000Z',
        valuation_status: 'FRESH' as const,
      },
    ],
  })

export const additionsSchema = z
  .array(z.strictObject({ asset: assetText, quantity: decimalText, market_usd: usdText }))
  .describe(
    'Adding one of these cures it too: the quantity, and what it is worth in the market, before the haircut. First what is held',
  )
export const noticeObject = z.strictObject({
  channel: z.enum(['webhook', 'email', 'sms', 'push', 'letter', 'call']),
  at: timestamp.describe('When it was sent, or taken by the webhook'),
  reference: z.string().optional(),
  recorded_at: timestamp,
})

export const NOTICE_EXAMPLE = {
  channel: 'email' as const,
  at: '2026-11-20T12:01:30.000Z',
  reference: 'mail-4711',
  recorded_at: '2026-11-20T12:02:00.000Z',
}

const raiseObject = z.strictObject({
  event_id: idText('evt').describe('Of its `margin_warning.raised`'),
  raised_at: timestamp,
  notices: z.array(noticeObject).max(100),
})

export const warningObject = z.strictObject({
  facility_id: idText('fac'),
  number: z.int().min(1),
  tier: z.int().min(1).max(3),
  status: z.enum(['OPEN', 'CURED', 'ESCALATED']),
  cure_amount_usd: usdText,
  cure_collateral_usd: usdText.describe('After the haircut'),
  cure_additions: additionsSchema.optional(),
  cure_deadline: timestamp,
  window_deadline: timestamp.describe(
    'The deadline of its tiers alone; holds where the custodian does not confirm a critical loan',
  ),
  ltv_at_raise: decimalText.describe('As evaluated: at the highest value of the window'),
  latest_ltv: decimalText.optional().describe('At the latest prices, while the warning is open'),
  raised_at: timestamp,
  cured_at: timestamp.optional(),
  cured_by: z
    .enum(['repayment', 'collateral', 'price', 'correction'])
    .optional()
    .describe('`correction`: by what the custodian holds, it should never have been raised'),
  escalated_at: timestamp.optional(),
  extended_seconds: z.int().describe('How far outages have moved the deadline'),
  if_escalated: z.strictObject({ sale_usd: usdText, target_ltv: decimalText }).optional(),
  raises: z
    .array(raiseObject)
    .optional()
    .describe('The first raise and each worse one, with proof of notice; not in lists'),
})

export const WARNING_EXAMPLE = {
  facility_id: FACILITY_ID,
  number: 1,
  tier: 1,
  status: 'OPEN' as const,
  cure_amount_usd: '9301.10',
  cure_collateral_usd: '15501.84',
  cure_additions: [{ asset: 'BTC', quantity: '0.22830398', market_usd: '15981.28' }],
  cure_deadline: '2026-11-22T12:00:00.000Z',
  window_deadline: '2026-11-22T12:00:00.000Z',
  ltv_at_raise: '0.736378',
  latest_ltv: '0.736378',
  raised_at: '2026-11-20T12:00:00.000Z',
  extended_seconds: 0,
  if_escalated: { sale_usd: '28342.67', target_ltv: '0.55' },
}

export const callObject = z.strictObject({
  facility_id: idText('fac'),
  number: z.int().min(1),
  margin_warning_number: z.int().min(1),
  status: z.enum(['PENDING', 'SELLING', 'COMPLETED']),
  outcome: z.enum(['partial', 'full', 'not_needed', 'deficit']).optional(),
  target_ltv: decimalText.optional(),
  planned: z.array(z.strictObject({ asset: assetText, quantity: z.string() })),
  sold: z.array(z.strictObject({ asset: assetText, quantity: decimalText, proceeds_usd: usdText })),
  costs_usd: usdText,
  allocation: z.strictObject({
    interest: amountSchema,
    principal: amountSchema,
    refund_due: amountSchema,
  }),
  surplus_usd: usdText,
  deficit_usd: usdText,
  started_at: timestamp.optional(),
  completed_at: timestamp.optional(),
})

export const CALL_EXAMPLE = {
  facility_id: FACILITY_ID,
  number: 1,
  margin_warning_number: 1,
  status: 'COMPLETED' as const,
  outcome: 'partial' as const,
  target_ltv: '0.55',
  planned: [{ asset: 'BTC', quantity: '0.405772' }],
  sold: [{ asset: 'BTC', quantity: '0.405772', proceeds_usd: '28404.04' }],
  costs_usd: '284.05',
  allocation: {
    interest: { amount: '27.40', asset: 'USD' },
    principal: { amount: '28092.59', asset: 'USD' },
    refund_due: { amount: '0.00', asset: 'USD' },
  },
  surplus_usd: '0.00',
  deficit_usd: '0.00',
  started_at: '2026-11-22T12:00:01.000Z',
  completed_at: '2026-11-22T12:00:02.000Z',
}

export const receiptSchema = z
  .strictObject({
    receipt: z.looseObject({ type: z.literal('sale-receipt/1') }),
    sha256: z.string().describe('Of the bytes of `receipt`, lower-case hex'),
    signature: z.strictObject({
      algorithm: z.literal('Ed25519'),
      key_id: z.string().describe('One of `/.well-known/receipt-keys.json`'),
      public_key: z.string(),
      value: z.string().describe('Over the bytes of `receipt`, lower-case hex'),
    }),
  })
  .meta({
    id: 'SaleReceipt',
    examples: [
      {
        receipt: { type: 'sale-receipt/1', margin_call_number: 1 },
        sha256: '0'.repeat(64),
        signature: {
          algorithm: 'Ed25519',
          key_id: `rck_${'0'.repeat(32)}`,
          public_key: '0'.repeat(64),
          value: '0'.repeat(128),
        },
      },
    ],
  })

export function toCollateralBody(view: FacilityView): z.input<typeof collateralSchema> {
  return {
    positions: view.valuation.positions.map(toPositionBody),
    collateral_value_usd: formatUsd(view.valueCents),
    debt_usd: formatUsd(view.outstanding.totalCents),
    required_floor_usd: formatUsd(view.requiredFloorCents),
    ltv: view.ltv,
    health: view.health,
    valued_at: view.valuedAt.toISOString(),
    valuation_status: view.isStale ? 'STALE' : 'FRESH',
  }
}

function toPositionBody({ asset, units, price, haircutPpm, valueCents }: ValuedPosition) {
  return {
    asset,
    quantity: formatQuantity({ asset, units }),
    ...(price !== undefined && { price_usd: formatPrice(price) }),
    ...(haircutPpm !== undefined && { haircut: formatDecimal(haircutPpm, 6) }),
    value_usd: formatUsd(valueCents),
  }
}

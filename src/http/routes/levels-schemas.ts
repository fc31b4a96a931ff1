import { z } from 'zod'
import { formatUsd } from '../../core/money.ts'
import { HEALTH_STATES } from '../../domain/margin/facility-view.ts'
import { LINES, toLevelBody } from '../../domain/margin/foresight/levels.ts'
import type { MarginLevels } from '../../domain/margin/foresight/read-foresight.ts'
import { assetText, decimalText, usdText } from '../schemas/amounts.ts'
import { timestamp } from '../schemas/fields.ts'

export const valuationMembers = {
  debt_usd: usdText.describe('Floor and ratio follow from it'),
  collateral_value_usd: usdText,
  required_floor_usd: usdText,
  ltv: decimalText,
  health: z.enum(HEALTH_STATES),
  valuation_status: z.enum(['FRESH', 'STALE']),
}

const levelObject = z.strictObject({
  line: z.enum(LINES),
  ltv: decimalText.describe('The line holds above this ratio'),
  reached: z.boolean().describe('Whether it holds now, at the latest prices'),
  value_usd: usdText.describe('The line holds where the whole collateral counts this much or less'),
  fall_percent: decimalText.describe(
    'The line holds after a fall of the whole collateral by this many percent; 0 where it holds now',
  ),
  prices: z
    .array(z.strictObject({ asset: assetText, price_usd: decimalText }))
    .describe(
      'The line holds at this price and below, with all else equal. An asset is absent whose price alone does not decide it',
    ),
  from: timestamp.optional().describe('The line counts after this instant; absent: it counts now'),
})

const levels = (reached: string, ...rows: readonly (readonly string[])[]) =>
  rows.map(([line = '', ltv = '', value_usd = '', fall_percent = '', price_usd = '']) => {
    const prices = [{ asset: 'BTC', price_usd }]
    const isReached = line === reached
    return { line: line as never, ltv, reached: isReached, value_usd, fall_percent, prices }
  })

export const VALUATION_EXAMPLE = {
  debt_usd: '50000.00',
  collateral_value_usd: '67900.00',
  required_floor_usd: '71428.58',
  ltv: '0.736378',
  health: 'HEALTHY' as const,
  valuation_status: 'FRESH' as const,
}

export const levelsSchema = z
  .strictObject({ ...valuationMembers, levels: z.array(levelObject) })
  .meta({
    id: 'MarginLevels',
    examples: [
      {
        ...VALUATION_EXAMPLE,
        levels: levels(
          'tier_1',
          ['tier_1', '0.7', '71428.57', '0.0000', '73637.7113402'],
          ['tier_2', '0.75', '66666.66', '1.8165', '68728.52577319'],
          ['tier_3', '0.8', '62499.99', '7.9529', '64432.98969072'],
          ['critical', '0.83', '60240.96', '11.2799', '62104.0927835'],
          ['sale', '0.83', '60240.96', '11.2799', '62104.0927835'],
        ),
      },
    ],
  })

export function toLevelsBody({ view, levels }: MarginLevels): z.input<typeof levelsSchema> {
  return { ...toValuationBody(view), levels: levels.map(toLevelBody) }
}

export function toValuationBody(view: MarginLevels['view']) {
  return {
    debt_usd: formatUsd(view.outstanding.totalCents),
    collateral_value_usd: formatUsd(view.valueCents),
    required_floor_usd: formatUsd(view.requiredFloorCents),
    ltv: view.ltv,
    health: view.health,
    valuation_status: view.isStale ? ('STALE' as const) : ('FRESH' as const),
  }
}

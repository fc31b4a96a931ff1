import { z } from 'zod'
import { findDecimalFault, PRICED_ASSETS, parseDecimal } from '../../../core/money.ts'
import { FACILITY_STATES } from '../../../domain/facilities/facilities.ts'
import { BOOK_FIGURES } from '../../../domain/margin/book/figures.ts'
import { decimalText, usdText } from '../../schemas/amounts.ts'
import { idFilter, idText, pageOf, textReadBy, timestamp } from '../../schemas/fields.ts'
import { deskPageQuery } from '../operation.ts'

const LISTED_EXAMPLE = {
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  borrower_id: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c',
  ...{ state: 'APPROVED' as const, country: 'DE', borrower_blocked: false },
  ...{ amount_usd: '20005.48', limit_usd: '50000.00', undrawn_usd: '30000.00' },
  ...{ exposure_usd: '20005.48', collateral_value_usd: '97000.00', ltv: '0.206243' },
  ...{ valuation_status: 'FRESH' as const, warning: null, margin_call_number: null },
  ...{ interest_earned_usd: '5.48', charged_off_usd: '0.00', recovered_usd: '0.00' },
}

const listedSchema = z.strictObject({
  tenant_id: idText('ten'),
  facility_id: idText('fac'),
  borrower_id: idText('bor'),
  state: z.enum(FACILITY_STATES),
  country: z.string(),
  borrower_blocked: z.boolean(),
  amount_usd: usdText.describe('What it adds to the figure'),
  limit_usd: usdText,
  undrawn_usd: usdText,
  exposure_usd: usdText,
  collateral_value_usd: usdText,
  ltv: decimalText,
  valuation_status: z.enum(['FRESH', 'STALE']),
  warning: z
    .strictObject({
      number: z.int().min(1),
      tier: z.int().min(1).max(3),
      cure_deadline: timestamp,
    })
    .nullable()
    .describe('The open one'),
  margin_call_number: z.int().min(1).nullable().describe('Of the running one'),
  interest_earned_usd: usdText,
  charged_off_usd: usdText,
  recovered_usd: usdText,
})

export const bookListSchema = pageOf(listedSchema, 'BookFacilityPage', LISTED_EXAMPLE)
  .extend({
    read_at: timestamp.describe('All pages are of the instant of the first'),
    facilities: z.int().describe('Of all pages'),
    amount_usd: usdText.describe('The sum over all pages'),
  })
  .meta({
    id: 'BookFacilities',
    examples: [
      {
        ...{ items: [LISTED_EXAMPLE], has_more: false },
        ...{ read_at: '2026-11-22T12:00:00.000Z', facilities: 1, amount_usd: '20005.48' },
      },
    ],
  })

const ltvQuery = (example: string) =>
  textReadBy(
    (text) => parseDecimal(text, 6),
    (text) => findDecimalFault(text, 6),
    decimalText.meta({ examples: [example] }),
  ).optional()

export const bookListQuery = {
  tenant_id: idFilter('ten'),
  ...deskPageQuery,
  figure: z
    .enum(BOOK_FIGURES)
    .meta({ examples: ['deficits'] })
    .default('exposure')
    .describe('The figure that the facilities make up'),
  borrower_id: idFilter('bor'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, { error: 'Invalid format. Expected a country such as DE.' })
    .meta({ examples: ['DE'] })
    .optional()
    .describe("The borrower's"),
  asset: z
    .enum(PRICED_ASSETS)
    .meta({ examples: ['BTC'] })
    .optional()
    .describe('Held as collateral; `collateral` then counts this asset alone'),
  tier: z
    .enum(['1', '2', '3'])
    .transform((tier) => Number(tier) as 1 | 2 | 3)
    .optional()
    .describe('Of the open warning'),
  above_ltv: ltvQuery('0.700000').describe('Exclusive'),
  to_ltv: ltvQuery('0.750000').describe('Inclusive'),
}

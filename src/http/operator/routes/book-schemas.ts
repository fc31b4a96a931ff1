import { z } from 'zod'
import { assetText, decimalText, usdText } from '../../schemas/amounts.ts'
import { idFilter, idText, timestamp } from '../../schemas/fields.ts'

const TENANT = 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c'
const FACILITY = 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c'
const BORROWER = 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c'

const facilities = z.int().describe('How many')
const share = decimalText.describe('Of the whole, rounded down')

const band = z.strictObject({
  above_ltv: decimalText.nullable().describe('Null: from 0'),
  to_ltv: decimalText.nullable().describe('Inclusive; null: without end'),
  facilities,
  exposure_usd: usdText,
  collateral_value_usd: usdText,
  share,
})

const tenant = z.strictObject({
  tenant_id: idText('ten'),
  name: z.string(),
  facilities,
  exposure_usd: usdText,
  undrawn_usd: usdText,
  weighted_ltv: decimalText,
  open_warnings: z.int(),
  margin_calls: z.int(),
  deficit_usd: usdText,
  interest_earned_usd: usdText,
  share,
})

const borrower = z.strictObject({
  tenant_id: idText('ten'),
  borrower_id: idText('bor'),
  facility_id: idText('fac'),
  country: z.string(),
  exposure_usd: usdText,
  ltv: decimalText,
  share,
})

const BOOK_EXAMPLE = {
  read_at: '2026-11-22T12:00:00.000Z',
  tenant_id: null,
  exposure: {
    ...{ facilities: 1, total_usd: '20005.48' },
    ...{ principal_usd: '20000.00', interest_usd: '5.48' },
  },
  commitments: {
    ...{ facilities: 1, limits_usd: '50000.00', reserved_usd: '0.00' },
    ...{ undrawn_usd: '30000.00', undrawn_blocked_usd: '0.00' },
  },
  collateral: {
    value_usd: '97000.00',
    assets: [
      {
        ...{ asset: 'BTC', facilities: 1, quantity: '1' },
        ...{ value_usd: '97000.00', share: '1.000000' },
      },
    ],
  },
  ltv: {
    total: '0.206243',
    weighted: '0.206243',
    distribution: [
      {
        ...{ above_ltv: null, to_ltv: '0.400000', facilities: 1, exposure_usd: '20005.48' },
        ...{ collateral_value_usd: '97000.00', share: '1.000000' },
      },
    ],
  },
  warnings: {
    ...{ open: 0, exposure_usd: '0.00' },
    tiers: [{ tier: 1, open: 0, exposure_usd: '0.00' }],
  },
  margin_calls: { running: 0, exposure_usd: '0.00' },
  deficits: { facilities: 0, exposure_usd: '0.00', deficit_usd: '0.00' },
  stale: { facilities: 0, exposure_usd: '0.00' },
  interest: { earned_usd: '5.48' },
  charged_off: { facilities: 0, total_usd: '0.00', recovered_usd: '0.00' },
  tenants: [
    {
      ...{ tenant_id: TENANT, name: 'Example', facilities: 1, exposure_usd: '20005.48' },
      ...{ undrawn_usd: '30000.00', weighted_ltv: '0.206243', open_warnings: 0 },
      ...{ margin_calls: 0, deficit_usd: '0.00', interest_earned_usd: '5.48', share: '1.000000' },
    },
  ],
  more_tenants: 0,
  countries: [{ country: 'DE', facilities: 1, exposure_usd: '20005.48', share: '1.000000' }],
  borrowers: [
    {
      ...{ tenant_id: TENANT, borrower_id: BORROWER, facility_id: FACILITY, country: 'DE' },
      ...{ exposure_usd: '20005.48', ltv: '0.206243', share: '1.000000' },
    },
  ],
}

export const bookSchema = z
  .strictObject({
    read_at: timestamp.describe('Of what instant all figures are'),
    tenant_id: idText('ten').nullable().describe('Null: of all tenants'),
    exposure: z
      .strictObject({
        facilities,
        total_usd: usdText,
        principal_usd: usdText,
        interest_usd: usdText.describe('Run and not paid'),
      })
      .describe('What facilities owe, as /v1 shows it'),
    commitments: z
      .strictObject({
        facilities,
        limits_usd: usdText,
        reserved_usd: usdText.describe('For draws in progress'),
        undrawn_usd: usdText.describe('Of each facility: limit less principal and reserved'),
        undrawn_blocked_usd: usdText.describe('Part of it: the borrower is blocked from draws'),
      })
      .describe('Limits of approved facilities'),
    collateral: z
      .strictObject({
        value_usd: usdText,
        assets: z.array(
          z.strictObject({
            asset: assetText,
            facilities,
            quantity: decimalText,
            value_usd: usdText,
            share,
          }),
        ),
      })
      .describe('Of facilities that owe, after haircuts'),
    ltv: z.strictObject({
      total: decimalText.describe('Exposure over collateral'),
      weighted: decimalText.describe(
        'The average of the ratios as shown, weighted by exposure, of those with collateral of value',
      ),
      distribution: z.array(band),
    }),
    warnings: z.strictObject({
      open: z.int(),
      exposure_usd: usdText,
      tiers: z.array(
        z.strictObject({ tier: z.int().min(1).max(3), open: z.int(), exposure_usd: usdText }),
      ),
    }),
    margin_calls: z.strictObject({ running: z.int(), exposure_usd: usdText }),
    deficits: z
      .strictObject({
        facilities,
        exposure_usd: usdText,
        deficit_usd: usdText.describe('Exposure less collateral, of each'),
      })
      .describe('Facilities that owe more than their collateral is worth'),
    stale: z
      .strictObject({ facilities, exposure_usd: usdText })
      .describe('Valued at old or missing prices'),
    interest: z.strictObject({
      earned_usd: usdText.describe(
        'All that has run since the first draw: due, paid, waived or charged off; ended facilities too',
      ),
    }),
    charged_off: z.strictObject({ facilities, total_usd: usdText, recovered_usd: usdText }),
    tenants: z.array(tenant).describe('Largest exposure first, at most 100'),
    more_tenants: z.int().describe('How many are left out'),
    countries: z.array(
      z.strictObject({ country: z.string(), facilities, exposure_usd: usdText, share }),
    ),
    borrowers: z.array(borrower).describe('The 20 of the largest exposure'),
  })
  .meta({ id: 'Book', examples: [BOOK_EXAMPLE] })

export const tenantQuery = { tenant_id: idFilter('ten') }

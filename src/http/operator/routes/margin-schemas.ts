import { z } from 'zod'
import { FACILITY_STATES } from '../../../domain/facilities/facilities.ts'
import { HOLD_KINDS } from '../../../domain/facilities/holds/holds.ts'
import type {
  deskCallToJson,
  deskFacilityToJson,
  deskWarningToJson,
} from '../../../domain/margin/desk/desk-json.ts'
import { HEALTH_STATES } from '../../../domain/margin/facility-view.ts'
import {
  CALL_EXAMPLE,
  callObject,
  WARNING_EXAMPLE,
  warningObject,
} from '../../routes/margin-schemas.ts'
import { amountSchema, assetText, decimalText, usdText } from '../../schemas/amounts.ts'
import { idInput, idText, ordinalInput, timestamp } from '../../schemas/fields.ts'
import { DECISION_EXAMPLE, decisionObject } from '../../schemas/margin-decision.ts'

const TENANT_ID = 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c'
const BORROWER_ID = 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c'
const REPAYMENT_ID = 'rep_01k9x4m2q8e0tb7f2v5j6h8n3c'

export const facilityParams = z.strictObject({
  tenant_id: idInput('ten'),
  facility_id: idInput('fac'),
})

export const numberedParams = facilityParams.extend({ number: ordinalInput })

const positions = z.array(z.strictObject({ asset: assetText, quantity: decimalText }))

const custodianReading = z
  .strictObject({ positions, read_at: timestamp })
  .nullable()
  .describe('What the custodian last answered or was read to hold')

const valuationStatus = z.enum(['FRESH', 'STALE'])

export const deskWarningObject = warningObject.extend({
  tenant_id: idText('ten'),
  borrower_id: idText('bor'),
  as_of: timestamp.describe("The tenant's time of all figures: on the sandbox it may be ahead"),
  seconds_left: z.int().describe('Until the deadline, by the time of the tenant; below 0 after it'),
  debt_usd: usdText,
  collateral_value_usd: usdText,
  valuation_status: valuationStatus,
  on_hold: z.boolean().describe('Until the hold is lifted, the deadline stands still'),
  reported: z
    .array(
      z.strictObject({
        repayment_id: idText('rep'),
        amount: amountSchema,
        credit_usd: usdText,
        reported_at: timestamp,
        holds_until: timestamp.describe('Until then it holds the escalation'),
      }),
    )
    .describe('Repayments that the borrower reported and the treasury has not confirmed'),
  claimed: z
    .strictObject({
      positions,
      pushed_at: timestamp,
      asked_since: timestamp.nullable().describe('Since when the custodian is asked about it'),
    })
    .nullable()
    .describe('Collateral that was pushed and that the custodian has not confirmed'),
  custodian: custodianReading,
})

export const DESK_WARNING_EXAMPLE: ReturnType<typeof deskWarningToJson> = {
  ...WARNING_EXAMPLE,
  tier: 1,
  ...{ tenant_id: TENANT_ID, borrower_id: BORROWER_ID, as_of: '2026-11-20T13:00:00.000Z' },
  ...{ seconds_left: 169_200, debt_usd: '50000.58', collateral_value_usd: '67900.00' },
  ...{ valuation_status: 'FRESH', on_hold: false },
  reported: [
    {
      repayment_id: REPAYMENT_ID,
      amount: { amount: '9301.10', asset: 'USD' },
      credit_usd: '9301.10',
      reported_at: '2026-11-20T12:50:00.000Z',
      holds_until: '2026-11-21T12:50:00.000Z',
    },
  ],
  claimed: null,
  custodian: {
    positions: [{ asset: 'BTC', quantity: '1' }],
    read_at: '2026-11-20T12:00:01.000Z',
  },
}

export const explainedDecision = decisionObject.extend({
  summary: z.string().describe('The decision in words'),
  recorded: z.string().describe('Its outcome, as it is on record'),
  recomputed: z.string().describe('Its outcome, decided again from the recorded inputs'),
  agrees: z.boolean().describe('false: the record is wrong'),
})

const EXPLAINED_EXAMPLE = {
  ...DECISION_EXAMPLE,
  summary:
    'Warning raised at tier 1, to cure until 2026-11-22T12:01:00.000Z: 50000.00 USD was owed, and at the best prices of the window the collateral counted 67900.00 USD: an LTV of 0.736378, above 0.7.',
  recorded: 'raise to tier 1 until 2026-11-22T12:01:00.000Z',
  recomputed: 'raise to tier 1 until 2026-11-22T12:01:00.000Z',
  agrees: true,
}

export const explainedWarningSchema = deskWarningObject
  .extend({ decisions: z.array(explainedDecision).describe('Oldest first') })
  .meta({
    id: 'ExplainedWarning',
    examples: [{ ...DESK_WARNING_EXAMPLE, decisions: [EXPLAINED_EXAMPLE] }],
  })

const orderObject = z.strictObject({
  number: z.int(),
  asset: assetText,
  quantity: decimalText,
  in_kind: z.boolean().describe('Taken as it is, without a sale'),
  status: z.enum(['ORDERED', 'FILLED', 'REFUSED']),
  ordered_at: timestamp,
  acknowledged_at: timestamp.nullable().describe('When the custodian accepted it'),
  fill: z
    .strictObject({
      quantity: decimalText,
      proceeds_usd: usdText,
      costs_usd: usdText,
      executed_at: timestamp,
    })
    .nullable(),
})

const ORDER_EXAMPLE = {
  ...{ number: 1, asset: 'BTC', quantity: '0.405772', in_kind: false, status: 'FILLED' as const },
  ...{ ordered_at: '2026-11-22T12:00:01.000Z', acknowledged_at: '2026-11-22T12:00:01.000Z' },
  fill: {
    ...{ quantity: '0.405772', proceeds_usd: '28404.04', costs_usd: '284.05' },
    executed_at: '2026-11-22T12:00:02.000Z',
  },
}

export const deskCallObject = callObject.extend({
  tenant_id: idText('ten'),
  borrower_id: idText('bor'),
  debt_usd: usdText.describe('What the loan owes now, whatever was sold'),
  created_at: timestamp,
  orders: z.array(orderObject).describe('To the custodian, with their fills, in order'),
})

export const DESK_CALL_EXAMPLE: ReturnType<typeof deskCallToJson> = {
  ...CALL_EXAMPLE,
  ...{ tenant_id: TENANT_ID, borrower_id: BORROWER_ID, debt_usd: '21907.99' },
  ...{ created_at: '2026-11-22T12:00:00.000Z', orders: [ORDER_EXAMPLE] },
}

export const timelineEntryObject = z.strictObject({
  at: timestamp,
  source: z.enum([
    ...['repayment_requested', 'repayment_reported', 'repayment_confirmed', 'repayment_returned'],
    ...['decision', 'call_started', 'order_placed', 'order_filled', 'call_ended'],
  ] as const),
  summary: z.string().describe('What happened, in words'),
  warning_number: z.int().nullable(),
  call_number: z.int().nullable(),
  repayment_id: idText('rep').nullable(),
  order: orderObject.nullable(),
  decision: explainedDecision.nullable(),
})

export const TIMELINE_EXAMPLE = {
  ...{ at: '2026-11-20T12:01:00.000Z', source: 'decision' as const },
  summary: EXPLAINED_EXAMPLE.summary,
  ...{ warning_number: 1, call_number: null, repayment_id: null, order: null },
  decision: EXPLAINED_EXAMPLE,
}

const FACILITY_EXAMPLE: ReturnType<typeof deskFacilityToJson> = {
  tenant_id: TENANT_ID,
  ...{ id: WARNING_EXAMPLE.facility_id, external_id: 'loan-4711' },
  ...{ borrower_id: BORROWER_ID, state: 'APPROVED' },
  ...{ limit_usd: '50000.00', principal_usd: '50000.00', interest_usd: '0.58' },
  ...{ debt_usd: '50000.58', charged_off_usd: null, recovered_usd: null },
  ...{ collateral_value_usd: '67900.00', required_floor_usd: '83334.30' },
  ...{ ltv: '0.736386', health: 'WARNING', valuation_status: 'FRESH' },
  as_of: '2026-11-20T13:00:00.000Z',
  positions: [
    { asset: 'BTC', quantity: '1', price_usd: '70000', haircut: '0.03', value_usd: '67900.00' },
  ],
  ...{ rate: '0.1', terms_version: 0, next_terms: null },
  custodian: DESK_WARNING_EXAMPLE.custodian,
  ...{ holds: [], open_warning: 1, running_call: null },
  forbearance_until: null,
}

export const deskFacilitySchema = z
  .strictObject({
    tenant_id: idText('ten'),
    id: idText('fac'),
    external_id: z.string().nullable().describe("The tenant's own id"),
    borrower_id: idText('bor'),
    state: z.enum(FACILITY_STATES),
    limit_usd: usdText,
    principal_usd: usdText,
    interest_usd: usdText,
    debt_usd: usdText,
    charged_off_usd: usdText.nullable().describe('null: it is not charged off'),
    recovered_usd: usdText.nullable().describe('Of what was charged off'),
    collateral_value_usd: usdText,
    required_floor_usd: usdText,
    ltv: decimalText,
    health: z.enum(HEALTH_STATES),
    valuation_status: valuationStatus,
    as_of: timestamp,
    positions: z.array(
      z.strictObject({
        asset: assetText,
        quantity: decimalText,
        price_usd: decimalText.nullable(),
        haircut: decimalText.nullable().describe('null: it is no collateral'),
        value_usd: usdText,
      }),
    ),
    rate: decimalText.describe('Annual interest rate'),
    next_terms: z
      .strictObject({ effective_at: timestamp, version: z.int(), rate: decimalText })
      .nullable()
      .describe('An amendment that waits for its instant, or for the end of a warning or call'),
    terms_version: z.int().nullable().describe('Of the margin policy; null: not approved'),
    custodian: custodianReading,
    holds: z
      .array(
        z.strictObject({
          id: idText('pau'),
          kind: z.enum(HOLD_KINDS),
          reason: z.string().nullable(),
          since: timestamp,
          lifted_at: timestamp.nullable(),
        }),
      )
      .describe('Oldest first, lifted ones too'),
    forbearance_until: timestamp.nullable().describe('Margin deadlines stand still until then'),
    open_warning: z.int().nullable().describe('Its number'),
    running_call: z.int().nullable().describe('Its number'),
  })
  .meta({ id: 'MarginFacility', examples: [FACILITY_EXAMPLE] })

import { z } from 'zod'
import { formatAmount, formatDecimal, formatUsd, usd } from '../../core/money.ts'
import type { ShownDraw } from '../../domain/facilities/draws/draws.ts'
import { FACILITY_STATES, type Facility } from '../../domain/facilities/facilities.ts'
import { showFacilityTerms } from '../../domain/margin/amendments/facility-terms.ts'
import { type FacilityView, HEALTH_STATES } from '../../domain/margin/facility-view.ts'
import type { Repayment } from '../../domain/repayments/repayments.ts'
import { amountSchema, assetText, decimalText, usdText } from '../schemas/amounts.ts'
import { idText, timestamp } from '../schemas/fields.ts'

export const onHoldSchema = z
  .strictObject({ since: timestamp })
  .optional()
  .describe('The lender holds it: nothing escalates, sells, pays out or closes')

export const termsSchema = z
  .strictObject({
    version: z.int().describe("Of the margin policy; 0 is the service's own"),
    rate: decimalText.describe('Annual interest rate'),
    floor_ltv: decimalText.describe('Above it the facility is in breach'),
    cure_ltv: decimalText.describe('Up to it a warning is cured'),
    tiers: z.array(
      z.strictObject({
        tier: z.int(),
        above_ltv: decimalText,
        cure_seconds: z.int().describe('The time to cure a warning of this tier'),
      }),
    ),
    critical_ltv: decimalText.describe('Above it there is no time to cure'),
    target_ltv: decimalText.describe('Collateral is sold down to it'),
    haircuts: z
      .record(z.string(), decimalText)
      .describe('By asset; one that is not named counts for nothing'),
  })
  .meta({ id: 'FacilityTerms' })

export const nextTermsSchema = z
  .strictObject({ effective_at: timestamp, terms: termsSchema })
  .optional()
  .describe('An amendment; it waits for the end of an open warning or margin call too')

export const facilityObject = z.strictObject({
  id: idText('fac'),
  external_id: z.string().optional().describe('Your own id of the facility'),
  borrower_id: idText('bor'),
  state: z.enum(FACILITY_STATES),
  limit: amountSchema,
  rate: decimalText.describe('Annual interest rate'),
  terms: termsSchema
    .optional()
    .describe('Later versions of the lender do not change them; an amendment does'),
  next_terms: nextTermsSchema,
  outstanding: z.strictObject({
    principal: usdText,
    interest: usdText,
    reserved: usdText.describe('Amount of draws in progress'),
    total: usdText.describe('Principal and interest'),
  }),
  collateral_value_usd: usdText,
  required_floor_usd: usdText,
  custodian_floor_usd: usdText.describe('The floor that the custodian has acknowledged'),
  ltv: decimalText.describe('Loan-to-value, six decimal places, rounded up'),
  health: z.enum(HEALTH_STATES),
  on_hold: onHoldSchema,
  forbearance: z
    .strictObject({ until: timestamp })
    .optional()
    .describe('The lender grants it: margin deadlines stand still until then'),
  refund_due: usdText.optional().describe('Refund to the borrower that is not completed yet'),
  charged_off: z
    .strictObject({
      principal: usdText,
      interest: usdText,
      recovered: usdText.describe('By repayments since: principal first, then interest'),
    })
    .optional()
    .describe('Debt that was left after a sale; no interest runs on it'),
  decline_reasons: z.array(z.string()).optional(),
  created_at: timestamp,
  updated_at: timestamp,
  decisioned_at: timestamp.optional(),
})

export const FACILITY_EXAMPLE = {
  id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  borrower_id: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c',
  state: 'APPROVED' as const,
  limit: { amount: '50000.00', asset: 'USD' },
  rate: '0.1',
  terms: {
    ...{ version: 0, rate: '0.1', floor_ltv: '0.7', cure_ltv: '0.6' },
    tiers: [
      { tier: 1, above_ltv: '0.7', cure_seconds: 172_800 },
      { tier: 2, above_ltv: '0.75', cure_seconds: 43_200 },
      { tier: 3, above_ltv: '0.8', cure_seconds: 7_200 },
    ],
    ...{ critical_ltv: '0.83', target_ltv: '0.55' },
    haircuts: { BTC: '0.03', ETH: '0.05', USD: '0', USDC: '0.01' },
  },
  outstanding: { principal: '20000.00', interest: '5.48', reserved: '0.00', total: '20005.48' },
  collateral_value_usd: '97000.00',
  required_floor_usd: '28579.26',
  custodian_floor_usd: '28594.91',
  ltv: '0.206243',
  health: 'HEALTHY' as const,
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
  decisioned_at: '2026-11-20T12:00:01.000Z',
}

/** The kind of a hold stays with the lender. */
export function toOnHold({ heldSince }: Pick<Facility, 'heldSince'>) {
  return heldSince ? { on_hold: { since: heldSince.toISOString() } } : {}
}

export function toTermsBody({ terms, nextTerms }: Pick<FacilityView, 'terms' | 'nextTerms'>) {
  return {
    ...(terms && { terms: showFacilityTerms(terms) }),
    ...(nextTerms && {
      next_terms: {
        effective_at: nextTerms.at.toISOString(),
        terms: showFacilityTerms(nextTerms.terms),
      },
    }),
  }
}

export function toFacilityBody(view: FacilityView): z.input<typeof facilityObject> {
  const { facility, outstanding } = view
  const { debt, chargedOff, declineReasons, decisionedAt } = facility
  return {
    id: facility.id,
    ...(facility.externalId !== undefined && { external_id: facility.externalId }),
    borrower_id: facility.borrowerId,
    state: facility.state,
    limit: usd(facility.limitCents),
    rate: formatDecimal(debt.ratePpm, 6),
    ...toTermsBody(view),
    outstanding: {
      principal: formatUsd(outstanding.principalCents),
      interest: formatUsd(outstanding.interestCents),
      reserved: formatUsd(facility.reservedCents),
      total: formatUsd(outstanding.totalCents),
    },
    collateral_value_usd: formatUsd(view.valueCents),
    required_floor_usd: formatUsd(view.requiredFloorCents),
    custodian_floor_usd: formatUsd(facility.custodianFloorCents),
    ltv: view.ltv,
    health: view.health,
    ...toOnHold(facility),
    ...(view.forbearanceUntil && { forbearance: { until: view.forbearanceUntil.toISOString() } }),
    ...(facility.refundDueCents > 0n && { refund_due: formatUsd(facility.refundDueCents) }),
    ...(chargedOff && {
      charged_off: {
        principal: formatUsd(chargedOff.principalCents),
        interest: formatUsd(chargedOff.interestCents),
        recovered: formatUsd(chargedOff.recoveredCents),
      },
    }),
    ...(declineReasons && { decline_reasons: declineReasons }),
    created_at: facility.createdAt.toISOString(),
    updated_at: facility.updatedAt.toISOString(),
    ...(decisionedAt && { decisioned_at: decisionedAt.toISOString() }),
  }
}

const returnedSchema = z.strictObject({
  amount: amountSchema,
  code: z.string().describe("The payments provider's"),
  returned_at: timestamp,
})

export const drawObject = z.strictObject({
  id: idText('drw'),
  facility_id: idText('fac'),
  status: z.enum(['PENDING', 'COMPLETED', 'FAILED', 'RETURNED']),
  amount: decimalText,
  asset: assetText,
  destination: z.string().nullable().describe('`null` once the borrower is erased'),
  reference: z.string().optional().describe("The payment's reference"),
  failure: z.strictObject({ code: z.string(), retryable: z.boolean() }).optional(),
  requested_at: timestamp,
  completed_at: timestamp.optional(),
  returned: returnedSchema.optional().describe('What came back of it'),
})

export const DRAW_EXAMPLE = {
  id: 'drw_01k9x4m2q8e0tb7f2v5j6h8n3c',
  facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  status: 'PENDING' as const,
  amount: '20000.00',
  asset: 'USD',
  destination: 'account-4711',
  requested_at: '2026-11-20T12:05:00.000Z',
}

export function toDrawBody(draw: ShownDraw): z.input<typeof drawObject> {
  const { reference, failure, completedAt, returned } = draw
  return {
    id: draw.id,
    facility_id: draw.facilityId,
    status: draw.status,
    ...formatAmount(draw.amount),
    destination: draw.destination ?? null,
    ...(reference !== undefined && { reference }),
    ...(failure && { failure }),
    requested_at: draw.requestedAt.toISOString(),
    ...(completedAt && { completed_at: completedAt.toISOString() }),
    ...(returned && {
      returned: {
        amount: formatAmount(returned.amount),
        code: returned.code,
        returned_at: returned.at.toISOString(),
      },
    }),
  }
}

export const repaymentObject = z.strictObject({
  id: idText('rep'),
  facility_id: idText('fac'),
  margin_warning_number: z.int().optional(),
  inferred: z.boolean().optional().describe('Treated as a cure although no warning was named'),
  recovery: z.boolean().optional().describe('Applied to a debt that was charged off'),
  status: z.enum(['PENDING', 'REPORTED', 'APPLIED', 'FAILED', 'REVERSED']),
  amount: decimalText,
  asset: assetText,
  instructions: z
    .array(
      z.strictObject({
        operation: z.string(),
        source: z.string(),
        destination: z.string(),
        amount: decimalText,
        asset: assetText,
      }),
    )
    .describe(
      'Steps to carry out in order. `clc` is the lender: pay to the account that it gave you',
    ),
  delivered: amountSchema.optional().describe('What you reported'),
  confirmed: amountSchema.optional().describe('What the treasury received; this amount is applied'),
  allocation: z
    .strictObject({ interest: amountSchema, principal: amountSchema, refund_due: amountSchema })
    .optional(),
  in_suspense: amountSchema
    .optional()
    .describe('Received far beyond what you reported; the lender applies or returns it'),
  split_from: idText('rep')
    .optional()
    .describe('The repayment of whose receipt this is a part, applied later'),
  final_at: timestamp
    .optional()
    .describe('Until then the money can be taken back, and frees neither limit nor collateral'),
  value_date: timestamp
    .optional()
    .describe('From when what the treasury received counts: interest runs until then'),
  reference: z.string().optional(),
  failure: z.string().optional(),
  requested_at: timestamp,
  reported_at: timestamp.optional(),
  applied_at: timestamp.optional(),
  returned: returnedSchema.optional().describe('Its transfer was taken back: it pays nothing'),
})

export const REPAYMENT_EXAMPLE = {
  id: 'rep_01k9x4m2q8e0tb7f2v5j6h8n3c',
  facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  status: 'PENDING' as const,
  amount: '5000.00',
  asset: 'USD',
  instructions: [
    {
      operation: 'transfer',
      source: 'borrower',
      destination: 'clc',
      amount: '5000.00',
      asset: 'USD',
    },
  ],
  requested_at: '2026-11-25T09:00:00.000Z',
}

const INSTRUCTION = { operation: 'transfer', source: 'borrower', destination: 'clc' }

export function toRepaymentBody(repayment: Repayment): z.input<typeof repaymentObject> {
  const { marginWarningNumber, inferred, delivered, confirmed, allocation, returned } = repayment
  const { valueAt, finalAt, inSuspense, splitFrom, reference, failure, reportedAt, appliedAt } =
    repayment
  const amount = formatAmount(repayment.amount)
  return {
    id: repayment.id,
    facility_id: repayment.facilityId,
    ...(marginWarningNumber !== undefined && { margin_warning_number: marginWarningNumber }),
    ...(inferred && { inferred }),
    ...(repayment.isRecovery && { recovery: true }),
    status: repayment.status,
    ...amount,
    // A part of what was received is not to be sent again.
    instructions: splitFrom === undefined ? [{ ...INSTRUCTION, ...amount }] : [],
    ...(delivered && splitFrom === undefined && { delivered: formatAmount(delivered) }),
    ...(confirmed && { confirmed: formatAmount(confirmed) }),
    ...(allocation && {
      allocation: {
        interest: usd(allocation.interestCents),
        principal: usd(allocation.principalCents),
        refund_due: usd(allocation.refundCents),
      },
    }),
    ...(inSuspense && { in_suspense: formatAmount(inSuspense) }),
    ...(splitFrom !== undefined && { split_from: splitFrom }),
    ...(finalAt && { final_at: finalAt.toISOString() }),
    ...(valueAt && { value_date: valueAt.toISOString() }),
    ...(reference !== undefined && { reference }),
    ...(failure !== undefined && { failure }),
    requested_at: repayment.requestedAt.toISOString(),
    ...(reportedAt && { reported_at: reportedAt.toISOString() }),
    ...(appliedAt && { applied_at: appliedAt.toISOString() }),
    ...(returned &&
      confirmed && {
        returned: {
          amount: formatAmount(confirmed),
          code: returned.code,
          returned_at: returned.at.toISOString(),
        },
      }),
  }
}

import { z } from 'zod'
import { allocation, amount, count, decimal, id, position, timestamp, usd } from './event-fields.ts'

const facilityId = id('fac')
const callNumber = count.describe("Counts the facility's margin calls from 1")
const warningNumber = count.describe("Counts the facility's margin warnings from 1")
const curedWarning = count.optional().describe('The margin warning that the repayment is to cure')

export type DataSchema = z.ZodObject<z.ZodRawShape, z.core.$strict>

export type EventDefinition = {
  firesWhen: string
  data: DataSchema
  required: readonly string[]
}

const level = z.strictObject({
  line: z.enum(['tier_1', 'tier_2', 'tier_3', 'critical', 'sale']),
  ltv: decimal,
  reached: z.boolean(),
  value_usd: usd,
  fall_percent: decimal,
  prices: z.array(z.strictObject({ asset: z.string().min(1).max(32), price_usd: decimal })),
  from: timestamp.optional(),
})

/** The event catalogue (interface, Event types). */
export const EVENTS = {
  'borrower.eligible': {
    firesWhen: 'compliance verification and signature both complete',
    data: z.strictObject({ borrower_id: id('bor') }),
    required: ['borrower_id'],
  },
  'facility.decisioned': {
    firesWhen: 'underwriting approves or declines',
    data: z.strictObject({
      facility_id: facilityId,
      borrower_id: id('bor'),
      decision: z.enum(['approved', 'declined']),
      limit: amount.describe('The limit requested; when approved, what can be drawn'),
      rate: decimal.describe('Interest a year: "0.1" is 10 %'),
      reasons: z
        .array(z.string())
        .describe(
          'Why it was declined, else empty: `borrower_not_eligible`, `deficit_owed`, `limit_out_of_range`, `residency_limit_exceeded`, `insufficient_collateral`, `control_not_confirmed`, `portfolio_stale`',
        ),
    }),
    required: ['facility_id', 'decision'],
  },
  'draw.completed': {
    firesWhen: 'transfer confirmed',
    data: z.strictObject({
      facility_id: facilityId,
      draw_id: id('drw'),
      amount: amount.describe('What was paid out'),
      reference: z.string().describe("The payment's external reference"),
      completed_at: timestamp,
    }),
    required: ['facility_id', 'draw_id', 'amount'],
  },
  'draw.failed': {
    firesWhen: 'structured failure of a draw',
    data: z.strictObject({
      facility_id: facilityId,
      draw_id: id('drw'),
      amount: amount.describe('The amount requested; it is no longer reserved'),
      code: z
        .string()
        .describe(
          '`floor_refused`, `margin`, `borrower_not_eligible`, `facility_on_hold`, `returned`, or that of the payments provider',
        ),
      retryable: z.boolean().describe('Whether the same draw may succeed when requested again'),
    }),
    required: ['facility_id', 'draw_id', 'code'],
  },
  'repayment.applied': {
    firesWhen: 'waterfall applied',
    data: z.strictObject({
      facility_id: facilityId,
      repayment_id: id('rep'),
      margin_warning_number: curedWarning,
      inferred: z
        .boolean()
        .optional()
        .describe('Present when the service inferred that the repayment is a cure'),
      recovery: z
        .boolean()
        .optional()
        .describe('Present when it was applied to a debt that was charged off'),
      delivered: amount.describe('What the execution report states'),
      confirmed: amount.describe('What has arrived, and was applied'),
      in_suspense: amount
        .optional()
        .describe('Arrived beyond that: far more than reported. The lender applies or returns it'),
      split_from: id('rep')
        .optional()
        .describe('The repayment of whose receipt this is a part, taken out of suspense'),
      final_at: timestamp.optional().describe('Until then the money can be taken back'),
      allocation: allocation.describe('How it was applied; `refund_due` will be refunded'),
      outstanding_usd: usd.describe('Debt afterwards'),
    }),
    required: ['facility_id', 'repayment_id'],
  },
  'repayment.failed': {
    firesWhen: 'repayment could not be applied',
    data: z.strictObject({
      facility_id: facilityId,
      repayment_id: id('rep'),
      margin_warning_number: curedWarning,
      code: z
        .enum(['expired', 'not_received', 'asset_mismatch', 'reported_failed'])
        .describe(
          'Not reported in time; nothing has arrived; another asset has, and will be refunded; reported as failed',
        ),
    }),
    required: ['facility_id', 'repayment_id', 'code'],
  },
  'repayment.reversed': {
    firesWhen: 'the transfer of a repayment was taken back, and the debt is as if it had not come',
    data: z.strictObject({
      facility_id: facilityId,
      repayment_id: id('rep'),
      amount: amount.describe('What it had paid'),
      code: z.string().describe('That of the payments provider'),
      facility_state: z.enum(['APPROVED', 'CLOSING', 'CLOSED']),
      charged_off: z
        .strictObject({ principal: usd, interest: usd, recovered: usd })
        .optional()
        .describe('Of a facility that is charged off, by this or before'),
      outstanding_usd: usd.describe('Of the facility, afterwards'),
    }),
    required: ['facility_id', 'repayment_id', 'amount'],
  },
  'draw.returned': {
    firesWhen: 'the money of a draw came back, and pays the debt from then on',
    data: z.strictObject({
      facility_id: facilityId,
      draw_id: id('drw'),
      amount: amount.describe('What came back, which may be less than the draw'),
      code: z.string().describe('That of the payments provider'),
      outstanding_usd: usd.describe('Of the facility, afterwards'),
    }),
    required: ['facility_id', 'draw_id', 'amount'],
  },
  'facility.floor_updated': {
    firesWhen: 'new required floor pushed to the custodian',
    data: z.strictObject({
      facility_id: facilityId,
      required_floor_usd: usd.describe('What the custodian holds the collateral to from now on'),
      previous_floor_usd: usd,
      reason: z.string().describe('`draw` or `update`'),
    }),
    required: ['facility_id', 'required_floor_usd'],
  },
  'margin_warning.raised': {
    firesWhen: 'a margin warning ladder step is raised',
    data: z.strictObject({
      facility_id: facilityId,
      number: warningNumber,
      tier: z.int().min(1).max(3).describe('The step of the ladder, 3 being the worst'),
      cure_amount: amount.describe('Paying this cures the warning'),
      deadline: timestamp.describe('Until when it must be cured, this instant included'),
      window_deadline: timestamp.describe(
        'The deadline of its tiers alone; holds where the custodian does not confirm a critical loan',
      ),
      ltv: decimal.describe('Loan-to-value at this step, at the highest value of the window'),
      latest_ltv: decimal.describe('At the latest prices'),
      required_floor_usd: usd.describe('The collateral must be worth this again'),
      cure_collateral_usd: usd.describe(
        'Adding this much collateral, after haircuts, cures it too',
      ),
      on_hold: z
        .literal(true)
        .optional()
        .describe('The facility is on hold: nothing escalates before facility.released'),
    }),
    required: ['facility_id', 'tier', 'cure_amount'],
  },
  'margin_warning.cured': {
    firesWhen: 'balance clears the floor',
    data: z.strictObject({
      facility_id: facilityId,
      number: warningNumber,
      cured_at: timestamp,
      cured_by: z
        .enum(['repayment', 'collateral', 'price', 'correction'])
        .describe(
          '`correction`: by what the custodian holds, it should never have been raised; or the lender corrected the debt, or a draw came back',
        ),
      ltv: decimal.describe('Loan-to-value after the cure, at the lowest value of the window'),
      latest_ltv: decimal.describe('At the latest prices'),
    }),
    required: ['facility_id', 'number'],
  },
  'margin_warning.escalated': {
    firesWhen: 'deadline passes first; margin call takes over',
    data: z.strictObject({
      facility_id: facilityId,
      number: warningNumber,
      margin_call_number: count.describe('The margin call that takes over'),
      reason: z
        .enum(['deadline', 'critical'])
        .describe('Not cured in time; above the critical ratio'),
    }),
    required: ['facility_id', 'number'],
  },
  'margin_call.started': {
    firesWhen: 'secured-party sale starts',
    data: z.strictObject({
      facility_id: facilityId,
      number: callNumber,
      margin_warning_number: count.describe('The margin warning that escalated'),
      target_ltv: decimal.describe('The loan-to-value that the sale aims at'),
      planned: z.array(position).describe('What is to be sold, planned again after each fill'),
    }),
    required: ['facility_id', 'number'],
  },
  'margin_call.completed': {
    firesWhen: 'secured-party sale completes',
    data: z.strictObject({
      facility_id: facilityId,
      number: callNumber,
      outcome: z
        .enum(['partial', 'full', 'not_needed', 'deficit'])
        .describe(
          'The floor is clear again; the debt is paid off; no sale was needed; all is sold and debt is left',
        ),
      sold: z.array(position.extend({ proceeds_usd: usd })).describe('What was sold, by asset'),
      costs_usd: usd.describe('Costs of the sale, taken from the proceeds'),
      allocation: allocation.describe('How the rest was applied'),
      surplus_usd: usd.describe('What is left over, for the borrower'),
      deficit_usd: usd.describe('What stays owed and is written off'),
    }),
    required: ['facility_id', 'number', 'outcome'],
  },
  'facility.closed': {
    firesWhen: 'lien released',
    data: z.strictObject({
      facility_id: facilityId,
      closed_at: timestamp,
      reason: z
        .enum(['repaid', 'charged_off', 'cancelled'])
        .describe('The debt is repaid; the debt left after a sale is written off; never approved'),
    }),
    required: ['facility_id'],
  },
  'facility.held': {
    firesWhen: 'the lender puts a facility on hold, the first of its holds',
    data: z.strictObject({ facility_id: facilityId, since: timestamp }),
    required: ['facility_id', 'since'],
  },
  'facility.released': {
    firesWhen: 'the last hold of a facility is lifted',
    data: z.strictObject({
      facility_id: facilityId,
      held_seconds: z.int().min(0),
      margin_warning: z
        .strictObject({
          number: warningNumber,
          deadline: timestamp.describe('It stood still; at least two hours are left'),
        })
        .optional()
        .describe('The open warning'),
    }),
    required: ['facility_id', 'held_seconds'],
  },
  'facility.terms_changed': {
    firesWhen: 'the lender amends the terms of a facility, or withdraws an amendment',
    data: z.strictObject({
      facility_id: facilityId,
      effective_at: timestamp.describe(
        'Stricter terms: at least 30 days later, and not while a margin warning or call is open',
      ),
      terms: z
        .strictObject({
          version: z.int().min(0),
          rate: decimal,
          floor_ltv: decimal,
          cure_ltv: decimal,
          tiers: z.array(
            z.strictObject({
              tier: z.int().min(1),
              above_ltv: decimal,
              cure_seconds: z.int().min(0),
            }),
          ),
          critical_ltv: decimal,
          target_ltv: decimal,
          haircuts: z.record(z.string(), decimal),
        })
        .describe("From then on, as the facility's `terms`; those that stay after a withdrawal"),
    }),
    required: ['facility_id', 'effective_at', 'terms'],
  },
  'facility.corrected': {
    firesWhen: 'the lender has corrected a facility: two of its people did',
    data: z.strictObject({
      facility_id: facilityId,
      correction_id: id('cor').describe('Of `undo`: that of the correction which is undone'),
      kind: z.enum([
        'waive_interest',
        'credit',
        'rate',
        'write_off',
        'forbearance',
        'undo',
        'close',
      ]),
      amount: amount.optional().describe('Taken off interest or principal'),
      rate: decimal.optional().describe('The annual rate'),
      from: timestamp.optional().describe('From when the rate holds'),
      until: timestamp.optional().describe('Until when margin deadlines stand still'),
      charged_off: z
        .strictObject({ principal: usd, interest: usd, recovered: usd })
        .optional()
        .describe('Of a facility that is charged off, by this or before'),
      outstanding_usd: usd.describe('Debt afterwards'),
    }),
    required: ['facility_id', 'correction_id', 'kind'],
  },
  'margin_notice.approaching': {
    firesWhen:
      'loan-to-value rises above an early line, 0.60 or 0.65, and no warning is raised yet',
    data: z.strictObject({
      facility_id: facilityId,
      line: decimal.describe('The highest line that was crossed'),
      ltv: decimal.describe('Loan-to-value, at the highest value of the window'),
      levels: z
        .array(level)
        .describe('Where a warning would be raised, as `GET …/margin-levels` shows it'),
    }),
    required: ['facility_id', 'line'],
  },
  'webhook.failing': {
    firesWhen:
      'a webhook has had 25, 50 or 75 failed attempts in a row, or an event about margin is dead-lettered at it',
    data: z.strictObject({
      webhook_id: id('whk'),
      url: z.string().max(2_048),
      consecutive_failed_attempts: z
        .int()
        .min(0)
        .max(100)
        .describe('At 100 the webhook is disabled'),
      reason: z
        .enum(['failures', 'dead_letter'])
        .describe('Attempts in a row; an event about margin that is no longer retried'),
      dead_letter: z
        .strictObject({ event_id: id('evt'), event_type: z.string() })
        .optional()
        .describe('Present with the reason `dead_letter`'),
    }),
    required: ['webhook_id', 'reason'],
  },
  'webhook.disabled': {
    firesWhen: 'a webhook is disabled after 100 failed attempts in a row',
    data: z.strictObject({
      webhook_id: id('whk'),
      url: z.string().max(2_048),
      disabled_at: timestamp,
    }),
    required: ['webhook_id'],
  },
  'api_key.expiring': {
    firesWhen: 'an API key expires within 14 days, and once more within 3',
    data: z.strictObject({
      key_id: id('key'),
      expires_at: timestamp.describe('From then on requests that it signs are refused'),
    }),
    required: ['key_id', 'expires_at'],
  },
} satisfies Record<string, EventDefinition>

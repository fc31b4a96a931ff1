import { z } from 'zod'

/** Opaque after its prefix: what is simulated may be of a resource that never was. */
const id = (prefix: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}_[0-9A-Za-z_-]{1,64}$`),
      `Invalid format. Expected an id: ${prefix}_ and up to 64 characters.`,
    )
    .meta({ title: `${prefix}_…` })
const decimal = z
  .string()
  .regex(
    /^(0|[1-9]\d{0,17})(\.\d{1,18})?$/,
    'Invalid format. Expected a decimal string without sign, exponent or leading zeros.',
  )
  .meta({ title: 'decimal' })
const usd = z
  .string()
  .regex(/^(0|[1-9]\d{0,17})\.\d{2}$/, 'Invalid format. Expected US dollars with two decimals.')
  .meta({ title: 'dollars' })
const timestamp = z.iso.datetime().meta({ title: 'timestamp' })
const count = z.int().min(1)
const amount = z
  .strictObject({ amount: decimal, asset: z.string().min(1).max(32) })
  .meta({ title: 'amount' })
const position = z.strictObject({ asset: z.string().min(1).max(32), quantity: decimal })
const allocation = z
  .strictObject({ interest: amount, principal: amount, refund_due: amount })
  .meta({ title: 'allocation' })

const facilityId = id('fac')
const callNumber = count.describe("Counts the facility's margin calls from 1")
const warningNumber = count.describe("Counts the facility's margin warnings from 1")
const curedWarning = count.optional().describe('The margin warning that the repayment is to cure')

type DataSchema = z.ZodObject<z.ZodRawShape, z.core.$strict>

/** The kinds of resources that events tell of. */
export type ResourceType =
  | 'borrower'
  | 'facility'
  | 'draw'
  | 'repayment'
  | 'margin_warning'
  | 'margin_call'

/** One kind of event: when it fires, the data it carries, and what a simulation must give of it. */
type EventDefinition = { firesWhen: string; data: DataSchema; required: readonly string[] }

/** The event catalogue (interface, Event types). A webhook without `event_types` gets them all. */
const EVENTS = {
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
      limit: amount.describe('What was applied for; what can be drawn, where approved'),
      rate: decimal.describe('Interest a year: "0.1" is 10 %'),
      reasons: z
        .array(z.string())
        .describe(
          'Why it was declined, else empty: `borrower_not_eligible`, `limit_out_of_range`, `residency_limit_exceeded`, `insufficient_collateral`, `control_not_confirmed`, `portfolio_stale`',
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
      amount: amount.describe('What was asked for; it is no longer reserved'),
      code: z
        .string()
        .describe(
          '`floor_refused`, `margin`, `borrower_not_eligible`, or that of the payments provider',
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
        .describe('There where the service took the repayment for a cure by itself'),
      delivered: amount.describe('What the execution report said'),
      confirmed: amount.describe('What has arrived; this is what was applied'),
      allocation: allocation.describe('How it was applied; `refund_due` is owed back'),
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
          'Not reported in time; nothing has arrived, or its transfer was confirmed for another repayment; another asset has, and is owed back; reported as failed',
        ),
    }),
    required: ['facility_id', 'repayment_id', 'code'],
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
      ltv: decimal.describe('Loan-to-value at this step'),
      required_floor_usd: usd.describe('The collateral must be worth this again'),
      cure_collateral_usd: usd.describe('So much more collateral cures it too, after haircuts'),
    }),
    required: ['facility_id', 'tier', 'cure_amount'],
  },
  'margin_warning.cured': {
    firesWhen: 'balance clears the floor',
    data: z.strictObject({
      facility_id: facilityId,
      number: warningNumber,
      cured_at: timestamp,
      cured_by: z.enum(['repayment', 'collateral', 'price']),
      ltv: decimal.describe('Loan-to-value after the cure'),
    }),
    required: ['facility_id', 'number'],
  },
  'margin_warning.escalated': {
    firesWhen: 'deadline passes first; margin call takes over',
    data: z.strictObject({
      facility_id: facilityId,
      number: warningNumber,
      margin_call_number: count.describe('The margin call that takes over'),
      reason: z.enum(['deadline', 'critical']).describe('Not cured in time; too bad to wait'),
    }),
    required: ['facility_id', 'number'],
  },
  'margin_call.started': {
    firesWhen: 'secured-party sale starts',
    data: z.strictObject({
      facility_id: facilityId,
      number: callNumber,
      margin_warning_number: count.describe('The margin warning that escalated'),
      target_ltv: decimal.describe('The loan-to-value that the sale is to bring about'),
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
          'The floor is clear again; the debt is paid off; nothing had to be sold; all is sold and debt is left',
        ),
      sold: z.array(position.extend({ proceeds_usd: usd })).describe('What was sold, by asset'),
      costs_usd: usd.describe('Costs of the sale, taken from the proceeds'),
      allocation: allocation.describe('How the rest was applied'),
      surplus_usd: usd.describe("What is over, the borrower's"),
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
        .describe('The debt is repaid; what a sale left of it is written off; never approved'),
    }),
    required: ['facility_id'],
  },
} satisfies Record<string, EventDefinition>

export type EventType = keyof typeof EVENTS

export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]]

/** The data that an event of this type carries. */
export type EventData<T extends EventType> = z.output<(typeof EVENTS)[T]['data']>

/** Whether a text names an event type. */
export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENTS, text)
}

/** When an event of this type fires, and the schema of the data it carries. */
export function eventDefinition(type: EventType): { firesWhen: string; data: DataSchema } {
  return EVENTS[type]
}

/** What an event of this type is about, as far as (simulated) data tell: a warning is `fac_…/2`. */
export function resourceOf(
  eventType: EventType,
  data: Record<string, unknown>,
): { type: ResourceType; id: string } {
  const { facility_id: facilityId, number = 1 } = data
  const type = eventType.slice(0, eventType.indexOf('.')) as ResourceType
  switch (type) {
    case 'margin_warning':
    case 'margin_call':
      return { type, id: `${facilityId}/${number}` }
    case 'borrower':
    case 'facility':
    case 'draw':
    case 'repayment':
      return { type, id: String(data[`${type}_id`]) }
    default: {
      const unreachable: never = type
      return unreachable
    }
  }
}

/**
 * The schema of simulated data (interface, Simulate): that of the event type, of which only the
 * required few must be there. Unknown members are refused.
 */
export function simulatedDataSchema(type: EventType): DataSchema {
  const { data, required }: EventDefinition = EVENTS[type]
  return data.partial().required(Object.fromEntries(required.map((name) => [name, true as const])))
}

import { type EventData, type EventType, resourceOf } from './event-types.ts'

const id = (prefix: string) => `${prefix}_01k9x4m2q8e0tb7f2v5j6h8n3c`
const facility_id = id('fac')
const dollars = (amount: string) => ({ amount, asset: 'USD' })

type Level = EventData<'margin_notice.approaching'>['levels'][number]

/** Of one bitcoin. */
function level(
  ...[line, ltv, value_usd, fall_percent, price_usd]: [
    Level['line'],
    string,
    string,
    string,
    string,
  ]
): Level {
  const prices = [{ asset: 'BTC', price_usd }]
  return { line, ltv, reached: false, value_usd, fall_percent, prices }
}

/** The loan, its warning and its call are those of docs/margin.md. */
const EXAMPLES: { readonly [Type in EventType]: EventData<Type> } = {
  'borrower.eligible': { borrower_id: id('bor') },
  'facility.decisioned': {
    facility_id,
    borrower_id: id('bor'),
    decision: 'approved',
    limit: dollars('50000.00'),
    rate: '0.1',
    reasons: [],
  },
  'draw.completed': {
    facility_id,
    draw_id: id('drw'),
    amount: dollars('50000.00'),
    reference: 'payout-58102',
    completed_at: '2026-11-20T12:00:04.812Z',
  },
  'draw.failed': {
    facility_id,
    draw_id: id('drw'),
    amount: dollars('50000.00'),
    code: 'floor_refused',
    retryable: true,
  },
  'repayment.applied': {
    facility_id,
    repayment_id: id('rep'),
    margin_warning_number: 1,
    delivered: dollars('9301.10'),
    confirmed: dollars('9301.10'),
    allocation: {
      interest: dollars('27.40'),
      principal: dollars('9273.70'),
      refund_due: dollars('0.00'),
    },
    outstanding_usd: '40726.30',
  },
  'repayment.failed': {
    facility_id,
    repayment_id: id('rep'),
    margin_warning_number: 1,
    code: 'not_received',
  },
  'facility.floor_updated': {
    facility_id,
    required_floor_usd: '71467.71',
    previous_floor_usd: '0.00',
    reason: 'draw',
  },
  'margin_warning.raised': {
    facility_id,
    number: 1,
    tier: 1,
    cure_amount: dollars('9301.10'),
    deadline: '2026-11-22T12:00:00.000Z',
    window_deadline: '2026-11-22T12:00:00.000Z',
    ltv: '0.736378',
    latest_ltv: '0.736378',
    required_floor_usd: '83333.34',
    cure_collateral_usd: '15501.84',
  },
  'margin_warning.cured': {
    facility_id,
    number: 1,
    cured_at: '2026-11-20T18:30:00.000Z',
    cured_by: 'repayment',
    ltv: '0.599799',
    latest_ltv: '0.599799',
  },
  'margin_warning.escalated': {
    facility_id,
    number: 1,
    margin_call_number: 1,
    reason: 'deadline',
  },
  'margin_call.started': {
    facility_id,
    number: 1,
    margin_warning_number: 1,
    target_ltv: '0.55',
    planned: [{ asset: 'BTC', quantity: '0.405772' }],
  },
  'margin_call.completed': {
    facility_id,
    number: 1,
    outcome: 'partial',
    sold: [{ asset: 'BTC', quantity: '0.405772', proceeds_usd: '28404.04' }],
    costs_usd: '568.09',
    allocation: {
      interest: dollars('27.40'),
      principal: dollars('27808.55'),
      refund_due: dollars('0.00'),
    },
    surplus_usd: '0.00',
    deficit_usd: '0.00',
  },
  'facility.closed': {
    facility_id,
    closed_at: '2026-11-20T12:00:00.000Z',
    reason: 'repaid',
  },
  'repayment.reversed': {
    facility_id,
    repayment_id: id('rep'),
    amount: dollars('9301.10'),
    code: 'account_holder_claim',
    facility_state: 'APPROVED',
    outstanding_usd: '50103.27',
  },
  'draw.returned': {
    facility_id,
    draw_id: id('drw'),
    amount: dollars('50000.00'),
    code: 'account_closed',
    outstanding_usd: '27.40',
  },
  'facility.corrected': {
    facility_id,
    correction_id: id('cor'),
    kind: 'waive_interest',
    amount: dollars('27.40'),
    outstanding_usd: '50000.00',
  },
  'facility.held': { facility_id, since: '2026-11-20T12:00:00.000Z' },
  'facility.released': {
    facility_id,
    held_seconds: 86_400,
    margin_warning: { number: 1, deadline: '2026-11-22T12:00:00.000Z' },
  },
  'facility.terms_changed': {
    facility_id,
    effective_at: '2026-12-20T12:00:00.000Z',
    terms: {
      ...{ version: 1, rate: '0.1', floor_ltv: '0.65', cure_ltv: '0.55' },
      tiers: [
        { tier: 1, above_ltv: '0.65', cure_seconds: 172_800 },
        { tier: 2, above_ltv: '0.7', cure_seconds: 43_200 },
        { tier: 3, above_ltv: '0.75', cure_seconds: 7_200 },
      ],
      ...{ critical_ltv: '0.8', target_ltv: '0.5' },
      haircuts: { BTC: '0.03', ETH: '0.08', USD: '0', USDC: '0.01' },
    },
  },
  'margin_notice.approaching': {
    facility_id,
    line: '0.65',
    ltv: '0.660852',
    levels: [
      level('tier_1', '0.7', '71428.57', '5.5927', '73637.7113402'),
      level('tier_2', '0.75', '66666.66', '11.8866', '68728.52577319'),
      level('tier_3', '0.8', '62499.99', '17.3937', '64432.98969072'),
      level('critical', '0.83', '60240.96', '20.3794', '62104.0927835'),
      level('sale', '0.83', '60240.96', '20.3794', '62104.0927835'),
    ],
  },
  'webhook.failing': {
    webhook_id: id('whk'),
    url: 'https://example.com/hooks/lending',
    consecutive_failed_attempts: 25,
    reason: 'failures',
  },
  'webhook.disabled': {
    webhook_id: id('whk'),
    url: 'https://example.com/hooks/lending',
    disabled_at: '2026-11-20T12:00:05.000Z',
  },
  'api_key.expiring': { key_id: id('key'), expires_at: '2026-12-04T12:00:00.000Z' },
}

/** Versions above 1, for events that need an earlier one. */
const LATER: { readonly [Type in EventType]?: number } = {
  'facility.floor_updated': 2,
  'margin_warning.cured': 2,
  'margin_warning.escalated': 2,
  'margin_call.completed': 2,
  'facility.closed': 4,
  'margin_notice.approaching': 3,
  'webhook.disabled': 4,
}

export function exampleEvent(type: EventType) {
  const data = EXAMPLES[type]
  return {
    id: id('evt'),
    type,
    occurred_at: '2026-11-20T12:00:05.000Z',
    resource_version: LATER[type] ?? 1,
    resource: resourceOf(type, data),
    sequence: 7,
    data,
  }
}

import { z } from 'zod'
import { issueOf, refusedAs } from '../../../core/field-errors.ts'
import { findDecimalFault, parseDecimal, QUOTED_ASSETS } from '../../../core/money.ts'
import { ONE_PPM } from '../../../core/ratio.ts'
import { applyTerms, changedTerms } from '../../../domain/margin/margin-terms.ts'
import { chooseTerms } from '../../../domain/margin/stress/book-terms.ts'
import {
  isPossibleMove,
  PERCENT_DIGITS,
  type PriceShock,
} from '../../../domain/margin/stress/scenario.ts'
import { compareBook } from '../../../domain/margin/stress/stress.ts'
import { stressToJson } from '../../../domain/margin/stress/stress-json.ts'
import { assetText, decimalText, priceInput, usdText } from '../../schemas/amounts.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { createSingleRun } from '../single-run.ts'

/** Signed, in parts per million of the price. */
const percentInput = z
  .string()
  .meta({ pattern: '^[+-]?(0|[1-9]\\d{0,3})(\\.\\d{1,4})?$', examples: ['-40'] })
  .transform((text, context) => {
    const [, sign, digits = ''] = /^([+-]?)(.*)$/.exec(text) ?? []
    const size = parseDecimal(digits, PERCENT_DIGITS)
    if (size === undefined) {
      context.issues.push(issueOf(findDecimalFault(digits, PERCENT_DIGITS), text))
      return z.NEVER
    }
    const movedPpm = sign === '-' ? -size : size
    if (isPossibleMove(movedPpm)) return movedPpm
    const expected = 'Expected a fall of less than 100, or a rise of at most 9900.'
    context.issues.push(issueOf({ code: 'out_of_range', expected }, text))
    return z.NEVER
  })

const shockInput = z
  .strictObject({
    asset: z.enum(QUOTED_ASSETS),
    change_percent: percentInput.optional().describe('Of the last accepted price'),
    price_usd: priceInput.optional().describe('A new price'),
  })
  .refine(
    ({ change_percent: change, price_usd: price }) =>
      (change === undefined) !== (price === undefined),
    refusedAs({ code: 'mismatch', expected: 'Expected either change_percent or price_usd.' }),
  )

export const stressInput = z
  .strictObject({
    prices: z
      .array(shockInput)
      .max(QUOTED_ASSETS.length)
      .default([])
      .refine(
        (shocks) => new Set(shocks.map(({ asset }) => asset)).size === shocks.length,
        refusedAs({ code: 'duplicate', expected: 'Expected each asset once.' }),
      )
      .describe('An asset that is not named keeps its last price'),
    policy_version: z
      .int()
      .min(0)
      .max(999_999_999)
      .optional()
      .describe('As if every loan were bound to this stored version'),
    policy: changedTerms
      .optional()
      .describe('Where they differ from those of policy_version, or from those in force'),
  })
  .meta({
    examples: [
      { prices: [{ asset: 'BTC', change_percent: '-40' }], policy: { haircuts: { BTC: '0.05' } } },
    ],
  })

export function readShocks(given: z.output<typeof stressInput>['prices']): PriceShock[] {
  return given.map(({ asset, change_percent: movedPpm, price_usd: price }) =>
    price === undefined ? { asset, leftPpm: ONE_PPM + (movedPpm ?? 0n) } : { asset, price },
  )
}

export const lossesObject = z.strictObject({
  gross_usd: usdText,
  costs_usd: usdText,
  deficits: z.int(),
  deficit_usd: usdText,
})

const sums = {
  facilities: z.int(),
  debt_usd: usdText,
  collateral_value_usd: usdText,
  warned_by_tier: z.strictObject({ 1: z.int(), 2: z.int(), 3: z.int() }),
  warned_alike_today: z.int().describe('Of the warned, those with a warning of this tier already'),
  held: z.int().describe('Past their deadline; a reported repayment holds the escalation'),
  escalated_as_critical: z.int(),
  escalated_by_deadline: z.int(),
  in_margin_call: z.int(),
  cured: z.int(),
  nothing_to_sell: z.strictObject({ facilities: z.int(), debt_usd: usdText }),
  not_evaluated: z.int().describe('With old or missing prices'),
  sold_at_once: lossesObject,
  if_uncured: lossesObject.describe('What the warned would add if every deadline passed'),
}

const sales = z.array(
  z.strictObject({
    asset: assetText,
    quantity: decimalText,
    gross_usd: usdText,
    costs_usd: usdText,
  }),
)

export const stressObject = z.strictObject({
  prices: z.string().describe('The prices that were used'),
  total: z.strictObject(sums),
  tenants: z.array(z.strictObject({ tenant_id: z.string(), ...sums })),
  main_collateral: z.array(z.strictObject({ asset: assetText.optional(), ...sums })),
  sold: sales,
  sold_if_uncured: sales,
})

const NO_LOSS = { gross_usd: '0.00', costs_usd: '0.00', deficits: 0, deficit_usd: '0.00' }

const TODAY_EXAMPLE: z.input<typeof stressObject> = {
  prices: 'BTC 100000, ETH 4000, USDC 1',
  total: {
    ...{ facilities: 5, debt_usd: '211000.00', collateral_value_usd: '401800.00' },
    warned_by_tier: { 1: 0, 2: 0, 3: 0 },
    ...{ warned_alike_today: 0, held: 0, escalated_as_critical: 0, escalated_by_deadline: 0 },
    ...{ in_margin_call: 0, cured: 0, not_evaluated: 0 },
    nothing_to_sell: { facilities: 0, debt_usd: '0.00' },
    ...{ sold_at_once: NO_LOSS, if_uncured: NO_LOSS },
  },
  ...{ tenants: [], main_collateral: [], sold: [], sold_if_uncured: [] },
}

const STRESSED_EXAMPLE: z.input<typeof stressObject> = {
  prices: 'BTC 60000 (-40 %), ETH 4000, USDC 1',
  total: {
    ...TODAY_EXAMPLE.total,
    collateral_value_usd: '242800.00',
    warned_by_tier: { 1: 1, 2: 0, 3: 1 },
    escalated_as_critical: 2,
    sold_at_once: {
      ...{ gross_usd: '100291.16', costs_usd: '2005.83', deficits: 1, deficit_usd: '11200.00' },
    },
  },
  ...{ tenants: [], main_collateral: [], sold_if_uncured: [] },
  sold: [{ asset: 'BTC', quantity: '1.6', gross_usd: '100291.16', costs_usd: '2005.83' }],
}

export const comparisonSchema = z
  .strictObject({ today: stressObject, stressed: stressObject })
  .meta({
    id: 'StressComparison',
    examples: [{ today: TODAY_EXAMPLE, stressed: STRESSED_EXAMPLE }],
  })

/** Each of the two passes over the book is cancelled after this. */
const PASS_SECONDS = 30

export function stressRoutes(app: OperatorApp, context: OperatorContext): void {
  const { config, db, prices, clock, clockFor, termsAt } = context
  const source = { prices, clockFor, isShared: config.stack === 'live' }
  const runAlone = createSingleRun(PASS_SECONDS)
  app.post('/margin/stress', {
    id: 'stressBook',
    summary: 'Compare the book of today with the book at other prices or margin terms',
    description:
      'Changes nothing. As `cli margin stress`. One runs at a time in each process, and it is cancelled when it takes too long.',
    tag: 'Margin',
    config: { idempotencyKey: 'ignored' },
    body: stressInput,
    response: { 200: comparisonSchema },
    errors: ['not_found', 'rate_limited'],
    async handler(request) {
      const shocks = readShocks(request.body.prices)
      const { policy, policy_version: version } = request.body
      const own = await termsAt(db, clock())
      const today = { own }
      const terms = chooseTerms(own, version, policy && ((base) => applyTerms(policy, base)))
      return await runAlone(async () => {
        const compared = await compareBook(db, source, { today, terms, shocks }, PASS_SECONDS)
        return {
          today: stressToJson(compared.today, []),
          stressed: stressToJson(compared.stressed, shocks),
        }
      })
    },
  })
}

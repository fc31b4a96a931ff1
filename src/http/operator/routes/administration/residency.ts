import { z } from 'zod'
import { formatDecimal, formatUsd } from '../../../../core/money.ts'
import {
  listResidencyRules,
  nameRule,
  type ResidencyRule,
} from '../../../../domain/onboarding/residency.ts'
import { SET_RESIDENCY, toStoredRule } from '../../../../domain/operators/acts/residency-acts.ts'
import { decimalInput, decimalText, usdText } from '../../../schemas/amounts.ts'
import { text } from '../../../schemas/fields.ts'
import type { OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'
import { outcomeSchema, performAct, reasonText } from '../../perform-act.ts'

const RATE_DIGITS = 6

const RULE_EXAMPLE = {
  id: 'US-CA/individual',
  country: 'US',
  state: 'CA',
  borrower_type: 'individual' as const,
  allowed: true,
  rate: '0.095',
  max_limit_usd: '250000.00',
}

const borrowerType = z.enum(['individual', 'business'])

const ruleSchema = z
  .strictObject({
    id: z.string().describe('The subject of its changes in the list of actions'),
    country: z.string(),
    state: z.string().nullable().describe('null: the whole country'),
    borrower_type: borrowerType,
    allowed: z.boolean(),
    rate: decimalText.nullable().describe("Annual; null: the service's default"),
    max_limit_usd: usdText.nullable().describe("null: the service's maximum"),
  })
  .meta({ id: 'ResidencyRule', examples: [RULE_EXAMPLE] })

const newRuleSchema = z
  .strictObject({
    country: text(2),
    state: text(3).optional(),
    borrower_type: borrowerType,
    allowed: z.boolean(),
    rate: decimalInput(RATE_DIGITS).optional(),
    max_limit_usd: decimalInput(2).optional(),
    reason: reasonText,
  })
  .meta({
    examples: [
      {
        ...{ country: 'US', state: 'CA', borrower_type: 'individual', allowed: true },
        ...{ rate: '0.095', max_limit_usd: '250000.00', reason: 'licence of 3 November' },
      },
    ],
  })

/** Who may borrow, by residence and type; the changes are in the list of actions. */
export function residencyRoutes(app: OperatorApp, context: OperatorContext): void {
  app.get('/residency', {
    id: 'listResidencyRules',
    summary: 'List the whole residency policy; default deny',
    description: 'The history of a rule: `GET /operator/v1/actions?subject_id=` and its id.',
    tag: 'Administration',
    response: {
      200: z
        .strictObject({ items: z.array(ruleSchema) })
        .meta({ id: 'ResidencyPolicy', examples: [{ items: [RULE_EXAMPLE] }] }),
    },
    handler: async () => ({ items: (await listResidencyRules(context.db)).map(toBody) }),
  })

  app.post('/residency', {
    id: 'setResidencyRule',
    summary: 'Set the rule of a place and borrower type; it replaces the one before',
    tag: 'Administration',
    body: newRuleSchema,
    response: { 200: outcomeSchema },
    errors: ['scope_missing'],
    async handler(request) {
      const { country, state, allowed, rate, max_limit_usd, reason } = request.body
      const { borrower_type } = request.body
      const asked = toStoredRule({
        ...{ country, state, borrowerType: borrower_type, allowed },
        ratePpm: rate === undefined ? undefined : Number(rate),
        maxLimitCents: max_limit_usd,
      })
      return await performAct(context, request, SET_RESIDENCY, { asked, reason })
    },
  })
}

function toBody(rule: ResidencyRule): z.input<typeof ruleSchema> {
  const { country, state, borrowerType: type, allowed, ratePpm, maxLimitCents } = rule
  return {
    ...{ id: nameRule(rule), country, state: state ?? null, borrower_type: type, allowed },
    rate: ratePpm === undefined ? null : formatDecimal(BigInt(ratePpm), RATE_DIGITS),
    max_limit_usd: maxLimitCents === undefined ? null : formatUsd(maxLimitCents),
  }
}

import { z } from 'zod'
import { formatDecimal, formatUsd } from '../../../../core/money.ts'
import {
  listResidencyRules,
  nameRule,
  type ResidencyRule,
} from '../../../../domain/onboarding/residency.ts'
import { SET_RESIDENCY, toStoredRule } from '../../../../domain/operators/acts/residency-acts.ts'
import { decimalInput, decimalText, usdText } from '../../../schemas/amounts.ts'
import { bodyOf } from '../../../schemas/body-of.ts'
import { listOf, text } from '../../../schemas/fields.ts'
import type { OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'
import { outcomeSchema, performAct, withReason } from '../../perform-act.ts'

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

const newRule = {
  country: text(2),
  state: text(3).optional(),
  borrower_type: borrowerType,
  allowed: z.boolean(),
  rate: decimalInput(RATE_DIGITS).optional(),
  max_limit_usd: decimalInput(2).optional(),
}

/** Who may borrow, by residence and type; the changes are in the list of actions. */
export function residencyRoutes(app: OperatorApp, context: OperatorContext): void {
  app.get('/residency', {
    id: 'listResidencyRules',
    summary: 'List the whole residency policy; default deny',
    description: 'The history of a rule: `GET /operator/v1/actions?subject_id=` and its id.',
    tag: 'Administration',
    response: { 200: listOf(ruleSchema, 'ResidencyPolicy', RULE_EXAMPLE) },
    handler: async () => ({ items: (await listResidencyRules(context.db)).map(toBody) }),
  })

  app.post('/residency', {
    id: 'setResidencyRule',
    summary: 'Set the rule of a place and borrower type; it replaces the one before',
    tag: 'Administration',
    body: withReason(newRule, {
      ...{ country: 'US', state: 'CA', borrower_type: 'individual', allowed: true },
      ...{ rate: '0.095', max_limit_usd: '250000.00', reason: 'licence of 3 November' },
    }),
    response: { 200: outcomeSchema },
    errors: ['scope_missing'],
    async handler(request) {
      const { borrower_type: borrowerType, rate, max_limit_usd, reason, ...rule } = request.body
      const ratePpm = rate === undefined ? undefined : Number(rate)
      const asked = toStoredRule({
        ...{ ...rule, state: rule.state, borrowerType, ratePpm, maxLimitCents: max_limit_usd },
      })
      return await performAct(context, request, SET_RESIDENCY, { asked, reason })
    },
  })
}

const toRuleBody = bodyOf(ruleSchema)

function toBody(rule: ResidencyRule) {
  const { ratePpm, maxLimitCents } = rule
  return toRuleBody({
    ...{ ...rule, id: nameRule(rule) },
    rate: ratePpm === undefined ? null : formatDecimal(BigInt(ratePpm), RATE_DIGITS),
    maxLimitUsd: maxLimitCents === undefined ? null : formatUsd(maxLimitCents),
  })
}

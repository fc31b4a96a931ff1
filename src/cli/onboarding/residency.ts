import { Refusal } from '../../core/errors.ts'
import { listResidencyRules, type ResidencyRule } from '../../domain/onboarding/residency.ts'
import {
  SEED_RESIDENCY,
  SET_RESIDENCY,
  toStoredRule,
} from '../../domain/operators/acts/residency-acts.ts'
import { act, type CliCommand, change, list } from '../command/commands.ts'
import { MAY_REASON } from '../command/members.ts'
import { readDecimal } from '../command/options.ts'
import { formatItems, toMembers } from '../command/output.ts'
import { flag, type Given, optional, required } from '../command/parameters.ts'

const NO_ADVICE =
  'The sample is for trials and is no legal advice: your counsel decides who may borrow.'

const COLUMNS = ['country', 'state', 'borrower_type', 'allowed', 'rate', 'max_limit_usd']

const RULE = {
  reason: MAY_REASON,
  country: required('--country <code>', 'ISO 3166-1 alpha-2, such as US'),
  state: optional('--state <code>', 'ISO 3166-2 without the country, such as CA; for the US alone'),
  borrowerType: required('--type <type>', 'of borrower', ['individual', 'business'] as const),
  allow: flag('--allow', 'lend to them'),
  deny: flag('--deny', 'do not', ['allow', 'rate', 'maxLimit']),
  ratePpm: optional(
    '--rate <decimal>',
    'annual interest rate, 0.10 for 10 %; the default rate if left out',
    readDecimal(6, '0.10'),
  ),
  maxLimitCents: optional(
    '--max-limit <usd>',
    "largest credit limit in USD; the service's own maximum if left out",
    readDecimal(2, '250000.00'),
  ),
}

export const RESIDENCY_COMMANDS: CliCommand[] = [
  list({
    name: 'residency list',
    about: 'List the whole policy.',
    examples: ['residency list'],
    list: async ({ db }) => await listResidencyRules(db),
    columns: COLUMNS,
    empty: 'There is no policy yet, so no borrower is accepted: residency set adds a rule.',
  }),
  change({
    name: 'residency set',
    about:
      'Set the rule of one place and borrower type; it replaces the whole rule before it. Without --state it covers the country; the rule of a state takes precedence.',
    examples: [
      'residency set --country US --state CA --type individual --allow --rate 0.095 --max-limit 250000.00',
      'residency set --country US --state HI --type individual --deny',
    ],
    takes: RULE,
    async change({ actOrPropose }, given) {
      const rule = toRule(given)
      const data = toMembers(rule)
      const shown = formatItems([data], COLUMNS)
      return await actOrPropose(SET_RESIDENCY, toStoredRule(rule), () => ({ data, shown }))
    },
  }),
  act(SEED_RESIDENCY, {
    name: 'residency seed-sample',
    about: `Write a sample policy. Rules that exist stay as they are. ${NO_ADVICE}`,
    examples: ['residency seed-sample'],
    done(written) {
      const items = written.map(toMembers)
      const done =
        items.length === 0
          ? 'Every rule of the sample exists already.'
          : formatItems(items, COLUMNS)
      return { data: { items, notice: NO_ADVICE }, shown: `${done}\n\n${NO_ADVICE}` }
    },
  }),
]

function toRule({ allow, deny, ratePpm, ...given }: Given<typeof RULE>): ResidencyRule {
  if (!allow && !deny) throw new Refusal('validation_failed', 'Add --allow or --deny.')
  const { country, state, borrowerType, maxLimitCents } = given
  return {
    ...{ country, state, borrowerType, maxLimitCents, allowed: allow === true },
    // Exact: parts per million of a rate that passes the domain's check are a small integer.
    ratePpm: ratePpm === undefined ? undefined : Number(ratePpm),
  }
}

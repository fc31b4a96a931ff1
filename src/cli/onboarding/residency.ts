import { type Command, Option } from 'commander'
import { Refusal } from '../../core/errors.ts'
import { formatDecimal, formatUsd } from '../../core/money.ts'
import { listResidencyRules, type ResidencyRule } from '../../domain/onboarding/residency.ts'
import {
  SEED_RESIDENCY,
  SET_RESIDENCY,
  toStoredRule,
} from '../../domain/operators/acts/residency-acts.ts'
import {
  type ChangeOptions,
  defineChange,
  offerReason,
  reportOutcome,
  runChange,
} from '../command/change.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { readDecimal } from '../command/options.ts'
import { reportList } from '../command/output.ts'

const NO_ADVICE =
  'The sample is for trials and is no legal advice: your counsel decides who may borrow.'

/** A rate is kept in parts per million, a limit in cents. */
const RATE_DIGITS = 6
const LIMIT_DIGITS = 2

type RuleOptions = ChangeOptions & {
  country: string
  state?: string
  type: ResidencyRule['borrowerType']
  allow?: true
  deny?: true
  rate?: bigint
  maxLimit?: bigint
}

export function addResidencyCommands(program: Command, io: CliIo): void {
  const group = program
    .command('residency')
    .description('Who may borrow, by residence and type; default deny.')
  addList(group, io)
  addSet(group, io)
  addSeedSample(group, io)
}

function addList(group: Command, io: CliIo): void {
  defineCommand(group, 'list', 'List the whole policy.', ['residency list']).action(
    async (options: CommonOptions) => {
      await runCommand(io, options, async ({ db }) => reportRules(await listResidencyRules(db)))
    },
  )
}

function addSet(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'set',
    'Set the rule of one place and borrower type; it replaces the whole rule before it. Without --state it covers the country; the rule of a state takes precedence.',
    [
      'residency set --country US --state CA --type individual --allow --rate 0.095 --max-limit 250000.00',
      'residency set --country US --state HI --type individual --deny',
    ],
  )
  offerReason(command)
    .requiredOption('--country <code>', 'ISO 3166-1 alpha-2, such as US')
    .option('--state <code>', 'ISO 3166-2 without the country, such as CA; for the US alone')
    .addOption(
      new Option('--type <type>', 'of borrower')
        .choices(['individual', 'business'])
        .makeOptionMandatory(),
    )
    .option('--allow', 'lend to them')
    .addOption(new Option('--deny', 'do not').conflicts(['allow', 'rate', 'maxLimit']))
    .option(
      '--rate <decimal>',
      'annual interest rate, 0.10 for 10 %; the default rate if left out',
      readDecimal(RATE_DIGITS, '0.10'),
    )
    .option(
      '--max-limit <usd>',
      "largest credit limit in USD; the service's own maximum if left out",
      readDecimal(LIMIT_DIGITS, '250000.00'),
    )
    .action(async (options: RuleOptions) => {
      const rule = toRule(options)
      await runChange(io, options, async ({ changeOrPropose }) => {
        const outcome = await changeOrPropose(SET_RESIDENCY, toStoredRule(rule), options.reason)
        const report = { data: toJson(rule), text: reportRules([rule]).text }
        return reportOutcome(outcome, () => report)
      })
    })
}

function addSeedSample(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'seed-sample',
    `Write a sample policy. Rules that exist stay as they are. ${NO_ADVICE}`,
    ['residency seed-sample'],
  )
  offerReason(command).action(async (options: ChangeOptions) => {
    await runChange(io, options, async ({ changeOrPropose }) => {
      const outcome = await changeOrPropose(SEED_RESIDENCY, {}, options.reason)
      return reportOutcome(outcome, reportSample)
    })
  })
}

function reportSample(written: readonly ResidencyRule[]) {
  const { text } = reportRules(written)
  const summary = written.length === 0 ? 'Every rule of the sample exists already.' : text
  return {
    data: { items: written.map(toJson), notice: NO_ADVICE },
    text: `${summary}\n\n${NO_ADVICE}`,
  }
}

function toRule(options: RuleOptions): ResidencyRule {
  if (!options.allow && !options.deny) {
    throw new Refusal('validation_failed', 'Add --allow or --deny.')
  }
  return {
    country: options.country,
    state: options.state,
    borrowerType: options.type,
    allowed: options.allow === true,
    // Exact: parts per million of a rate that passes the domain's check are a small integer.
    ratePpm: options.rate === undefined ? undefined : Number(options.rate),
    maxLimitCents: options.maxLimit,
  }
}

function reportRules(rules: readonly ResidencyRule[]) {
  return reportList(rules.map(toJson), {
    columns: ['country', 'state', 'type', 'allowed', 'rate', 'max limit usd'],
    rows: rules.map((rule) => {
      const { country, state = '', borrower_type, allowed, rate, max_limit_usd } = toJson(rule)
      const terms = allowed ? [rate ?? 'default', max_limit_usd ?? 'default'] : ['', '']
      return [country, state, borrower_type, allowed ? 'yes' : 'no', ...terms]
    }),
    empty: 'There is no policy yet, so no borrower is accepted: residency set adds a rule.',
  })
}

function toJson({ country, state, borrowerType, allowed, ratePpm, maxLimitCents }: ResidencyRule) {
  return {
    country,
    state,
    borrower_type: borrowerType,
    allowed,
    rate: ratePpm === undefined ? undefined : formatDecimal(BigInt(ratePpm), RATE_DIGITS),
    max_limit_usd: maxLimitCents === undefined ? undefined : formatUsd(maxLimitCents),
  }
}

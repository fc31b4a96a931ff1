import { type Command, InvalidArgumentError } from 'commander'
import type { Report } from '../../command-line/text.ts'
import { showTerms } from '../../domain/margin/margin-terms.ts'
import type { MarginPolicy } from '../../domain/margin/policy.ts'
import { proposeVersion } from '../../domain/margin/versions/propose-version.ts'
import { versionToJson } from '../../domain/margin/versions/version-json.ts'
import {
  countBound,
  getPolicyVersion,
  listPolicyVersions,
  readOwnPolicy,
  stateOf,
} from '../../domain/margin/versions/versions.ts'
import {
  SET_MARGIN_POLICY,
  WITHDRAW_MARGIN_POLICY,
} from '../../domain/operators/acts/margin-policy-acts.ts'
import {
  type ChangeOptions,
  defineChange,
  offerReason,
  reportOutcome,
  runChange,
} from '../command/change.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { readTimestamp } from '../command/options.ts'
import { formatFields, reportList, showTime } from '../command/output.ts'
import { addPolicyPreview, describeChange } from './preview-policy.ts'
import { readPolicyFile } from './read-text.ts'
import { marketSource, readTermsAt } from './stress.ts'

export function addPolicyCommands(group: Command, io: CliIo): void {
  const policy = group
    .command('policy')
    .description('Terms of the margin ladder, and their versions.')
  addList(policy, io)
  addShow(policy, io)
  addPolicyPreview(policy, io)
  addPropose(policy, io)
  addWithdraw(policy, io)
}

function addList(policy: Command, io: CliIo): void {
  defineCommand(policy, 'list', 'List the stored versions, oldest first.', [
    'margin policy list',
  ]).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const versions = await listPolicyVersions(db)
      const countsOf = await countBound(db)
      return reportList(
        versions.map((version) => ({
          ...versionToJson(version, versions, now),
          ...countsOf(version.number),
        })),
        {
          columns: [
            ...['version', 'state', 'effective from', 'bound', 'to come'],
            ...['proposed by', 'signed by', 'note'],
          ],
          rows: versions.map((version) => {
            const { bound, next } = countsOf(version.number)
            return [
              ...[String(version.number), stateOf(version, versions, now)],
              ...[showTime(version.effectiveFrom), String(bound), String(next)],
              ...[version.created.proposedBy, version.created.signedBy, version.created.note],
            ]
          }),
          empty: "No version is stored: the service's own terms are in force.",
        },
      )
    })
  })
}

function addShow(policy: Command, io: CliIo): void {
  defineCommand(
    policy,
    'show',
    "Show the terms of a version, in the form of a policy file. 0 is the service's own.",
    ['margin policy show 3', 'margin policy show 0 --json'],
  )
    .argument('<version>', 'its number', readNumber)
    .action(async (number: number, options: CommonOptions) => {
      await runCommand(io, options, async ({ db, now }) => {
        if (number === 0) return reportTerms({ version: 0 }, showTerms(await readOwnPolicy(db)))
        const versions = await listPolicyVersions(db)
        const version = await getPolicyVersion(db, number)
        const { terms, ...about } = versionToJson(version, versions, now)
        return reportTerms(about, terms)
      })
    })
}

function reportTerms(about: object, terms: object): Report {
  const fields = Object.entries(about).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.replaceAll('_', ' '), print(value)] as const],
  )
  return {
    data: { ...about, terms },
    text: `${formatFields(Object.fromEntries(fields))}\n\n${JSON.stringify(terms, undefined, 2)}`,
  }
}

const print = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))

type ProposeOptions = ChangeOptions & { from: Date }

function addPropose(policy: Command, io: CliIo): void {
  const command = defineChange(
    policy,
    'propose',
    'Propose a version of the margin terms, with what it would change in the book today. Another operator confirms it.',
    [
      'margin policy propose terms.json --from 2026-12-01T00:00:00Z --reason "volatility of ETH" --actor ada@lender.example',
    ],
  )
  offerReason(command)
    .argument('<file>', 'JSON of the terms that differ from those of the version before')
    .requiredOption(
      '--from <time>',
      'when it takes effect, UTC, 15 minutes ahead or more',
      readTimestamp,
    )
    .action(async (file: string, options: ProposeOptions) => {
      await runChange(io, options, async ({ db, now, changeOrPropose }) => {
        const book = { source: marketSource(io), now, termsAt: readTermsAt(io) }
        const read = (base: MarginPolicy) => readPolicyFile(file, base).policy
        const proposed = await proposeVersion(db, book, read, options.from)
        const outcome = await changeOrPropose(SET_MARGIN_POLICY, proposed.request, options.reason)
        const { data, text: report } = reportOutcome(outcome, ({ number }) => ({
          data: { version: number, effective_from: options.from },
          text: `Version ${number} is stored and takes effect at ${options.from.toISOString()}.`,
        }))
        return {
          data: { ...(data as object), preview: proposed.request.preview },
          text: `${formatFields(describeChange(proposed.change))}\n\n${report}`,
        }
      })
    })
}

function addWithdraw(policy: Command, io: CliIo): void {
  const command = defineChange(
    policy,
    'withdraw',
    'Withdraw a version that has not taken effect. Another operator confirms it.',
    ['margin policy withdraw 3 --reason "wrong haircut" --actor ada@lender.example'],
  )
  offerReason(command)
    .argument('<version>', 'its number', readNumber)
    .action(async (number: number, options: ChangeOptions) => {
      await runChange(io, options, async ({ changeOrPropose }) => {
        const outcome = await changeOrPropose(WITHDRAW_MARGIN_POLICY, { number }, options.reason)
        return reportOutcome(outcome, () => ({
          data: { version: number, state: 'withdrawn' },
          text: `Version ${number} is withdrawn.`,
        }))
      })
    })
}

function readNumber(text: string): number {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected the number of a version.')
}

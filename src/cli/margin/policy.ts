import { InvalidArgumentError } from 'commander'
import { formatUsd } from '../../core/money.ts'
import { formatLtv } from '../../core/ratio.ts'
import { showTerms } from '../../domain/margin/margin-terms.ts'
import type { MarginPolicy } from '../../domain/margin/policy.ts'
import { changeToJson } from '../../domain/margin/stress/change-json.ts'
import { previewTerms } from '../../domain/margin/stress/preview-terms.ts'
import type { ChangedFacility } from '../../domain/margin/stress/rows.ts'
import { describePrices } from '../../domain/margin/stress/stress-json.ts'
import { proposeVersion } from '../../domain/margin/versions/propose-version.ts'
import { versionToJson } from '../../domain/margin/versions/version-json.ts'
import {
  countBound,
  getPolicyVersion,
  listPolicyVersions,
  readOwnPolicy,
} from '../../domain/margin/versions/versions.ts'
import {
  SET_MARGIN_POLICY,
  WITHDRAW_MARGIN_POLICY,
} from '../../domain/operators/acts/margin-policy-acts.ts'
import { act, type CliCommand, change, list, read } from '../command/commands.ts'
import { MAY_REASON } from '../command/members.ts'
import { nameItems } from '../command/name-items.ts'
import { readTimestamp, readVersion } from '../command/options.ts'
import { formatAnswer, formatItems } from '../command/output.ts'
import { counting, optional, required } from '../command/parameters.ts'
import { readPolicyFile } from './read-text.ts'
import { chooseBook, POLICY_VERSION } from './stress.ts'

const MOST_PREVIEWED = 10_000

export const POLICY_COMMANDS: CliCommand[] = [
  list({
    name: 'margin policy list',
    about: 'List the stored versions, oldest first.',
    examples: ['margin policy list'],
    async list({ db, now }) {
      const versions = await listPolicyVersions(db)
      const countsOf = await countBound(db)
      return versions.map((version) => ({
        ...versionToJson(version, versions, now),
        ...countsOf(version.number),
      }))
    },
    columns: [
      ...['version', 'state', 'effective_from', 'bound', 'next', 'proposed_by', 'signed_by'],
      'note',
    ],
    empty: "No version is stored: the service's own terms are in force.",
  }),
  read({
    name: 'margin policy show',
    about: "Show the terms of a version, in the form of a policy file. 0 is the service's own.",
    examples: ['margin policy show 3', 'margin policy show 0 --json'],
    takes: { number: required('<version>', 'its number', readVersion) },
    async read({ db, now }, { number }) {
      const stored =
        number === 0
          ? { version: 0, terms: showTerms(await readOwnPolicy(db)) }
          : versionToJson(await getPolicyVersion(db, number), await listPolicyVersions(db), now)
      const { terms, ...about } = stored
      const shown = `${formatAnswer(about)}\n\n${JSON.stringify(terms, undefined, 2)}`
      return { data: { ...about, terms }, shown }
    },
  }),
  read({
    name: 'margin policy preview',
    about:
      'Show which facilities changed haircuts and lines would warn or sell today, at the last accepted prices. Reads one snapshot and changes nothing.',
    examples: [
      'margin policy preview terms.json',
      'margin policy preview terms.json --limit 10000 --json',
      'margin policy preview --policy-version 3',
    ],
    takes: {
      file: optional('[file]', 'JSON of the margin terms that differ from those in force'),
      version: POLICY_VERSION,
      limit: counting(
        '--limit <number>',
        'list so many facilities, the worst first',
        [1, MOST_PREVIEWED],
        50,
      ),
    },
    async read(session, { file, version, limit }) {
      if (file === undefined && version === undefined) {
        throw new InvalidArgumentError('Name a policy file, or give --policy-version.')
      }
      const { db } = session
      const { today, terms: proposed, source } = await chooseBook(session, { file, version })
      const preview = await previewTerms(db, source, { today, proposed }, { limit })
      const prices = describePrices(preview.markets)
      const total = changeToJson(preview.total)
      const tenants = [...preview.byTenant].map(([tenantId, sums]) => ({
        tenant_id: tenantId,
        ...changeToJson(sums),
      }))
      const facilities = preview.facilities.map(toItem)
      const parts = [
        formatAnswer({ prices, ...total }),
        tenants.length === 0 ? 'No facility is treated differently.' : formatItems(tenants),
        facilities.length === 0 ? '' : formatItems(await nameItems(db, facilities), COLUMNS),
      ]
      return {
        data: { prices, total, tenants, facilities },
        shown: parts.filter((part) => part !== '').join('\n\n'),
      }
    },
  }),
  change({
    name: 'margin policy propose',
    about:
      'Propose a version of the margin terms, with what it would change in the book today. Another operator confirms it.',
    examples: [
      'margin policy propose terms.json --from 2026-12-01T00:00:00Z --reason "volatility of ETH" --actor ada@lender.example',
    ],
    takes: {
      reason: MAY_REASON,
      file: required('<file>', 'JSON of the terms that differ from those of the version before'),
      from: required(
        '--from <time>',
        'when it takes effect, UTC, 15 minutes ahead or more',
        readTimestamp,
      ),
    },
    async change(session, { file, from }) {
      const { db, now, termsAt } = session
      const terms = (base: MarginPolicy) => readPolicyFile(file, base).policy
      const proposed = await proposeVersion(db, { source: session, now, termsAt }, terms, from)
      const { request } = proposed
      const answer = await session.actOrPropose(SET_MARGIN_POLICY, request, ({ number }) => ({
        data: { version: number, effective_from: from },
        shown: `Version ${number} is stored and takes effect at ${from.toISOString()}.`,
      }))
      return {
        data: { ...answer.data, preview: request.preview },
        shown: `${formatAnswer(changeToJson(proposed.change))}\n\n${answer.shown}`,
      }
    },
  }),
  act(WITHDRAW_MARGIN_POLICY, {
    name: 'margin policy withdraw',
    about: 'Withdraw a version that has not taken effect. Another operator confirms it.',
    examples: ['margin policy withdraw 3 --reason "wrong haircut" --actor ada@lender.example'],
    done: (_, { number }) => ({
      data: { version: number, state: 'withdrawn' },
      shown: `Version ${number} is withdrawn.`,
    }),
  }),
]

const COLUMNS = [
  ...['tenant_id', 'facility_id', 'external_id', 'today', 'proposed', 'ltv', 'debt_usd'],
  'collateral_value_usd',
]

function toItem({ debt, value, ...one }: ChangedFacility) {
  return {
    tenant_id: one.tenantId,
    facility_id: one.facilityId,
    today: { outcome: one.before, ...(one.beforeTier !== null && { tier: one.beforeTier }) },
    proposed: { outcome: one.outcome, ...(one.tier !== null && { tier: one.tier }) },
    ltv: formatLtv(BigInt(debt), BigInt(value)),
    debt_usd: formatUsd(BigInt(debt)),
    collateral_value_usd: formatUsd(BigInt(value)),
  }
}

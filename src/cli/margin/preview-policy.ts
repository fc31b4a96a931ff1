import { type Command, InvalidArgumentError } from 'commander'
import type { Report } from '../../command-line/text.ts'
import { formatUsd } from '../../core/money.ts'
import { formatLtv } from '../../core/ratio.ts'
import type { Db } from '../../db/database.ts'
import { changeToJson } from '../../domain/margin/stress/change-json.ts'
import {
  type ChangeSums,
  previewTerms,
  type TermsPreview,
} from '../../domain/margin/stress/preview-terms.ts'
import type { ChangedFacility } from '../../domain/margin/stress/rows.ts'
import { describePrices } from '../../domain/margin/stress/stress-json.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, printReport } from '../command/define-command.ts'
import { addNames, readNames } from '../command/named.ts'
import { readWholeNumber } from '../command/options.ts'
import { formatFields, formatRows } from '../command/output.ts'
import { withSession } from '../command/session.ts'
import { policyVersion, readBook } from './stress.ts'
import { countWarned } from './stress-report.ts'

const MOST_LISTED = 10_000

type PreviewOptions = CommonOptions & { limit: number; policyVersion?: number }

export function addPolicyPreview(policy: Command, io: CliIo): void {
  defineCommand(
    policy,
    'preview',
    'Show which facilities changed haircuts and lines would warn or sell today, at the last accepted prices. Reads one snapshot and changes nothing.',
    [
      'margin policy preview terms.json',
      'margin policy preview terms.json --limit 10000 --json',
      'margin policy preview --policy-version 3',
    ],
  )
    .argument('[file]', 'JSON of the margin terms that differ from those in force')
    .addOption(policyVersion())
    .option(
      '--limit <number>',
      'list so many facilities, the worst first',
      readWholeNumber(1, MOST_LISTED),
      50,
    )
    .action(async (file: string | undefined, options: PreviewOptions) => {
      const { policyVersion: version } = options
      if (file === undefined && version === undefined) {
        throw new InvalidArgumentError('Name a policy file, or give --policy-version.')
      }
      const preview = await withSession(io, async ({ db }) => {
        const { today, terms: proposed, source } = await readBook(io, db, file, version)
        return await reportPreview(
          db,
          await previewTerms(db, source, { today, proposed }, { limit: options.limit }),
        )
      })
      printReport(io, options, preview)
    })
}

async function reportPreview(db: Db, preview: TermsPreview): Promise<Report> {
  const { total, byTenant, facilities, markets } = preview
  const prices = describePrices(markets)
  const listed = {
    columns: ['tenant', 'facility', 'today', 'then', 'ltv', 'debt usd', 'value usd'],
    rows: facilities.map((one) => [
      ...[one.tenantId, one.facilityId, stateBefore(one), stateAfter(one)],
      ...[ltvOf(one), formatUsd(BigInt(one.debt)), formatUsd(BigInt(one.value))],
    ]),
  }
  const keys = facilities.map((one) => ({ tenant_id: one.tenantId, facility_id: one.facilityId }))
  const named = addNames(listed, await readNames(db, keys))
  const parts = [
    formatFields({ Prices: prices, ...describeChange(total) }),
    byTenant.size === 0
      ? 'No facility is treated differently.'
      : formatRows(
          ['tenant', 'tier 1', 'tier 2', 'tier 3', 'worsened', 'sold', 'relieved'],
          [...byTenant].map(([tenant, sums]) => [tenant, ...countsOf(sums).map(String)]),
        ),
    facilities.length === 0 ? '' : formatRows(named.columns, named.rows),
  ]
  return { data: toJson(preview, prices), text: parts.filter((part) => part !== '').join('\n\n') }
}

export function describeChange(sums: ChangeSums): Record<string, string> {
  const { warned } = sums
  return {
    'Would be warned': `${countWarned(sums)}: tier 1: ${warned[1]}, tier 2: ${warned[2]}, tier 3: ${warned[3]}; debt ${formatUsd(sums.warnedDebtCents)} USD`,
    'Warning would rise': String(sums.worsened),
    'Would be sold': `${sums.escalated}, debt ${formatUsd(sums.escalatedDebtCents)} USD`,
    Relieved: String(sums.relieved),
  }
}

function countsOf({ warned, worsened, escalated, relieved }: ChangeSums): number[] {
  return [warned[1], warned[2], warned[3], worsened, escalated, relieved]
}

const stateBefore = ({ before, beforeTier }: ChangedFacility) =>
  beforeTier === null ? before : `${before}, tier ${beforeTier}`

const stateAfter = ({ outcome, tier }: ChangedFacility) =>
  tier === null ? outcome : `${outcome}, tier ${tier}`

const ltvOf = ({ debt, value }: ChangedFacility) => formatLtv(BigInt(debt), BigInt(value))

function toJson({ total, byTenant, facilities }: TermsPreview, prices: string) {
  return {
    prices,
    total: changeToJson(total),
    tenants: [...byTenant].map(([tenantId, sums]) => ({
      tenant_id: tenantId,
      ...changeToJson(sums),
    })),
    facilities: facilities.map((one) => ({
      tenant_id: one.tenantId,
      facility_id: one.facilityId,
      today: { outcome: one.before, tier: one.beforeTier ?? undefined },
      proposed: { outcome: one.outcome, tier: one.tier ?? undefined },
      ltv: ltvOf(one),
      debt_usd: formatUsd(BigInt(one.debt)),
      collateral_value_usd: formatUsd(BigInt(one.value)),
    })),
  }
}

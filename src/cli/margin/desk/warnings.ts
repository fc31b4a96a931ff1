import { type Command, InvalidArgumentError } from 'commander'
import { formatQuantity, formatUsd } from '../../../core/money.ts'
import { SECOND_MS } from '../../../core/time.ts'
import { deskWarningToJson } from '../../../domain/margin/desk/desk-json.ts'
import {
  type DeskWarning,
  getDeskWarning,
  readOpenWarnings,
} from '../../../domain/margin/desk/open-warnings.ts'
import type { Tier } from '../../../domain/margin/policy.ts'
import type { CliIo } from '../../command/cli-io.ts'
import {
  type CommonOptions,
  defineCommand,
  printReport,
  type TenantOptions,
} from '../../command/define-command.ts'
import { reportNamed } from '../../command/named.ts'
import {
  readId,
  readOrdinal,
  readTimestamp,
  readWholeNumber,
  requireTenant,
} from '../../command/options.ts'
import { formatFields, formatRows, showTime } from '../../command/output.ts'
import { MOST_LISTED, readDesk } from './read-desk.ts'
import { showPositions } from './show-positions.ts'

type ListOptions = CommonOptions & { tenant?: string; tier?: Tier; dueBefore?: Date; limit: number }

export function addDeskWarnings(group: Command, io: CliIo): void {
  addList(group, io)
  addOne(group, io)
}

function addList(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'warnings',
    'List the open warnings of all tenants, the earliest deadline first: what cures each, what is reported and not confirmed, what the custodian last answered.',
    ['margin warnings', 'margin warnings --tier 3 --due-before 2026-11-23T18:00:00Z --json'],
  )
    .option('--tenant <id>', 'of one tenant, ten_…', readId('ten'))
    .option('--tier <number>', 'of one tier: 1, 2 or 3', readTier)
    .option('--due-before <timestamp>', 'with a deadline before it', readTimestamp)
    .option('--limit <number>', 'at most so many', readWholeNumber(1, MOST_LISTED), 100)
    .action(async (options: ListOptions) => {
      const { tenant: tenantId, tier, dueBefore, limit } = options
      const report = await readDesk(io, async (reading) => {
        const warnings = await readOpenWarnings(reading, { tenantId, tier, dueBefore }, limit)
        return await reportNamed(reading.db, warnings.map(deskWarningToJson), {
          columns: ['tenant', 'facility', 'number', 'tier', 'deadline', 'left', 'cure usd', 'ltv'],
          rows: warnings.map((one) => [
            ...[one.tenantId, one.facilityId, String(one.number), String(one.tier)],
            ...[showTime(one.cureDeadline), showLeft(one), formatUsd(one.cureAmountCents)],
            one.latestLtv ?? '-',
          ]),
          empty: 'No warning is open.',
        })
      })
      printReport(io, options, report)
    })
}

function addOne(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'warning',
    'Show a warning: until when, what cures it, what is reported and not confirmed, what the custodian last answered.',
    ['margin warning fac_… 1 --tenant ten_…'],
  )
    .argument('<facility>', 'the facility, fac_…', readId('fac'))
    .argument('<number>', 'the number of the warning', readOrdinal)
  requireTenant(command).action(
    async (facilityId: string, number: number, options: TenantOptions) => {
      const warning = await readDesk(io, (reading) =>
        getDeskWarning(reading, options.tenant, facilityId, number),
      )
      const text = [formatFields(toFields(warning)), formatReported(warning)]
      printReport(io, options, {
        data: deskWarningToJson(warning),
        text: text.filter((part) => part !== '').join('\n\n'),
      })
    },
  )
}

function toFields(warning: DeskWarning): Record<string, string> {
  const { claimed, custodian } = warning
  return {
    Warning: `${warning.number} of ${warning.facilityId}, ${warning.status.toLowerCase()}, tier ${warning.tier}`,
    Deadline: `${showTime(warning.cureDeadline)}, ${showLeft(warning)}`,
    Raised: `${showTime(warning.raisedAt)}, LTV ${warning.ltvAtRaise}`,
    Now: `LTV ${warning.latestLtv ?? '-'}, debt ${formatUsd(warning.debtCents)} USD, collateral ${formatUsd(warning.valueCents)} USD`,
    Cure: [
      `${formatUsd(warning.cureAmountCents)} USD`,
      ...warning.cureAdditions.map(
        ({ marketCents, ...added }) =>
          `adding ${formatQuantity(added)} ${added.asset} worth ${formatUsd(marketCents)} USD`,
      ),
    ].join(', or '),
    Pushed: claimed
      ? `${showPositions(claimed.positions)}, ${showTime(claimed.pushedAt)}, not confirmed`
      : '-',
    Custodian: custodian
      ? `${showPositions(custodian.positions)}, ${showTime(custodian.readAt)}`
      : '-',
  }
}

function formatReported({ reported }: DeskWarning): string {
  if (reported.length === 0) return ''
  return formatRows(
    ['reported', 'credit usd', 'at', 'holds until'],
    reported.map(({ repaymentId, cents, reportedAt, holdsUntil }) => [
      ...[repaymentId, formatUsd(cents), showTime(reportedAt), showTime(holdsUntil)],
    ]),
  )
}

/** As `47 h 59 min`; `passed` after the deadline. */
function showLeft({ cureDeadline, asOf }: DeskWarning): string {
  const minutes = Math.floor((cureDeadline.getTime() - asOf.getTime()) / (60 * SECOND_MS))
  return minutes < 0 ? 'passed' : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function readTier(text: string): Tier {
  if (text === '1' || text === '2' || text === '3') return Number(text) as Tier
  throw new InvalidArgumentError('Expected 1, 2 or 3.')
}

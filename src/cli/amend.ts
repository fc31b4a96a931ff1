import type { Command } from 'commander'
import { Refusal } from '../core/errors.ts'
import { formatDecimal } from '../core/money.ts'
import { compareFacilities } from '../domain/margin/amendments/amend.ts'
import { type PendingAmendment, pagePending } from '../domain/margin/amendments/pending.ts'
import {
  AMEND_FACILITIES,
  toStoredAmendment,
  WITHDRAW_AMENDMENT,
} from '../domain/operators/acts/amendment-acts.ts'
import { type ChangeOptions, defineChange, reportOutcome, runChange } from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './command/define-command.ts'
import { reportNamed } from './command/named.ts'
import {
  FIRST_PAGE,
  readDecimal,
  readId,
  readTimestamp,
  readWholeNumber,
  requireTenant,
} from './command/options.ts'
import { showTime } from './command/output.ts'
import { assertTenant } from './command/session.ts'

type AmendOptions = ChangeOptions & {
  tenant?: string
  all?: boolean
  toVersion?: number
  rate?: bigint
  from?: Date
  reason: string
}

const LARGEST_VERSION = 999_999_999

export function addAmendments(group: Command, io: CliIo): void {
  defineCommand(group, 'amendments', 'List the amendments that wait, of all tenants, next first.', [
    'facilities amendments',
    'facilities amendments --json',
  ]).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db }) => {
      const items = (await pagePending(db, FIRST_PAGE)).items.map(toItem)
      return await reportNamed(db, items, {
        columns: ['facility', 'tenant', 'effective', 'version', 'rate', 'asked by', 'notice'],
        rows: items.map((item) => [
          ...[item.facility_id, item.tenant_id, showTime(item.effective_at)],
          ...[`${item.bound_version} → ${item.version}`, item.rate],
          ...[item.asked_by ?? '-', item.event_id ?? '-'],
        ]),
        empty: 'No amendment waits.',
      })
    })
  })
}

function toItem(pending: PendingAmendment) {
  return {
    ...{ facility_id: pending.facilityId, tenant_id: pending.tenantId },
    effective_at: pending.effectiveAt,
    ...{ version: pending.version, rate: formatDecimal(pending.ratePpm, 6) },
    bound_version: pending.boundVersion,
    ...{ asked_by: pending.askedBy ?? null, event_id: pending.eventId ?? null },
  }
}

export function addAmend(group: Command, io: CliIo): void {
  defineChange(
    group,
    'amend',
    'Bind facilities that lend to a version of the margin policy, or to a rate, by two operators. What is stricter takes effect 30 days later or after, the rest immediately.',
    [
      'facilities amend fac_… --tenant ten_… --to-version 3 --reason "agreed on 3 November"',
      'facilities amend fac_… --tenant ten_… --rate 0.085 --reason "agreed on 3 November"',
      'facilities amend --all --to-version 3 --from 2027-01-01T00:00:00Z --reason "volatility of ETH"',
    ],
  )
    .argument('[facility_ids...]', 'the facilities, fac_…, of one tenant')
    .option('--all', 'all that are bound to an older version; of one tenant with --tenant')
    .option('--tenant <id>', 'the tenant, ten_…', readId('ten'))
    .option('--to-version <number>', 'of the margin policy', readWholeNumber(0, LARGEST_VERSION))
    .option('--rate <decimal>', 'annual interest rate, 0.10 for 10 %', readDecimal(6, '0.10'))
    .option('--from <time>', 'not before then, UTC, of the tenant', readTimestamp)
    .requiredOption('--reason <text>', 'why, for the record')
    .action(async (ids: string[], options: AmendOptions) => {
      await runChange(io, options, async (session) => {
        const { db, now, changeOrPropose } = session
        if (options.tenant) await assertTenant(session, options.tenant)
        const { toVersion: version, rate: ratePpm, from } = options
        const amendment = { version, ratePpm, from }
        const chosen = chooseFacilities(ids, options)
        const { compared, left } = await compareFacilities(db, amendment, chosen, now)
        const stored = toStoredAmendment(amendment, compared)
        const outcome = await changeOrPropose(AMEND_FACILITIES, stored, options.reason)
        const stricter = compared.filter(({ isStricter }) => isStricter).length
        const { data, text } = reportOutcome(outcome, ({ bound, noticed, leftOut }) => ({
          data: { bound, noticed, left_out: leftOut },
          text: `${bound.length} bound, ${noticed.length} given notice, ${leftOut.length} left out.`,
        }))
        const counts = { with_notice: stricter, without_notice: compared.length - stricter, left }
        return {
          data: { ...(data as object), ...counts },
          text: `${describeCounts(counts)}\n\n${text}`,
        }
      })
    })
}

function describeCounts(counts: { with_notice: number; without_notice: number; left: number }) {
  const { with_notice: stricter, without_notice: others, left } = counts
  const more = left > 0 ? ` ${left} more are older: amend those afterwards.` : ''
  return `Stricter, with 30 days of notice: ${stricter}. Nowhere stricter, immediately: ${others}.${more}`
}

function chooseFacilities(ids: readonly string[], { all, tenant }: AmendOptions) {
  if (all && ids.length === 0) return { tenantId: tenant }
  if (all || ids.length === 0) throw refuse('Name the facilities, or give --all.')
  if (!tenant) throw refuse('Give the tenant of the facilities: --tenant ten_….')
  return { facilities: ids.map((facilityId) => ({ tenantId: tenant, facilityId })) }
}

const refuse = (detail: string) => new Refusal('validation_failed', detail)

export function addWithdrawAmendment(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'withdraw-amendment',
    'Withdraw an amendment that waits, by two operators. The terms in force stay.',
    ['facilities withdraw-amendment fac_… --tenant ten_… --reason "agreed otherwise"'],
  )
    .argument('<facility_id>', 'the facility, fac_…', readId('fac'))
    .requiredOption('--reason <text>', 'why, for the record')
  requireTenant(command).action(
    async (facilityId: string, options: ChangeOptions & { tenant: string }) => {
      await runChange(io, options, async (session) => {
        const { tenant, reason } = options
        await assertTenant(session, tenant)
        const request = { tenantId: tenant, facilityId }
        const outcome = await session.changeOrPropose(WITHDRAW_AMENDMENT, request, reason)
        return reportOutcome(outcome, () => ({
          data: { facility_id: facilityId, next_terms: null },
          text: `The amendment of ${facilityId} is withdrawn.`,
        }))
      })
    },
  )
}

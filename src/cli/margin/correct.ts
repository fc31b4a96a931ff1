import { type Command, InvalidArgumentError, Option } from 'commander'
import { Refusal } from '../../core/errors.ts'
import { formatDecimal, formatUsd, parseDecimal } from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { parseTimestamp } from '../../core/time.ts'
import { inTransaction, openForChanges } from '../../db/database.ts'
import {
  type BookedCorrection,
  CORRECTION_KINDS,
  type Correction,
  getCorrections,
} from '../../domain/facilities/corrections/corrections.ts'
import { requestWriteOffReading } from '../../domain/facilities/corrections/write-off-reading.ts'
import { getFacility } from '../../domain/facilities/facilities.ts'
import type { CorrectionPreview } from '../../domain/margin/preview-correction.ts'
import {
  CORRECT_FACILITY,
  type StoredCorrection,
  storeCorrection,
  toCorrection,
  tryCorrection,
} from '../../domain/operators/acts/correction-acts.ts'
import {
  type ChangeOptions,
  type ChangeSession,
  defineChange,
  reportOutcome,
  runChange,
} from '../command/change.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { readId, requireTenant } from '../command/options.ts'
import { reportList, showTime } from '../command/output.ts'
import { assertTenant } from '../command/session.ts'

type CorrectOptions = ChangeOptions & {
  tenant: string
  reason: string
  kind: Correction['kind']
  amount?: string
  rate?: number
  from?: string
  until?: string
  correction?: string
  preview?: true
}

export function addCorrectionCommands(group: Command, io: CliIo): void {
  addCorrections(group, io)
  addCorrect(group, io)
}

function addCorrections(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'corrections',
    'List the corrections of a facility, the oldest first.',
    ['facilities corrections fac_… --tenant ten_…'],
  ).argument('<facility_id>', 'the facility, fac_…', readId('fac'))
  requireTenant(command).action(
    async (facilityId: string, options: CommonOptions & { tenant: string }) => {
      await runCommand(io, options, async (session) => {
        await assertTenant(session, options.tenant)
        const items = (await getCorrections(session.db, options.tenant, facilityId)).map(toItem)
        return reportList(items, {
          columns: ['correction', 'kind', 'amount', 'rate', 'from', 'until', 'at', 'undone'],
          rows: items.map((item) => [
            ...[item.correction, item.kind, item.amount_usd ?? '', item.rate ?? ''],
            ...[item.from, item.until, item.at, item.undone_at].map((at) =>
              at ? showTime(at) : '',
            ),
          ]),
          empty: 'The facility was not corrected.',
        })
      })
    },
  )
}

function toItem({ id, kind, cents, ratePpm, from, until, at, undoneAt }: BookedCorrection) {
  return {
    ...{ correction: id, kind, amount_usd: cents === undefined ? null : formatUsd(cents) },
    rate: ratePpm === undefined ? null : formatDecimal(ratePpm, 6),
    ...{ from: from ?? null, until: until ?? null, at, undone_at: undoneAt ?? null },
  }
}

function addCorrect(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'correct',
    'Correct a facility, by two operators: waive interest, credit principal, lower the rate from a day on, write the debt off, grant a forbearance, undo one of these, or close it. Nothing else changes a booked cent.',
    [
      'facilities correct fac_… --tenant ten_… --kind waive_interest --amount 27.40 --reason "the bank was a day late"',
      'facilities correct fac_… --tenant ten_… --kind rate --rate 0.08 --from 2026-11-01T00:00:00Z --reason "agreed in October"',
      'facilities correct fac_… --tenant ten_… --kind undo --correction cor_… --reason "of another loan" --preview',
    ],
  )
    .argument('<facility_id>', 'the facility, fac_…', readId('fac'))
    .addOption(
      new Option('--kind <kind>', 'what is corrected')
        .choices(CORRECTION_KINDS)
        .makeOptionMandatory(),
    )
    .option('--amount <usd>', 'of waive_interest and credit, such as 27.40', readCents)
    .option('--rate <decimal>', 'of rate: annual, 0.08 for 8 %', readRate)
    .option('--from <time>', 'of rate: from when it holds, in UTC', readTime)
    .option('--until <time>', 'of forbearance: its end, in UTC', readTime)
    .option('--correction <id>', 'of undo: the correction, cor_…', readId('cor'))
    .option('--preview', 'show what it would change, and change nothing')
    .requiredOption('--reason <text>', 'why, for the record')
  requireTenant(command).action(async (facilityId: string, options: CorrectOptions) => {
    await runChange(io, options, async (session) => {
      const { tenant: tenantId, kind, reason } = options
      await assertTenant(session, tenantId)
      const correction = readOptions(options)
      if (options.preview) return await reportPreview(session, { tenantId, facilityId }, correction)
      if (kind === 'write_off') await askCustodian(session, { tenantId, facilityId })
      const request = { tenantId, facilityId, correction }
      const outcome = await session.changeOrPropose(CORRECT_FACILITY, request, reason)
      return reportOutcome(outcome, ({ correctionId }) => ({
        data: { facility_id: facilityId, correction: correctionId, kind, reason },
        text: `Facility ${facilityId} is corrected by ${correctionId}.`,
      }))
    })
  })
}

type OfFacility = { tenantId: string; facilityId: string }

async function reportPreview(session: ChangeSession, of: OfFacility, correction: StoredCorrection) {
  const preview = await session.change(async (_tx, desk) => {
    const tried = await tryCorrection(desk, { ...of, correction: toCorrection(correction) })
    return { result: tried, act: undefined }
  })
  return { data: preview, text: describePreview(preview) }
}

function describePreview({ debt, statement_lines: lines, entries }: CorrectionPreview): string {
  const { before, after } = debt
  return [
    `Principal ${before.principal_usd} becomes ${after.principal_usd}, interest ${before.interest_usd} becomes ${after.interest_usd}.`,
    `Rate ${before.rate} becomes ${after.rate}, state ${before.state} becomes ${after.state}.`,
    `${lines.before.length} lines of the statement change to ${lines.after.length}, and ${entries.after - entries.before} entries are booked; --json shows them.`,
  ].join('\n')
}

/** Before the act, which must not wait for the answer. */
async function askCustodian(
  { db, now }: ChangeSession,
  { tenantId, facilityId }: OfFacility,
): Promise<void> {
  await inTransaction(openForChanges(db), async (tx) => {
    await getFacility(tx, tenantId, facilityId)
    await requestWriteOffReading({ tx, tenantId, realNow: now }, facilityId)
  })
}

function readOptions({ kind, amount, rate, from, until, correction }: CorrectOptions) {
  const given: StoredCorrection = {
    kind,
    ...(amount !== undefined && { cents: amount }),
    ...(rate !== undefined && { ratePpm: rate }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(correction !== undefined && { correctionId: correction }),
  }
  const read = storeCorrection(toCorrection(given))
  const beside = Object.keys(given).filter((name) => !(name in read))
  if (beside.length > 0) {
    throw new Refusal('validation_failed', `${kind} takes fewer options than were given.`)
  }
  return given
}

function readCents(text: string): string {
  const cents = parseDecimal(text, 2)
  if (cents !== undefined && cents > 0n) return String(cents)
  throw new InvalidArgumentError('Expected an amount such as 27.40.')
}

function readRate(text: string): number {
  const rate = parseDecimal(text, 6)
  if (rate !== undefined && rate <= ONE_PPM) return Number(rate)
  throw new InvalidArgumentError('Expected an annual rate from 0 to 1, such as 0.08.')
}

function readTime(text: string): string {
  const time = parseTimestamp(text)
  if (time) return time.toISOString()
  throw new InvalidArgumentError('Expected a UTC timestamp that ends in Z.')
}

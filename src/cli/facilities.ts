import { type Command, Option } from 'commander'
import {
  HOLD_KINDS,
  type Hold,
  type HoldKind,
  pageHolds,
} from '../domain/facilities/holds/holds.ts'
import { HOLD_FACILITY, RELEASE_FACILITY } from '../domain/operators/acts/facility-acts.ts'
import { addAmend, addAmendments, addWithdrawAmendment } from './amend.ts'
import {
  type ChangeOptions,
  defineChange,
  reportOutcome,
  resultOf,
  runChange,
} from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './command/define-command.ts'
import { reportNamed } from './command/named.ts'
import { FIRST_PAGE, readId, requireTenant } from './command/options.ts'
import { showTime } from './command/output.ts'
import { assertTenant } from './command/session.ts'
import { addCorrectionCommands } from './margin/correct.ts'

type HoldOptions = ChangeOptions & { tenant: string; reason: string; kind: HoldKind }

type ReleaseOptions = ChangeOptions & { tenant: string; reason: string; hold: string }

export function addFacilityCommands(program: Command, io: CliIo): void {
  const group = program
    .command('facilities')
    .description('Holds on facilities, amendments of their terms, and corrections.')
  addHolds(group, io)
  addHold(group, io)
  addRelease(group, io)
  addAmendments(group, io)
  addAmend(group, io)
  addWithdrawAmendment(group, io)
  addCorrectionCommands(group, io)
}

function addHolds(group: Command, io: CliIo): void {
  defineCommand(group, 'holds', 'List the holds that lie, of all tenants, longest first.', [
    'facilities holds',
    'facilities holds --json',
  ]).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db }) => {
      const items = (await pageHolds(db, FIRST_PAGE)).items.map(toItem)
      return await reportNamed(db, items, {
        columns: ['facility', 'tenant', 'hold', 'kind', 'since', 'reason'],
        rows: items.map((item) => [
          ...[item.facility_id, item.tenant_id, item.hold, item.kind],
          ...[showTime(item.since), item.reason ?? ''],
        ]),
        empty: 'No facility is on hold.',
      })
    })
  })
}

function toItem({ facilityId, tenantId, id, kind, since, reason }: Hold) {
  return { facility_id: facilityId, tenant_id: tenantId, hold: id, kind, since, reason }
}

function addHold(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'hold',
    'Put a facility on hold at once: nothing escalates, sells, pays out or is released. What was sent is recalled. The tenant sees that it is on hold, and not why.',
    [
      'facilities hold fac_… --tenant ten_… --kind bankruptcy --reason "petition of 3 November, case 4711"',
    ],
  )
    .argument('<facility_id>', 'the facility, fac_…', readId('fac'))
    .addOption(
      new Option('--kind <kind>', 'why, in a word').choices(HOLD_KINDS).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'why, for the record')
  requireTenant(command).action(async (facilityId: string, options: HoldOptions) => {
    await runChange(io, options, async (session) => {
      const { tenant, kind, reason } = options
      await assertTenant(session, tenant)
      const request = { tenantId: tenant, facilityId, kind }
      const outcome = await session.changeOrPropose(HOLD_FACILITY, request, reason)
      const { holdId } = resultOf(outcome)
      return {
        data: { facility_id: facilityId, hold: holdId, kind, reason },
        text: `Facility ${facilityId} is on hold by ${holdId}.`,
      }
    })
  })
}

function addRelease(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'release',
    'Lift one hold of a facility, by two operators. What the holds stopped goes on when the last is lifted; a margin warning then has at least two hours.',
    ['facilities release fac_… --tenant ten_… --hold pau_… --reason "case dismissed"'],
  )
    .argument('<facility_id>', 'the facility, fac_…', readId('fac'))
    .requiredOption(
      '--hold <hold_id>',
      'the hold, pau_…, as facilities holds shows it',
      readId('pau'),
    )
    .requiredOption('--reason <text>', 'why, for the record')
  requireTenant(command).action(async (facilityId: string, options: ReleaseOptions) => {
    await runChange(io, options, async (session) => {
      const { tenant, hold, reason } = options
      await assertTenant(session, tenant)
      const request = { tenantId: tenant, facilityId, holdId: hold }
      const outcome = await session.changeOrPropose(RELEASE_FACILITY, request, reason)
      return reportOutcome(outcome, ({ isLast }) => ({
        data: { facility_id: facilityId, hold, on_hold: !isLast, reason },
        text: isLast
          ? `Facility ${facilityId} is released: what the hold stopped goes on.`
          : `Hold ${hold} is lifted. Others lie on ${facilityId}.`,
      }))
    })
  })
}

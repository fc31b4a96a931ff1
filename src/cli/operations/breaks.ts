import { type Command, Option } from 'commander'
import { type OfBreak, RESOLVE_BREAK, TAKE_BREAK } from '../../domain/operators/acts/break-acts.ts'
import type { GuardedAct } from '../../domain/operators/acts/guarded-act.ts'
import {
  BREAK_KINDS,
  type Break,
  type BreakFilter,
  pageBreaks,
} from '../../domain/reconciliation/breaks.ts'
import { type ChangeOptions, defineChange, reportOutcome, runChange } from '../command/change.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { reportNamed } from '../command/named.ts'
import { FIRST_PAGE, readId, requireTenant } from '../command/options.ts'
import { showTime } from '../command/output.ts'
import { assertTenant } from '../command/session.ts'

export function addBreakCommands(program: Command, io: CliIo): void {
  const group = program
    .command('breaks')
    .description('What the books and the providers say differently.')
  addList(group, io)
  addDecision(group, io, {
    name: 'take',
    about: 'Become its owner: you see to it. Nothing is booked.',
    guarded: TAKE_BREAK,
    done: 'It is yours.',
  })
  addDecision(group, io, {
    name: 'resolve',
    about: 'Take it off the list, once it is cleared up with the provider. Nothing is booked.',
    guarded: RESOLVE_BREAK,
    done: 'It is resolved.',
  })
}

function addList(group: Command, io: CliIo): void {
  const command = defineCommand(group, 'list', 'List the breaks of all tenants, longest first.', [
    'breaks list',
    'breaks list --state resolved --kind missing_here --json',
  ])
    .addOption(new Option('--state <state>').choices(['open', 'resolved']).default('open'))
    .addOption(new Option('--kind <kind>').choices([...BREAK_KINDS]))
    .option('--tenant <id>', 'one tenant, ten_…', readId('ten'))
  command.action(
    async ({
      state,
      kind,
      tenant: tenantId,
      ...options
    }: CommonOptions &
      BreakFilter & {
        tenant?: string
      }) => {
      await runCommand(io, options, async ({ db }) => {
        const { items } = await pageBreaks(db, { state, kind, tenantId }, FIRST_PAGE)
        return await reportNamed(db, items.map(toItem), {
          columns: ['break', 'tenant', 'kind', 'area', 'item', 'day', 'found', 'owner'],
          rows: items.map((one) => [
            ...[one.id, one.tenantId, one.kind, one.area, one.itemId, one.day],
            ...[showTime(one.foundAt), one.owner ?? ''],
          ]),
          empty: 'There is no such break.',
        })
      })
    },
  )
}

function toItem({ tenantId, itemId, facilityId, foundAt, takenAt, ...one }: Break) {
  return {
    ...{ tenant_id: tenantId, item: itemId, facility_id: facilityId },
    ...{ found_at: foundAt, taken_at: takenAt, ...one },
  }
}

type Decision = { name: string; about: string; guarded: GuardedAct<OfBreak, Break>; done: string }

function addDecision(group: Command, io: CliIo, { name, about, guarded, done }: Decision): void {
  const example = `breaks ${name} brk_… --tenant ten_… --reason "asked the bank"`
  const command = defineChange(group, name, about, [example])
    .argument('<id>', 'the break', readId('brk'))
    .requiredOption('--reason <text>', 'why, for the record')
  requireTenant(command).action(
    async (breakId: string, options: ChangeOptions & { tenant: string; reason: string }) => {
      await runChange(io, options, async (session) => {
        const { tenant: tenantId, reason } = options
        await assertTenant(session, tenantId)
        const outcome = await session.changeOrPropose(guarded, { tenantId, breakId }, reason)
        return reportOutcome(outcome, () => ({ data: { id: breakId, reason }, text: done }))
      })
    },
  )
}

import type { Command } from 'commander'
import { readLastAudit } from '../../domain/audit/runs.ts'
import { readProblems } from '../../domain/operations/overview.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { formatRows, reportList, showTime } from '../command/output.ts'
import { addProcessCommands } from './processes.ts'
import { addQueueCommands } from './queue.ts'
import { addStoreCommands } from './stores.ts'

export function addOperationsCommands(program: Command, io: CliIo): void {
  const group = program
    .command('operations')
    .description('What is wrong, what waits, and what runs, over all tenants.')
  addProblems(group, io)
  addProcessCommands(group, io)
  addQueueCommands(group, io)
  addStoreCommands(group, io)
  addAudit(group, io)
}

function addProblems(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'problems',
    'List what is wrong now, the most urgent first, by the limits of the alarms.',
    ['operations problems', 'operations problems --json'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now, retention }) => {
      const audit = await readLastAudit(db)
      const items = await readProblems(db, { audit, retention }, now)
      return reportList(items, {
        columns: ['severity', 'kind', 'what'],
        rows: items.map(({ severity, kind, summary }) => [severity, kind, summary]),
        empty: 'Nothing is wrong.',
      })
    })
  })
}

function addAudit(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'audit',
    'Show when the invariants were last checked, and what violates them.',
    ['operations audit'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db }) => {
      const last = await readLastAudit(db)
      const found = (last?.findings ?? []).flatMap(({ invariant, check, violations }) =>
        violations.map(({ tenantId, subject, detail }) => ({
          ...{ invariant, check, tenant_id: tenantId, subject, detail },
        })),
      )
      const data = {
        finished_at: last?.finishedAt,
        ...{ violations: last?.violations ?? {}, unfinished: last?.unfinished ?? 0, items: found },
      }
      const rows = found.map((item) => Object.values(item))
      const table =
        found.length === 0
          ? 'No violation.'
          : formatRows(['invariant', 'check', 'tenant', 'subject', 'detail'], rows)
      const ended = last
        ? `The last audit ended at ${showTime(last.finishedAt)}, with ${last.unfinished} checks unfinished.`
        : 'No audit has ended yet.'
      return { data, text: last ? `${ended}\n${table}` : ended }
    })
  })
}

import type { Command } from 'commander'
import { listPartitions } from '../../domain/operations/partitions.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { reportList, showTime } from '../command/output.ts'

const MEGABYTE = 1_048_576n

export function addStoreCommands(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'partitions',
    'List the tables in partitions: how many there are, their sizes, and which is dropped next.',
    ['operations partitions', 'operations partitions --json'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now, retention }) => {
      const tables = await listPartitions(db, retention, now)
      const items = tables.map((table) => ({
        ...{ table: table.table, kept_days: table.keptDays, bytes: Number(table.bytes) },
        next_drop: table.nextDrop,
        partitions: table.partitions.map(({ bytes, rows, ...partition }) => ({
          ...{ ...partition, bytes: Number(bytes), rows: Number(rows) },
        })),
      }))
      return reportList(items, {
        columns: ['table', 'kept', 'partitions', 'from', 'until', 'megabytes', 'next drop'],
        rows: tables.map(({ table, keptDays, partitions, bytes, nextDrop }) => [
          ...[table, keptDays === undefined ? 'for good' : `${keptDays} days`],
          ...[String(partitions.length), showTime(partitions[0]?.from)],
          ...[showTime(partitions.at(-1)?.until), String(bytes / MEGABYTE)],
          nextDrop ? `${nextDrop.name} from ${showTime(nextDrop.at)}` : '',
        ]),
        empty: 'No table has partitions.',
      })
    })
  })
}

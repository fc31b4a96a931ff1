import type { Command } from 'commander'
import { distribute } from '../db/cluster/distribute.ts'
import { type ChangeOptions, defineChange, runChange } from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { readWholeNumber } from './command/options.ts'

const MAX_SHARDS = 1_024

const ABOUT =
  'Spread the tables of tenants over the nodes of a Citus cluster, each tenant whole on one node. DATABASE_URL leads to the coordinator, as the owner of the tables; API and worker are stopped. Run it again if it was interrupted: it continues where it ended, and changes nothing that is done.'

export function addDistributeCommand(program: Command, io: CliIo): void {
  defineChange(program, 'distribute', ABOUT, ['distribute', 'distribute --shards 64'])
    .option(
      '--shards <n>',
      'parts of each table, which cannot change later without moving all rows; by default as Citus is set',
      readWholeNumber(1, MAX_SHARDS),
    )
    .action(async (options: ChangeOptions & { shards?: number }) => {
      await runChange(io, options, async ({ changeInSteps }) => {
        const onTable = (table: string, left: number) => {
          if (io.showsProgress) io.writeError(`Distributing ${table}, ${left} left.\n`)
        }
        const shards = options.shards === undefined ? {} : { shards: options.shards }
        const act = { action: 'distribute', after: shards } as const
        const tables = await changeInSteps(act, (db) => distribute(db, { onTable, ...shards }))
        const text =
          tables.length === 0
            ? 'Nothing to distribute.'
            : `Distributed ${tables.length} tables: ${tables.join(', ')}.`
        return { data: { distributed: tables }, text }
      })
    })
}

import { distribute } from '../../db/cluster/distribute.ts'
import { type CliCommand, change } from '../command/commands.ts'
import { readWholeNumber } from '../command/options.ts'
import { optional } from '../command/parameters.ts'

const MAX_SHARDS = 1_024

export const DISTRIBUTE_COMMANDS: CliCommand[] = [
  change({
    name: 'distribute',
    about:
      'Spread the tables of tenants over the nodes of a Citus cluster, each tenant whole on one node. DATABASE_URL leads to the coordinator, as the owner of the tables; API and worker are stopped. Run it again if it was interrupted: it continues where it ended, and changes nothing that is done.',
    examples: ['distribute', 'distribute --shards 64'],
    takes: {
      shards: optional(
        '--shards <n>',
        'parts of each table, which cannot change later without moving all rows; by default as Citus is set',
        readWholeNumber(1, MAX_SHARDS),
      ),
    },
    async change({ io, changeInSteps }, given) {
      const onTable = (table: string, left: number) => {
        if (io.showsProgress) io.writeError(`Distributing ${table}, ${left} left.\n`)
      }
      const shards = given.shards === undefined ? {} : { shards: given.shards }
      const act = { action: 'distribute', after: shards } as const
      const tables = await changeInSteps(act, (db) => distribute(db, { onTable, ...shards }))
      const shown =
        tables.length === 0
          ? 'Nothing to distribute.'
          : `Distributed ${tables.length} tables: ${tables.join(', ')}.`
      return { data: { distributed: tables }, shown }
    },
  }),
]

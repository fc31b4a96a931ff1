// By how many bytes old objects have grown after many transactions that kept much until their end, as
// one number. A program by itself: other objects of a process would be counted too.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterCommit } from '../../src/db/after-commit.ts'
import { beforeCommit } from '../../src/db/before-commit.ts'
import { createDatabase, type Db, inTransaction, type Tx } from '../../src/db/database.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void

const readOld = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ??
  0

/** Some 50 kB, which refer to the transaction. */
function keepMuch(tx: Tx): unknown {
  return Array.from({ length: 1_000 }, () => ({ tx }))
}

async function change(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    const kept = keepMuch(tx)
    beforeCommit(tx, 'kept', () => ({
      isWanted: () => kept === undefined,
      run: async () => kept,
      end: () => kept,
    }))
    afterCommit(tx, 'kept', async () => kept)
  })
}

const [connectionString = ''] = process.argv.slice(2)
await using db = createDatabase({ connectionString, maxConnections: 1 })
for (let turn = 0; turn < 200; turn += 1) await change(db)
collect()
const before = readOld()
for (let turn = 0; turn < 400; turn += 1) {
  await change(db)
  collect({ type: 'minor' })
}
console.log(readOld() - before)

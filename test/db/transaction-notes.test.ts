import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { afterCommit } from '../../src/db/after-commit.ts'
import { beforeCommit } from '../../src/db/before-commit.ts'
import { type Db, inTransaction, type Tx } from '../../src/db/database.ts'
import { createTestDatabase } from '../support/stores/database.ts'

const TRANSACTIONS = 400
const MB = 1_048_576

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

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

test('nothing that a transaction kept until its end is left once it has ended', async () => {
  await using database = await createTestDatabase({ maxConnections: 1 })
  for (let turn = 0; turn < 200; turn += 1) await change(database.db)
  collect()
  const before = readOld()
  for (let turn = 0; turn < TRANSACTIONS; turn += 1) await change(database.db)
  collect()
  // All that they kept is 20 MB.
  expect((readOld() - before) / MB).toBeLessThan(5)
})

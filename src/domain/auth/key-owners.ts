import { createBoundedCache } from '../../core/bounded-cache.ts'
import type { Db } from '../../db/database.ts'
import { isDistributed } from '../../db/distribution.ts'
import { createBatches } from './batches.ts'
import { selectKeyOwners, selectListedOwners } from './queries.ts'

/** The tenant of a key, of a revoked or expired one too; undefined for one that never was. */
export type FindKeyOwner = (keyId: string) => Promise<string | undefined>

const MAX_OWNERS = 20_000
const BATCH_PAUSE_MS = 100
const MAX_BATCH = 1_000

/** For after the answer: look-ups share a query every 100 ms. A key has one owner for good. */
export function createKeyOwners(db: Db): FindKeyOwner {
  const owners = createBoundedCache<string, string>(MAX_OWNERS)
  const findTogether = createBatches<string>({
    load: async (keyIds) => {
      const select = (await isDistributed(db)) ? selectListedOwners : selectKeyOwners
      const rows = await select(db, keyIds)
      return new Map(rows.map((row) => [row.key_id, row.tenant_id]))
    },
    pauseMs: BATCH_PAUSE_MS,
    maxBatch: MAX_BATCH,
  })
  return async (keyId) => {
    const owner = owners.get(keyId) ?? (await findTogether(keyId))
    if (owner !== undefined) owners.set(keyId, owner)
    return owner
  }
}

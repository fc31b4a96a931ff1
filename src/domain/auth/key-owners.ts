import { gather } from '../../core/gather.ts'
import { createBoundedCache } from '../../core/limits/bounded-cache.ts'
import type { Db } from '../../db/database.ts'
import { selectKeyOwners } from './queries.ts'

/** The tenant of a key, of a revoked or expired one too; undefined for one that never was. */
export type FindKeyOwner = (keyId: string) => Promise<string | undefined>

const MAX_OWNERS = 20_000
const WAIT_MS = 100

/** For look-ups that may wait: they share a query every 100 ms (`waitMs`). A key has one owner for good. */
export function createKeyOwners(db: Db, waitMs = WAIT_MS): FindKeyOwner {
  const owners = createBoundedCache<string, string>(MAX_OWNERS)
  const findTogether = gather<string, string | undefined>({
    ...{ most: 1_000, waitMs, sideBySide: 1 },
    async run(keyIds) {
      const rows = await selectKeyOwners(db, keyIds)
      const found = new Map(rows.map((row) => [row.key_id, row.tenant_id]))
      return keyIds.map((keyId) => found.get(keyId))
    },
  })
  return async (keyId) => {
    const owner = owners.get(keyId) ?? (await findTogether(keyId))
    if (owner !== undefined) owners.set(keyId, owner)
    return owner
  }
}

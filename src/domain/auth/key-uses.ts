import { createBoundedCache } from '../../core/limits/bounded-cache.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { inScopes } from '../tenants/each-tenant.ts'
import { updateKeysUsed } from './queries.ts'

const FLUSH_MS = 5 * SECOND_MS
const MAX_KEYS = 20_000

export type KeyUses = {
  /** Of a request that has verified. Writes nothing itself. */
  note(tenantId: string, keyId: string): void
  /** Writes what is noted, and ends. */
  close(): Promise<void>
}

type Use = { tenantId: string; keyId: string; usedAt: Date }

type Options = { db: Db; clock: Clock; onError: (error: unknown) => void }

/** When each key was last used: written behind the requests, once a minute for a key in use. What a
 * process that is killed has not written is lost. */
export function createKeyUses({ db, clock, onError }: Options): KeyUses {
  const written = createBoundedCache<string, number>(MAX_KEYS)
  let noted = new Map<string, Use>()

  // They are noted again by the next request.
  function forget(uses: readonly Use[], error: unknown): void {
    for (const { keyId } of uses) written.delete(keyId)
    onError(error)
  }

  async function write(uses: readonly Use[]): Promise<void> {
    try {
      await updateKeysUsed(db, uses)
    } catch (error) {
      forget(uses, error)
    }
  }

  async function flush(): Promise<void> {
    if (noted.size === 0) return
    const uses = [...noted.values()]
    noted = new Map()
    try {
      for (const together of await inScopes(db, uses)) await write(together)
    } catch (error) {
      forget(uses, error)
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_MS).unref()
  return {
    note(tenantId, keyId) {
      const usedAt = clock()
      const last = written.get(keyId)
      if (last !== undefined && usedAt.getTime() < last + MINUTE_MS) return
      written.set(keyId, usedAt.getTime())
      noted.set(keyId, { tenantId, keyId, usedAt })
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

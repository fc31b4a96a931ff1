import { LRUCache } from 'lru-cache'
import type { Clock } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { selectKeyById } from './queries.ts'

export type VerifyingKey = {
  keyId: string
  tenantId: string
  publicKey: Buffer
  scopes: ReadonlySet<string>
  expiresAt: Date | undefined
}

/** Finds the key that a request names: undefined for unknown, revoked and expired ones alike. */
export type FindKey = (
  keyId: string,
) => Promise<VerifyingKey | undefined> | VerifyingKey | undefined

const MAX_KEYS = 20_000

type Entry = { key: VerifyingKey | undefined; loadedAt: number }

/**
 * Keeps keys, and the knowledge that a key does not exist, for `cacheSeconds` from the moment they
 * were asked for, so a revocation is seen by every process within that time plus one query.
 * Simultaneous misses of one key share one query.
 */
export function createKeyCache(db: Db, options: { cacheSeconds: number; clock: Clock }): FindKey {
  const entries = new LRUCache<string, Entry>({ max: MAX_KEYS })
  const loading = new Map<string, Promise<VerifyingKey | undefined>>()
  const cacheMs = options.cacheSeconds * 1_000

  const load = async (keyId: string, loadedAt: number) => {
    try {
      const row = await selectKeyById(db, keyId)
      const key = row && {
        keyId: row.key_id,
        tenantId: row.tenant_id,
        publicKey: row.public_key,
        scopes: new Set(row.scopes),
        expiresAt: row.expires_at ?? undefined,
      }
      entries.set(keyId, { key, loadedAt })
      return key
    } finally {
      loading.delete(keyId)
    }
  }

  const unlessExpired = (key: VerifyingKey | undefined, now: Date) =>
    key?.expiresAt && key.expiresAt <= now ? undefined : key

  return (keyId) => {
    const now = options.clock()
    const entry = entries.get(keyId)
    const age = entry ? now.getTime() - entry.loadedAt : Number.POSITIVE_INFINITY
    // A clock set back must not keep a key for longer.
    if (entry && age >= 0 && age < cacheMs) return unlessExpired(entry.key, now)
    let pending = loading.get(keyId)
    if (!pending) {
      pending = load(keyId, now.getTime())
      loading.set(keyId, pending)
    }
    return pending.then((key) => unlessExpired(key, now))
  }
}

import { LRUCache } from 'lru-cache'
import type { Clock } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { createBatches } from './batches.ts'
import { selectKeyById, selectKeysByIds } from './queries.ts'

export type VerifyingKey = {
  keyId: string
  tenantId: string
  publicKey: Buffer
  scopes: ReadonlySet<string>
  expiresAt: Date | undefined
}

/**
 * Finds the key that a request names: undefined for unknown, revoked and expired ones alike.
 * `isExhausted` says whether the request's source has failed too often; it is asked only before an
 * id that is not known to be a key's is looked up.
 */
export type FindKey = (
  keyId: string,
  isExhausted: () => Promise<boolean>,
) => Promise<VerifyingKey | undefined> | VerifyingKey | undefined

export type KeyCacheOptions = {
  cacheSeconds: number
  clock: Clock
  /** Between two look-ups for exhausted sources. */
  batchPauseMs?: number
}

const MAX_KEYS = 20_000
const MAX_UNKNOWN = 1_000

const BATCH_PAUSE_MS = 100
const MAX_BATCH = 1_000

/** What Postgres knows of a key that is not revoked. */
type KeyRow = NonNullable<Awaited<ReturnType<typeof selectKeyById>>>

/**
 * Keeps keys for `cacheSeconds` from the moment they were asked for, so a revocation is seen by every
 * process within that time plus one query; and, apart from them, ids that are no key's, so that
 * made-up ids cannot displace keys. Simultaneous misses of one id share one query.
 *
 * Ids that exhausted sources name are looked up many at a time, once in `batchPauseMs`: however many
 * there are, Postgres sees ten queries a second, and a key among them is found all the same.
 */
export function createKeyCache(db: Db, options: KeyCacheOptions): FindKey {
  const { cacheSeconds, clock, batchPauseMs = BATCH_PAUSE_MS } = options
  const keys = new LRUCache<string, { key: VerifyingKey; loadedAt: number }>({ max: MAX_KEYS })
  const unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN })
  const loading = new Map<string, Promise<VerifyingKey | undefined>>()
  const cacheMs = cacheSeconds * 1_000
  const findTogether = createBatches<KeyRow>({
    load: async (keyIds) => {
      const rows = await selectKeysByIds(db, keyIds)
      return new Map(rows.map((row) => [row.key_id, row]))
    },
    pauseMs: batchPauseMs,
    maxBatch: MAX_BATCH,
  })

  const lookUp = async (keyId: string, isExhausted: () => Promise<boolean>) =>
    // A key that was there a while ago is asked about as before: there are only so many of those.
    keys.has(keyId) || !(await isExhausted())
      ? await selectKeyById(db, keyId)
      : await findTogether(keyId)

  const load = async (keyId: string, isExhausted: () => Promise<boolean>, loadedAt: number) => {
    try {
      const row = await lookUp(keyId, isExhausted)
      if (!row) {
        keys.delete(keyId)
        unknown.set(keyId, loadedAt)
        return undefined
      }
      const key = toVerifyingKey(row)
      unknown.delete(keyId)
      keys.set(keyId, { key, loadedAt })
      return key
    } finally {
      loading.delete(keyId)
    }
  }

  // A clock set back must not keep a key for longer.
  const isFresh = (loadedAt: number | undefined, now: Date) =>
    loadedAt !== undefined && now.getTime() >= loadedAt && now.getTime() - loadedAt < cacheMs

  return (keyId, isExhausted) => {
    const now = clock()
    const entry = keys.get(keyId)
    if (entry && isFresh(entry.loadedAt, now)) return unlessExpired(entry.key, now)
    if (!entry && isFresh(unknown.get(keyId), now)) return undefined
    let pending = loading.get(keyId)
    if (!pending) {
      pending = load(keyId, isExhausted, now.getTime())
      loading.set(keyId, pending)
    }
    return pending.then((key) => unlessExpired(key, now))
  }
}

function toVerifyingKey(row: KeyRow): VerifyingKey {
  return {
    keyId: row.key_id,
    tenantId: row.tenant_id,
    publicKey: row.public_key,
    scopes: new Set(row.scopes),
    expiresAt: row.expires_at ?? undefined,
  }
}

function unlessExpired(key: VerifyingKey | undefined, now: Date): VerifyingKey | undefined {
  return key?.expiresAt && key.expiresAt <= now ? undefined : key
}

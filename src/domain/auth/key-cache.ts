import { createBoundedCache } from '../../core/bounded-cache.ts'
import type { Clock } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { isDistributed } from '../../db/distribution.ts'
import { createBatches } from './batches.ts'
import { selectKey, selectKeyById, selectKeysByIds, selectListedOwners } from './queries.ts'

export type VerifyingKey = {
  keyId: string
  tenantId: string
  publicKey: Buffer
  scopes: ReadonlySet<string>
  expiresAt: Date | undefined
  isSuspended: boolean
}

/** Undefined for unknown, revoked and expired keys. `isExhausted`: the source has failed too often;
 * called only before an id that is not known is looked up. */
export type FindKey = (
  keyId: string,
  isExhausted: () => Promise<boolean>,
) => Promise<VerifyingKey | undefined> | VerifyingKey | undefined

export type KeyCacheOptions = {
  cacheSeconds: number
  clock: Clock
  batchPauseMs?: number
}

const MAX_KEYS = 20_000
const MAX_UNKNOWN = 1_000

const BATCH_PAUSE_MS = 100
const MAX_BATCH = 1_000

type KeyRow = NonNullable<Awaited<ReturnType<typeof selectKeyById>>>

/** Keys are kept for `cacheSeconds` from the query, so a revocation takes effect within that time,
 * and so does the suspension of their tenant.
 * Unknown ids have a cache of their own, so that invented ids do not displace keys. Ids from
 * exhausted sources share a query every `batchPauseMs`. */
export function createKeyCache(db: Db, options: KeyCacheOptions): FindKey {
  const { cacheSeconds, clock, batchPauseMs = BATCH_PAUSE_MS } = options
  const keys = createBoundedCache<string, { key: VerifyingKey; loadedAt: number }>(MAX_KEYS)
  const unknown = createBoundedCache<string, number>(MAX_UNKNOWN)
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

  const findOwnersTogether = createBatches<string>({
    load: async (keyIds) => {
      const rows = await selectListedOwners(db, keyIds)
      return new Map(rows.map((row) => [row.key_id, row.tenant_id]))
    },
    pauseMs: batchPauseMs,
    maxBatch: MAX_BATCH,
  })

  const lookUp = async (keyId: string, isExhausted: () => Promise<boolean>) => {
    const known = keys.get(keyId)
    // A key cached before is looked up as usual: there are few of those.
    const isAlone = known !== undefined || !(await isExhausted())
    if (!(await isDistributed(db))) {
      return isAlone ? await selectKeyById(db, keyId) : await findTogether(keyId)
    }
    // Only the node of the key's tenant is asked, and none about an invented id.
    const findOwner = async () =>
      isAlone
        ? (await selectListedOwners(db, [keyId]))[0]?.tenant_id
        : await findOwnersTogether(keyId)
    const tenantId = known?.key.tenantId ?? (await findOwner())
    return tenantId === undefined ? undefined : await selectKey(db, tenantId, keyId)
  }

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

  // A clock that was set back must not keep a key longer.
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
    isSuspended: row.suspended_at !== null,
  }
}

function unlessExpired(key: VerifyingKey | undefined, now: Date): VerifyingKey | undefined {
  return key?.expiresAt && key.expiresAt <= now ? undefined : key
}

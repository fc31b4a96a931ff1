import { createBoundedCache } from '../../core/limits/bounded-cache.ts'
import type { Clock } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { createKeyOwners } from './key-owners.ts'
import { selectKey, selectKeyOwners } from './queries.ts'

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
  /** Between two queries for ids of exhausted sources. */
  waitMs?: number
}

const MAX_KEYS = 20_000
const MAX_UNKNOWN = 1_000

type KeyRow = NonNullable<Awaited<ReturnType<typeof selectKey>>>

/** Keys are kept for `cacheSeconds` from the query, so a revocation takes effect within that time,
 * and so does the suspension of their tenant.
 * Unknown ids have a cache of their own, so that invented ids do not displace keys. Ids from
 * exhausted sources share a query every `waitMs`. */
export function createKeyCache(db: Db, options: KeyCacheOptions): FindKey {
  const { cacheSeconds, clock, waitMs } = options
  const keys = createBoundedCache<string, { key: VerifyingKey; loadedAt: number }>(MAX_KEYS)
  const unknown = createBoundedCache<string, number>(MAX_UNKNOWN)
  const loading = new Map<string, Promise<VerifyingKey | undefined>>()
  const cacheMs = cacheSeconds * 1_000
  const findOwnerTogether = createKeyOwners(db, waitMs)

  const findOwner = async (keyId: string, isExhausted: () => Promise<boolean>) => {
    // A key cached before is looked up as usual: there are few of those.
    const known = keys.get(keyId)
    if (known) return known.key.tenantId
    if (await isExhausted()) return await findOwnerTogether(keyId)
    const [owner] = await selectKeyOwners(db, [keyId])
    return owner?.tenant_id
  }

  const lookUp = async (keyId: string, isExhausted: () => Promise<boolean>) => {
    const tenantId = await findOwner(keyId, isExhausted)
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

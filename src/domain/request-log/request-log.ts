import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import { type Db, inStatement } from '../../db/database.ts'
import { isConnectionLost, sqlState } from '../../db/errors.ts'
import type { FindKeyOwner } from '../auth/key-owners.ts'
import { inScopes } from '../tenants/each-tenant.ts'
import { type RequestEntry, sizeOf } from './entry.ts'
import { insertRequests } from './queries.ts'

/** `behind`: no room, as the database is slow or gone. `flood`: too many that took no token.
 * `refused`: the database does not take them. */
export type DropReason = 'behind' | 'flood' | 'refused'

export type RequestLog = {
  /** Never waits, never throws. */
  add(entry: RequestEntry): void
  /** Adds it for the tenant whose key the request named, if there is one. Never waits, never throws. */
  addByKey(keyId: string, entry: Omit<RequestEntry, 'tenantId'>): void
  /** Writes what is left, within two seconds. */
  close(): Promise<void>
}

export type RequestLogOptions = {
  clock: Clock
  findOwner: FindKeyOwner
  onDropped: (reason: DropReason, entries: number) => void
  onError: (error: unknown) => void
  flushMs?: number
  maxEntries?: number
  maxBytes?: number
}

const MAX_BATCH = 500
const RETRY_MS = SECOND_MS

/** While the node of a tenant is away: the rows of others wait for these. */
const MAX_TRIES = 3
const CLOSE_MS = 2 * SECOND_MS

/** Of one tenant in one process, a minute: a stranger who knows a key id cannot fill its log. */
const MAX_FREE = 60

/** Whose owner is being looked up. */
const MAX_UNOWNED = 1_000

/** Writes requests in batches of a second; keeps at most 10,000 and 8 MiB of them in memory. */
export function createRequestLog(db: Db, options: RequestLogOptions): RequestLog {
  const { flushMs = SECOND_MS, maxEntries = 10_000, maxBytes = 8 * 1024 * 1024 } = options
  const { onDropped, onError } = options
  const isWithinFree = limitFree(options.clock)
  const closing = new AbortController()
  const unowned = new Set<Promise<void>>()
  let waiting: RequestEntry[] = []
  let inMemory = { entries: 0, bytes: 0 }
  // A batch belongs to no request: neither to its trace nor to its tenant's connections.
  const outside = AsyncLocalStorage.snapshot()
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const write = async (batch: readonly RequestEntry[]): Promise<void> => {
    const dropped = await tryToWrite(batch)
    if (dropped) onDropped(dropped, batch.length)
  }

  const tryToWrite = async (batch: readonly RequestEntry[]): Promise<DropReason | undefined> => {
    let triesOfNode = 0
    for (;;) {
      try {
        await inStatement(db, (root) => insertRequests(root, batch))
        return undefined
      } catch (error) {
        // The whole batch was stored by the attempt before, whose answer was lost.
        if (sqlState(error) === '23505') return undefined
        onError(error)
        if (!isTransient(error)) return 'refused'
        if (isNodeAway(error)) triesOfNode += 1
        if (closing.signal.aborted || triesOfNode === MAX_TRIES) return 'behind'
        await pause(RETRY_MS, undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
  }

  const split = async (batch: readonly RequestEntry[]) =>
    await inScopes(db, batch).catch(() => [batch])

  // What comes meanwhile waits for a whole batch or its second: a commit of a few rows costs as
  // much as one of five hundred.
  const writeBatches = async () => {
    let isDue = waiting.length > 0
    while (isDue) {
      const batch = waiting.splice(0, MAX_BATCH)
      await Promise.all((await split(batch)).map(write))
      inMemory.entries -= batch.length
      for (const entry of batch) inMemory.bytes -= sizeOf(entry)
      isDue = waiting.length >= MAX_BATCH || (closing.signal.aborted && waiting.length > 0)
    }
  }

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    writing ??= outside(writeBatches).finally(() => {
      writing = undefined
      schedule()
    })
    return writing
  }

  const schedule = () => {
    if (writing || waiting.length === 0) return
    if (waiting.length >= MAX_BATCH) void flush()
    else timer ??= outside(() => setTimeout(() => void flush(), flushMs))
  }

  const add = (entry: RequestEntry) => {
    const size = sizeOf(entry)
    if (entry.isFree && !isWithinFree(entry.tenantId)) {
      onDropped('flood', 1)
      return
    }
    if (inMemory.entries >= maxEntries || inMemory.bytes + size > maxBytes) {
      onDropped('behind', 1)
      return
    }
    waiting.push(entry)
    inMemory.entries += 1
    inMemory.bytes += size
    schedule()
  }

  return {
    add,
    addByKey(keyId, entry) {
      if (unowned.size >= MAX_UNOWNED) {
        onDropped('flood', 1)
        return
      }
      const addOwned = (tenantId: string | undefined) => {
        if (tenantId !== undefined) add({ ...entry, tenantId })
      }
      const added = outside(() => options.findOwner(keyId))
        .then(addOwned, () => onDropped('behind', 1))
        .finally(() => unowned.delete(added))
      unowned.add(added)
    },
    async close() {
      closing.abort()
      const limit = pause(CLOSE_MS, 'late', { ref: false })
      const written = flush()
        .then(() => Promise.all(unowned))
        .then(flush)
      if ((await Promise.race([written, limit])) !== 'late') return
      const left = inMemory.entries
      waiting = []
      inMemory = { entries: 0, bytes: 0 }
      onDropped('behind', left)
    },
  }
}

/** The database may take the same rows later. */
function isTransient(error: unknown): boolean {
  return isConnectionLost(error) || /^(55P03|57014|40001|40P01)$/.test(sqlState(error) ?? '')
}

/** The coordinator answers so for a node; of a server that is gone itself there is no answer. */
const isNodeAway = (error: unknown) => sqlState(error) === '08006'

/** True for the first so many of a tenant in each minute. */
function limitFree(clock: Clock): (tenantId: string) => boolean {
  const counts = new Map<string, number>()
  let minute = 0
  return (tenantId) => {
    const now = Math.floor(clock().getTime() / MINUTE_MS)
    if (now !== minute) counts.clear()
    minute = now
    const count = (counts.get(tenantId) ?? 0) + 1
    counts.set(tenantId, count)
    return count <= MAX_FREE
  }
}

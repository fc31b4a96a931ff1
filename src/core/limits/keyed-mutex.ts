import pLimit, { type LimitFunction } from 'p-limit'

/** How long a caller waits before its function begins, and what it is refused with afterwards. */
export type Patience = { ms: number; refuse: () => Error }

/**
 * Runs one function at a time for each key, in order of arrival, within this process. One whose
 * caller was refused never begins.
 */
export type KeyedMutex = <T>(key: string, run: () => Promise<T>, patience: Patience) => Promise<T>

export function createKeyedMutex(): KeyedMutex {
  const limits = new Map<string, LimitFunction>()
  return async (key, run, { ms, refuse }) => {
    const limit = limits.get(key) ?? pLimit(1)
    limits.set(key, limit)
    const late = Promise.withResolvers<never>()
    let isRefused = false
    const timer = setTimeout(() => {
      isRefused = true
      late.reject(refuse())
    }, ms)
    const begin = async () => {
      clearTimeout(timer)
      return isRefused ? await late.promise : await run()
    }
    const ended = limit(begin).finally(() => {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(key)
    })
    return await Promise.race([ended, late.promise])
  }
}

import pLimit, { type LimitFunction } from 'p-limit'

/** Runs one function at a time for each key, in order of arrival, within this process. */
export type KeyedMutex = <T>(key: string, run: () => Promise<T>) => Promise<T>

export function createKeyedMutex(): KeyedMutex {
  const limits = new Map<string, LimitFunction>()
  return async (key, run) => {
    const limit = limits.get(key) ?? pLimit(1)
    limits.set(key, limit)
    try {
      return await limit(run)
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(key)
    }
  }
}

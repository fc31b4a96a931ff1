import { setTimeout as pause } from 'node:timers/promises'

export type BatchOptions<Found> = {
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>
  /** Before each query, so that callers that arrive in it share the query. */
  pauseMs: number
  maxBatch: number
}

/** Answers many callers by one query, one query at a time. */
export function createBatches<Found>(
  options: BatchOptions<Found>,
): (id: string) => Promise<Found | undefined> {
  const { load, pauseMs, maxBatch } = options
  const waiting = new Map<string, PromiseWithResolvers<Found | undefined>>()
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.size > 0) {
      await pause(pauseMs)
      const batch = [...waiting].slice(0, maxBatch)
      for (const [id] of batch) waiting.delete(id)
      try {
        const found = await load(batch.map(([id]) => id))
        for (const [id, { resolve }] of batch) resolve(found.get(id))
      } catch (error) {
        for (const [, { reject }] of batch) reject(error)
      }
    }
    isRunning = false
  }

  return (id) => {
    const asked = waiting.get(id) ?? Promise.withResolvers<Found | undefined>()
    waiting.set(id, asked)
    if (!isRunning) void run()
    return asked.promise
  }
}

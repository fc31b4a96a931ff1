import type { Registry } from 'prom-client'
import { openChannel } from './channel.ts'

/** The parent of this process, which runs others like it. */
export type Parent = {
  /** Asked for what this process counts from now on; the function returned adds up all processes. */
  shareMetrics(registry: Registry): () => Promise<string>
  /** Whether every process has once been ready. */
  areAllStarted(): boolean
  reportReady(): void
}

const SUM_MS = 5_000

/** In a process that was started by `runChildren`. */
export function connectToParent(): Parent {
  let registry: Registry | undefined
  let areAllStarted = false
  const channel = openChannel(
    {
      // Without a parent the process is about to end.
      send: (message) => process.send?.(message, undefined, undefined, () => undefined),
      onMessage: (listener) => process.on('message', listener),
    },
    {
      alive: () => true,
      metrics: () => registry?.getMetricsAsJSON(),
      started: () => {
        areAllStarted = true
      },
    },
  )
  return {
    shareMetrics(own) {
      registry = own
      return async () => {
        const sum = await channel.ask('sum', SUM_MS)
        if (typeof sum !== 'string') throw new Error('the metrics were not added up in time')
        return sum
      }
    },
    areAllStarted: () => areAllStarted,
    reportReady: () => void channel.ask('ready', SUM_MS),
  }
}

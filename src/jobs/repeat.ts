import { setTimeout } from 'node:timers/promises'

/**
 * Runs again and again until `stop` is aborted, which also ends the pause between two runs. `pauseMs`
 * is read after each run. A run that throws is reported to `onError`, and the next one follows.
 */
export async function repeat(
  stop: AbortSignal,
  pauseMs: () => number,
  run: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  while (!stop.aborted) {
    try {
      await run()
    } catch (error) {
      onError(error)
    }
    await setTimeout(pauseMs(), undefined, { signal: stop }).catch(() => undefined)
  }
}

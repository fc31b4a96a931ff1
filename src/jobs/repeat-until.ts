import { setTimeout } from 'node:timers/promises'

/**
 * Runs again and again until `stop` is aborted, which ends the pause before the next run at once: each
 * lasts `pauseMs`, as asked after its run. What a run throws goes to `onError`; the next comes all the
 * same.
 */
export async function repeatUntil(
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

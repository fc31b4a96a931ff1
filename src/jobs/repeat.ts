import { setTimeout } from 'node:timers/promises'

/** Aborting `stop` also ends the pause. `pauseMs` is read after each run. */
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

const open = new Map<AsyncDisposableStack, Promise<void>>()

/** As `new AsyncDisposableStack()`, and ended by `endAll` too. */
export function openCleanup(): AsyncDisposableStack {
  const cleanup = new AsyncDisposableStack()
  const ended = Promise.withResolvers<void>()
  open.set(cleanup, ended.promise)
  cleanup.defer(() => {
    open.delete(cleanup)
    ended.resolve()
  })
  return cleanup
}

/** Resolves once all that is open has ended, the newest first, even where the end of one fails. */
export async function endAll(): Promise<void> {
  for (const [cleanup, ended] of [...open].reverse()) {
    // One that is ending already does not end again.
    cleanup.disposeAsync().catch(() => undefined)
    await ended
  }
}

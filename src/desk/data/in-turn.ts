/** Sends passes over the book one after the other: the service refuses a second one meanwhile. Those that
 * were replaced before their turn are not sent. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const run = last.then(() => {
      signal.throwIfAborted()
      return send()
    })
    last = run.catch(() => undefined)
    return run
  }
}

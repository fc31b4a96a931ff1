/** Runs what has the same name one after the other, in the order in which it came. */
export type TakeTurn = <T>(name: string, run: () => Promise<T>) => Promise<T>

/** Makes turns within this process. A run that fails lets the next one begin all the same. */
export function createTurns(): TakeTurn {
  const lastOf = new Map<string, Promise<void>>()
  return async (name, run) => {
    const turn = (lastOf.get(name) ?? Promise.resolve()).then(run)
    const ended = turn.then(ignore, ignore)
    lastOf.set(name, ended)
    void ended.then(() => {
      if (lastOf.get(name) === ended) lastOf.delete(name)
    })
    return await turn
  }
}

const ignore = () => undefined

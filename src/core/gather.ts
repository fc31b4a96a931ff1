import { AsyncLocalStorage } from 'node:async_hooks'

export type GatherOptions<Item, Answer> = {
  /** Calls with different keys never share a run. By default all may. */
  key?: (item: Item) => string
  /** Calls in one run. */
  most: number
  /** From one run of a key to its next, unless `most` wait already. The first after a rest does not wait. */
  waitMs: number
  /** Runs of one key at the same time. */
  sideBySide: number
  /** Returns an answer for each item, in the order of the items: a value, or a promise that fails for
   * that item alone. An error that it throws is the error of all. */
  run: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>
}

type Call<Item, Answer> = {
  item: Item
  /** Undefined: the turn in which its run begins has it. */
  inContext: (<T>(run: () => T) => T) | undefined
  resolve: (answer: Answer | Promise<Answer>) => void
  reject: (error: unknown) => void
}

type Group<Item, Answer> = {
  name: string
  waiting: Call<Item, Answer>[]
  running: number
  notBefore: number
  timer: NodeJS.Timeout | undefined
  /** In the next turn of the event loop, so that all calls of this one are in the run. */
  isBeginning: boolean
}

/** Returns a function whose calls are collected, run together and answered one by one. A run has the
 * async context of its first call. */
export function gather<Item, Answer>(
  options: GatherOptions<Item, Answer>,
): (item: Item) => Promise<Answer> {
  const { key, most, waitMs, sideBySide, run } = options
  const groups = new Map<string, Group<Item, Answer>>()

  function proceed(group: Group<Item, Answer>): void {
    if (group.isBeginning) return
    const { waiting, running } = group
    const restMs = waitMs > 0 && waiting.length < most ? group.notBefore - performance.now() : 0
    if (restMs > 0) group.timer ??= setTimeout(wake, restMs, group)
    else if (waiting.length > 0 && running < sideBySide) {
      clearTimeout(group.timer)
      group.timer = undefined
      group.isBeginning = true
      setImmediate(begin, group)
    } else if (waiting.length + running === 0) groups.delete(group.name)
  }

  function wake(group: Group<Item, Answer>): void {
    group.timer = undefined
    proceed(group)
  }

  function begin(group: Group<Item, Answer>): void {
    const calls = group.waiting.splice(0, most)
    group.isBeginning = false
    group.running += 1
    if (waitMs > 0) group.notBefore = performance.now() + waitMs
    const inContext = calls[0]?.inContext
    void (inContext ? inContext(() => answer(group, calls)) : answer(group, calls))
    if (group.waiting.length > 0) proceed(group)
  }

  async function answer(
    group: Group<Item, Answer>,
    calls: readonly Call<Item, Answer>[],
  ): Promise<void> {
    try {
      const answers = await run(calls.map(({ item }) => item))
      if (answers.length !== calls.length) throw new Error('a run has not answered every call')
      for (const [at, { resolve }] of calls.entries()) resolve(answers[at] as Answer)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
    group.running -= 1
    proceed(group)
  }

  function create(name: string): Group<Item, Answer> {
    const state = { running: 0, notBefore: 0, timer: undefined, isBeginning: false }
    const group: Group<Item, Answer> = { name, waiting: [], ...state }
    groups.set(name, group)
    return group
  }

  return (item) => {
    const name = key ? key(item) : ''
    const known = groups.get(name)
    const group = known ?? create(name)
    // Whoever joins a run that is beginning is not its first.
    const joins = !known || (known.isBeginning && known.waiting.length < most)
    const inContext = joins ? undefined : AsyncLocalStorage.snapshot()
    return new Promise((resolve, reject) => {
      group.waiting.push({ item, inContext, resolve, reject })
      proceed(group)
    })
  }
}

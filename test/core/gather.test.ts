import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type GatherOptions, gather } from '../../src/core/gather.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

type Run = { items: readonly string[]; end: PromiseWithResolvers<void>; at: number }

/** Each run is kept, and ends when the test ends it. An answer is the item in capitals. */
function setUp(options: Partial<GatherOptions<string, string>> = {}) {
  const runs: Run[] = []
  const call = gather<string, string>({
    ...{ most: 3, waitMs: 0, sideBySide: 1 },
    async run(items) {
      const end = Promise.withResolvers<void>()
      runs.push({ items, end, at: performance.now() })
      await end.promise
      return items.map((item) => item.toUpperCase())
    },
    ...options,
  })
  const endAll = () => {
    for (const { end } of runs) end.resolve()
  }
  return { call, runs, endAll, itemsOf: () => runs.map(({ items }) => items) }
}

const nextTurn = () => pause(5)

test('calls of one turn are run together, and each gets its own answer', async () => {
  const { call, endAll, itemsOf } = setUp()
  const answers = ['a', 'b', 'c'].map(call)
  await nextTurn()
  expect(itemsOf()).toEqual([['a', 'b', 'c']])
  endAll()
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'C'])
})

test('calls that come during a run are run together after it, no more than the most', async () => {
  const { call, runs, itemsOf } = setUp()
  const first = call('a')
  await nextTurn()
  const others = ['b', 'c', 'd', 'e'].map(call)
  await nextTurn()
  expect(itemsOf()).toEqual([['a']])
  runs[0]?.end.resolve()
  expect(await first).toBe('A')
  await nextTurn()
  expect(itemsOf()).toEqual([['a'], ['b', 'c', 'd']])
  runs[1]?.end.resolve()
  await nextTurn()
  expect(itemsOf()).toEqual([['a'], ['b', 'c', 'd'], ['e']])
  runs[2]?.end.resolve()
  expect(await Promise.all(others)).toEqual(['B', 'C', 'D', 'E'])
})

test('calls with different keys are never run together, nor wait for each other', async () => {
  const { call, itemsOf, endAll } = setUp({ key: ([first = '']) => first })
  const answers = ['a1', 'b1', 'a2'].map(call)
  await nextTurn()
  expect(itemsOf()).toEqual([['a1', 'a2'], ['b1']])
  endAll()
  expect(await Promise.all(answers)).toEqual(['A1', 'B1', 'A2'])
})

test('as many runs of a key go on side by side as are allowed', async () => {
  const { call, itemsOf, runs, endAll } = setUp({ most: 1, sideBySide: 2 })
  const answers = ['a', 'b', 'c'].map(call)
  await nextTurn()
  expect(itemsOf()).toEqual([['a'], ['b']])
  runs[1]?.end.resolve()
  await nextTurn()
  expect(itemsOf()).toEqual([['a'], ['b'], ['c']])
  endAll()
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'C'])
})

test('a lone call does not wait, the next waits for company, and after a rest none waits', async () => {
  const run = async (items: readonly string[]) => items
  const call = gather<string, string>({ most: 3, waitMs: 200, sideBySide: 1, run })
  const timed = async (item: string) => {
    const start = performance.now()
    await call(item)
    return performance.now() - start
  }
  expect(await timed('a')).toBeLessThan(100)
  expect(await timed('b')).toBeGreaterThan(100)
  await pause(250)
  expect(await timed('c')).toBeLessThan(100)
})

test('calls that fill a run do not wait for more company', async () => {
  const { call, itemsOf, endAll } = setUp({ waitMs: 60_000, sideBySide: 2 })
  const answers = [call('a')]
  await nextTurn()
  answers.push(...['b', 'c'].map(call))
  await pause(20)
  expect(itemsOf()).toEqual([['a']])
  answers.push(call('d'))
  await nextTurn()
  expect(itemsOf()).toEqual([['a'], ['b', 'c', 'd']])
  endAll()
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D'])
})

test('an error of a run reaches each of its callers, and no other', async () => {
  const { call, runs } = setUp()
  const failing = Promise.allSettled(['a', 'b'].map(call))
  await nextTurn()
  const next = call('c')
  runs[0]?.end.reject(new Error('gone'))
  expect(await failing).toMatchObject([
    { status: 'rejected', reason: { message: 'gone' } },
    { status: 'rejected', reason: { message: 'gone' } },
  ])
  await nextTurn()
  runs[1]?.end.resolve()
  expect(await next).toBe('C')
})

test('a run that throws before it waits, or leaves out an answer, fails its callers', async () => {
  const throwing = gather<string, string>({
    ...{ most: 3, waitMs: 0, sideBySide: 1 },
    run() {
      throw new Error('at once')
    },
  })
  await expect(throwing('a')).rejects.toThrow('at once')
  await expect(throwing('b')).rejects.toThrow('at once')
  const { call, endAll } = setUp({ run: async (items) => items.slice(1) })
  const answers = Promise.allSettled(['a', 'b'].map(call))
  endAll()
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('an answer that is a promise fails for its caller alone, and holds up no other', async () => {
  const late = Promise.withResolvers<string>()
  const call = gather<string, string>({
    ...{ most: 3, waitMs: 0, sideBySide: 1 },
    run: async ([first]) =>
      first === 'a' ? [late.promise, Promise.reject(new Error('only b')), 'C'] : ['D'],
  })
  const [a, b, c] = ['a', 'b', 'c'].map(call)
  await expect(b).rejects.toThrow('only b')
  expect(await c).toBe('C')
  expect(await call('d')).toBe('D')
  late.resolve('A')
  expect(await a).toBe('A')
})

test('a run has the async context of its first call', async () => {
  const names = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const { call, endAll } = setUp({
    async run(items) {
      seen.push(names.getStore())
      await nextTurn()
      return items
    },
  })
  const first = names.run('one', () => call('a'))
  await nextTurn()
  const later = ['two', 'three'].map((name) => names.run(name, () => call(name)))
  await Promise.all([first, ...later])
  endAll()
  expect(seen).toEqual(['one', 'two'])
})

test.each([0, 1])(
  'a key without calls is forgotten, after a pause of %d ms too',
  async (waitMs) => {
    const call = gather<string, string>({
      ...{ key: (item) => item, most: 3, waitMs, sideBySide: 1 },
      run: async (items) => items.map(() => 'done'),
    })
    const before = usedMiB()
    for (let many = 0; many < 20; many += 1) {
      const keys = Array.from({ length: 1_000 }, (_, n) => `${many} ${n}`.padEnd(2_000))
      // A rope would share its padding.
      await Promise.all(keys.map((key) => call(Buffer.from(key).toString('latin1'))))
    }
    await pause(50)
    expect(usedMiB() - before).toBeLessThan(10)
  },
)

function usedMiB(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

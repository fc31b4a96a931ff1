import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../../src/core/errors.ts'
import {
  createFairSlots,
  type FairSlots,
  mayTake,
  type Release,
  type SlotLimits,
} from '../../../src/core/limits/fair-slots.ts'

const LONG = 60_000

/** Takes a slot and notes it in `served` once it is there. */
function take(slots: FairSlots, name: string, served: string[], label = name): Promise<Release> {
  const taken = Promise.resolve(slots.take(name))
  taken.then(
    () => served.push(label),
    () => undefined,
  )
  return taken
}

/** What still waits when its test is over is refused later. */
const neverServed = () => undefined

test('a name has no more slots than its share, and another name gets one at once', async () => {
  const slots = createFairSlots({ total: 3, perName: 2, waitMs: LONG })
  const served: string[] = []
  const [first] = await Promise.all([take(slots, 'a', served), take(slots, 'a', served)])
  const third = take(slots, 'a', served, 'third')
  await take(slots, 'b', served)
  expect(served).toEqual(['a', 'a', 'b'])
  expect(slots.waiting()).toBe(1)
  first?.()
  await third
  expect(served).toEqual(['a', 'a', 'b', 'third'])
  expect(slots.waiting()).toBe(0)
})

test('a slot that is free is given at once', () => {
  const slots = createFairSlots({ total: 1, perName: 1, waitMs: LONG })
  expect(slots.take('a')).toBeInstanceOf(Function)
})

test('names that wait are served in rotation, and each in its own order', async () => {
  const slots = createFairSlots({ total: 1, perName: 1, waitMs: LONG })
  const served: string[] = []
  let release = await slots.take('a')
  const labels = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']
  const taken = labels.map((label) => take(slots, label.slice(0, 1), served, label))
  const inTurn = ['b1', 'c1', 'a1', 'b2', 'a2', 'a3', 'a4']
  for (const label of inTurn) {
    release()
    release = await (taken[labels.indexOf(label)] ?? Promise.reject(new Error(label)))
  }
  expect(served).toEqual(inTurn)
})

test('a name with a thousand waiting delays another by no more than the slots in use', async () => {
  const slots = createFairSlots({ total: 4, perName: 4, waitMs: LONG })
  const served: string[] = []
  const releases: Release[] = []
  for (let count = 0; count < 1_000; count += 1) {
    void take(slots, 'a', served).then((release) => releases.push(release), neverServed)
  }
  await nextTurn()
  const late = take(slots, 'b', served)
  releases.shift()?.()
  await late
  expect(served.filter((name) => name === 'a')).toHaveLength(4)
})

test('a caller that waits too long for a slot is refused as unavailable, and those behind it are served', async () => {
  const slots = createFairSlots({ total: 1, perName: 1, waitMs: 1 })
  const release = await slots.take('a')
  const refused = await Promise.resolve(slots.take('a')).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Refusal)
  expect(refused).toMatchObject({ code: 'unavailable', extras: { retryAfterSeconds: 1 } })
  expect((refused as Refusal).extras.cause).toBeUndefined()
  expect(slots.waiting()).toBe(0)
  release()
  ;(await slots.take('a'))()
  ;(await slots.take('b'))()
})

test('a slot that is released twice is free once', async () => {
  const slots = createFairSlots({ total: 1, perName: 1, waitMs: LONG })
  const release = await slots.take('a')
  release()
  release()
  await slots.take('a')
  const served: string[] = []
  void take(slots, 'b', served).catch(neverServed)
  await nextTurn()
  expect(served).toEqual([])
})

test.each<[name: string, held: number, inUse: number, expected: boolean]>([
  ['the first of a name, of those that are reserved', 0, 31, true],
  ['the first of a name, when none is free', 0, 32, false],
  ['the second of a name, when none is left but those that are reserved', 1, 24, false],
  ['the second of a name, before that', 1, 23, true],
  ['the last of the share of a name', 15, 15, true],
  ['one beyond its share', 16, 16, false],
])('a name takes %s', (_name, held, inUse, expected) => {
  expect(mayTake({ held, inUse }, { total: 32, perName: 16, reserve: 8 })).toBe(expected)
})

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const limits = fc
  .record({ total: fc.integer({ min: 1, max: 9 }), perName: fc.integer({ min: 1, max: 9 }) })
  .chain(({ total, perName }) =>
    fc.record({
      total: fc.constant(total),
      perName: fc.constant(perName),
      reserve: fc.integer({ min: 0, max: total - 1 }),
    }),
  )
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ take: fc.constantFrom(...NAMES) }) },
  { weight: 2, arbitrary: fc.record({ release: fc.nat() }) },
)
/** In full length: the default is a tenth of it. */
const sequence = fc.array(step, { maxLength: 60, size: 'max' })
type Step = { take: string } | { release: number }

/** Plays steps on new slots, and checks after each what must hold. */
async function playSlots(options: Required<SlotLimits>, steps: readonly Step[]) {
  const slots = createFairSlots({ ...options, waitMs: LONG })
  const held: { name: string; release: Release }[] = []
  const waiting: string[] = []
  const heldBy = (name: string) => held.filter((one) => one.name === name).length
  const demand = (name: string) => {
    waiting.push(name)
    const hold = (release: Release) => {
      waiting.splice(waiting.indexOf(name), 1)
      held.push({ name, release })
    }
    void Promise.resolve(slots.take(name)).then(hold, neverServed)
  }
  const free = (one: (typeof held)[number] | undefined) => {
    if (one) held.splice(held.indexOf(one), 1)
    one?.release()
  }
  const house = { held, waiting, heldBy, demand, free }
  for (const next of steps) {
    if ('take' in next) demand(next.take)
    else free(held[next.release % (held.length || 1)])
    await nextTurn()
    checkSlots(house, options)
  }
  return house
}

type House = { held: { name: string }[]; waiting: string[]; heldBy(name: string): number }

function checkSlots({ held, waiting, heldBy }: House, options: Required<SlotLimits>) {
  const inUse = held.length
  expect(inUse).toBeLessThanOrEqual(options.total)
  for (const name of NAMES) expect(heldBy(name)).toBeLessThanOrEqual(options.perName)
  // No slot stays idle that a caller who waits may have.
  for (const name of waiting) {
    expect(mayTake({ held: heldBy(name), inUse }, options)).toBe(false)
  }
  // Who holds none waits only while so many names hold some.
  const { total, perName, reserve } = options
  const holders = new Set(held.map(({ name }) => name)).size
  if (waiting.some((name) => heldBy(name) === 0)) {
    expect(holders).toBeGreaterThanOrEqual(reserve + Math.ceil((total - reserve) / perName))
  }
}

test('for any order of callers no limit is exceeded, no slot stays idle, and who holds none is served at once while few hold some', async () => {
  await fc.assert(
    fc.asyncProperty(limits, sequence, async (options, steps) => {
      await playSlots(options, steps)
    }),
    { numRuns: 200 },
  )
})

/** As many ends as there can be slots. */
const LATER = fc.array(fc.record({ end: fc.nat(), takes: fc.array(fc.constantFrom(...NAMES)) }), {
  minLength: 9,
  maxLength: 9,
})

test('for any order of callers a name that holds none is served when the calls end that ran as it came, whatever comes after it', async () => {
  await fc.assert(
    fc.asyncProperty(
      limits.filter(({ total }) => total > NAMES.length),
      sequence,
      LATER,
      async (options, steps, later) => {
        const house = await playSlots(options, steps)
        const running = [...house.held]
        house.demand('newcomer')
        await nextTurn()
        for (const { end, takes } of later) {
          for (const name of takes) house.demand(name)
          const [ended] = running.splice(end % (running.length || 1), 1)
          house.free(ended)
          await nextTurn()
        }
        expect(house.heldBy('newcomer')).toBe(1)
      },
    ),
    { numRuns: 200 },
  )
})

test('for any order of callers each is served once as many calls have ended as came before it', async () => {
  await fc.assert(
    fc.asyncProperty(limits, sequence, async (options, steps) => {
      const house = await playSlots(options, steps)
      let rounds = house.waiting.length
      for (; rounds > 0; rounds -= 1) {
        for (const one of [...house.held]) house.free(one)
        await nextTurn()
      }
      expect(house.waiting).toEqual([])
    }),
    { numRuns: 200 },
  )
})

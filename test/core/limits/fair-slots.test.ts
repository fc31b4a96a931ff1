import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../../src/core/errors.ts'
import {
  createFairSlots,
  type FairSlots,
  type Release,
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

test('for any order of callers no limit is exceeded, no caller is forgotten and no slot stays idle', async () => {
  const step = fc.oneof(
    fc.record({ take: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ release: fc.nat() }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { maxLength: 60 }),
      async (total, perName, steps) => {
        const slots = createFairSlots({ total, perName, waitMs: LONG })
        const held: { name: string; release: Release }[] = []
        const wanted = { a: 0, b: 0, c: 0 }
        const countOf = (name: string) => held.filter((one) => one.name === name).length
        for (const next of steps) {
          if ('take' in next) {
            wanted[next.take as 'a'] += 1
            const hold = (release: Release) => held.push({ name: next.take, release })
            void Promise.resolve(slots.take(next.take)).then(hold, neverServed)
          } else {
            const [given] = held.splice(next.release % (held.length || 1), 1)
            if (given) wanted[given.name as 'a'] -= 1
            given?.release()
          }
          await nextTurn()
          const names = ['a', 'b', 'c'] as const
          for (const name of names) expect(countOf(name)).toBeLessThanOrEqual(perName)
          const most = names.reduce((sum, name) => sum + Math.min(perName, wanted[name]), 0)
          expect(held.length).toBe(Math.min(total, most))
        }
      },
    ),
    { numRuns: 200 },
  )
})

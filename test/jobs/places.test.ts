import { expect, test } from 'vitest'
import { createPlaces } from '../../src/jobs/places.ts'

type TestLane = { tenantId: string; name: string }

const lane = (tenantId: string, name: string): TestLane => ({ tenantId, name })

function openPlaces(caps: { total?: number; perTenant: number }) {
  const again: string[] = []
  const places = createPlaces<TestLane>({
    ...caps,
    idOf: ({ tenantId, name }) => `${tenantId}/${name}`,
    again: ({ name }) => again.push(name),
  })
  return { places, again }
}

test('a tenant gets no more than its share, and others get the rest', () => {
  const { places } = openPlaces({ total: 6, perTenant: 3 })
  expect(places.take(lane('a', 'a1'), 2)).toBe(2)
  expect(places.take(lane('a', 'a2'), 2)).toBe(1)
  expect(places.take(lane('a', 'a3'), 2)).toBe(0)
  expect(places.take(lane('b', 'b1'), 10)).toBe(3)
  expect(places.take(lane('c', 'c1'), 1)).toBe(0)
})

test('lanes that got no place are added again as places become free, the first first and each once', () => {
  const { places, again } = openPlaces({ perTenant: 2 })
  places.take(lane('a', 'a1'), 2)
  for (const name of ['a2', 'a3', 'a2']) expect(places.take(lane('a', name), 1)).toBe(0)
  places.free(lane('a', 'a1'), 1)
  expect(again).toEqual(['a2'])
  places.free(lane('a', 'a1'), 1)
  expect(again).toEqual(['a2', 'a3'])
  places.take(lane('a', 'a2'), 1)
  places.free(lane('a', 'a2'), 1)
  expect(again).toEqual(['a2', 'a3'])
})

test('a place goes to a lane that may have it, not to one of a tenant at its cap', () => {
  const { places, again } = openPlaces({ total: 3, perTenant: 2 })
  places.take(lane('a', 'a1'), 2)
  places.take(lane('b', 'b1'), 1)
  places.take(lane('a', 'a2'), 1)
  places.take(lane('c', 'c1'), 1)
  places.free(lane('b', 'b1'), 1)
  expect(again).toEqual(['c1'])
})

test('a lane that got a place meanwhile is not added again', () => {
  const { places, again } = openPlaces({ perTenant: 1 })
  places.take(lane('a', 'a1'), 1)
  places.take(lane('a', 'a2'), 1)
  places.free(lane('a', 'a1'), 1)
  expect(again).toEqual(['a2'])
  places.take(lane('a', 'a1'), 1)
  places.take(lane('a', 'a2'), 1)
  expect(places.take(lane('b', 'a2'), 1)).toBe(1)
  places.free(lane('a', 'a1'), 1)
  places.take(lane('a', 'a2'), 1)
  places.free(lane('a', 'a2'), 1)
  expect(again).toEqual(['a2', 'a2'])
})

test('a lane is told that another of its tenant waits for a place, until that has its turn', () => {
  const { places } = openPlaces({ perTenant: 1 })
  const [first, second, other] = [lane('a', 'a1'), lane('a', 'a2'), lane('b', 'b1')]
  places.take(first, 1)
  expect(places.isContended(first)).toBe(false)
  places.take(second, 1)
  expect([places.isContended(first), places.isContended(other)]).toEqual([true, false])
  places.free(first, 1)
  expect(places.isContended(first)).toBe(false)
})

test('a lane that waits for a place is no contention for itself', () => {
  const { places } = openPlaces({ perTenant: 1 })
  places.take(lane('a', 'a1'), 1)
  expect(places.take(lane('a', 'a2'), 1)).toBe(0)
  expect(places.isContended(lane('a', 'a2'))).toBe(false)
  expect(places.isContended(lane('a', 'a1'))).toBe(true)
  expect(places.isContended(lane('b', 'b1'))).toBe(false)
})

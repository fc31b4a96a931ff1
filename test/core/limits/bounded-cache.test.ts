import { expect, test } from 'vitest'
import { createBoundedCache } from '../../../src/core/limits/bounded-cache.ts'

test('a full cache keeps what was used last', () => {
  const cache = createBoundedCache<string, number>(2)
  cache.set('first', 1)
  cache.set('second', 2)
  expect(cache.get('first')).toBe(1)

  cache.set('third', 3)

  expect([...cache.keys()].sort()).toEqual(['first', 'third'])
})

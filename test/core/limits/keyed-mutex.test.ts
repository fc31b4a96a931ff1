import { expect, test } from 'vitest'
import { createKeyedMutex } from '../../../src/core/limits/keyed-mutex.ts'

test('functions of one key run one after another, in order; those of other keys run concurrently', async () => {
  const runExclusive = createKeyedMutex()
  const first = Promise.withResolvers<void>()
  const begun: string[] = []
  const run = (text: string, wait = Promise.resolve()) => {
    return async () => {
      begun.push(text)
      await wait
      return text
    }
  }
  const runs = [
    runExclusive('a', run('a1', first.promise)),
    runExclusive('a', run('a2')),
    runExclusive('a', run('a3')),
  ]
  expect(await runExclusive('b', run('b1'))).toBe('b1')
  expect(begun).toEqual(['a1', 'b1'])
  first.resolve()
  expect(await Promise.all(runs)).toEqual(['a1', 'a2', 'a3'])
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('a function that fails rejects for its own caller, and the next one runs', async () => {
  const runExclusive = createKeyedMutex()
  const failing = runExclusive('a', () => Promise.reject(new Error('broken')))
  const next = runExclusive('a', async () => 'next')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

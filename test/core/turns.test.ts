import { expect, test } from 'vitest'
import { createTurns } from '../../src/core/turns.ts'

test('runs of one name follow each other, in order; others go beside them', async () => {
  const takeTurn = createTurns()
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
    takeTurn('a', run('a1', first.promise)),
    takeTurn('a', run('a2')),
    takeTurn('a', run('a3')),
  ]
  expect(await takeTurn('b', run('b1'))).toBe('b1')
  expect(begun).toEqual(['a1', 'b1'])
  first.resolve()
  expect(await Promise.all(runs)).toEqual(['a1', 'a2', 'a3'])
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('a run that fails tells its caller alone', async () => {
  const takeTurn = createTurns()
  const failing = takeTurn('a', () => Promise.reject(new Error('broken')))
  const next = takeTurn('a', async () => 'next')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

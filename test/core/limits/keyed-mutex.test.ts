import { expect, test } from 'vitest'
import { createKeyedMutex } from '../../../src/core/limits/keyed-mutex.ts'

const PATIENT = { ms: 60_000, refuse: () => new Error('too late') }

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
    runExclusive('a', run('a1', first.promise), PATIENT),
    runExclusive('a', run('a2'), PATIENT),
    runExclusive('a', run('a3'), PATIENT),
  ]
  expect(await runExclusive('b', run('b1'), PATIENT)).toBe('b1')
  expect(begun).toEqual(['a1', 'b1'])
  first.resolve()
  expect(await Promise.all(runs)).toEqual(['a1', 'a2', 'a3'])
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('a function that fails rejects for its own caller, and the next one runs', async () => {
  const runExclusive = createKeyedMutex()
  const failing = runExclusive('a', () => Promise.reject(new Error('broken')), PATIENT)
  const next = runExclusive('a', async () => 'next', PATIENT)
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

test('a caller that has waited for its patience is refused, and its function never begins', async () => {
  const runExclusive = createKeyedMutex()
  const first = Promise.withResolvers<string>()
  const begun: string[] = []
  const running = runExclusive('a', () => first.promise, { ...PATIENT, ms: 1 })
  const late = runExclusive('a', async () => begun.push('late'), { ...PATIENT, ms: 1 })
  const patient = runExclusive('a', async () => begun.push('patient'), PATIENT)
  await expect(late).rejects.toThrow('too late')
  first.resolve('first')
  expect(await running).toBe('first')
  await patient
  expect(begun).toEqual(['patient'])
})

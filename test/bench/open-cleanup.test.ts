import { expect, test } from 'vitest'
import { endAll, openCleanup } from './open-cleanup.ts'

test('what is open when a run is stopped ends, the newest first, even where one end fails', async () => {
  const ended: string[] = []
  const open = (name: string) => {
    const cleanup = openCleanup()
    cleanup.defer(() => {
      ended.push(name)
    })
    return cleanup
  }
  open('stores')
  open('worker').defer(() => Promise.reject(new Error('It has ended by itself.')))
  const measured = open('measured')
  open('receiver')
  await measured.disposeAsync()

  await endAll()

  expect(ended).toEqual(['measured', 'receiver', 'worker', 'stores'])
})

test('what is ending already is waited for', async () => {
  const cleanup = openCleanup()
  const slow = Promise.withResolvers<void>()
  let hasEnded = false
  cleanup.defer(async () => {
    await slow.promise
    hasEnded = true
  })
  void cleanup.disposeAsync()

  const all = endAll()
  slow.resolve()
  await all

  expect(hasEnded).toBe(true)
})

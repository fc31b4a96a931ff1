import { expect, test } from 'vitest'
import { readWith } from '../support/process/command-options.ts'
import { createCommand } from './options.ts'

const read = (argv: readonly string[]) => readWith(createCommand(), argv)

test('without options, all is measured but what takes very long or needs a cluster', () => {
  const { only } = read([]) as { only: Set<string> }
  for (const name of ['a', 'u', 'live', 'crash']) expect(only).toContain(name)
  for (const name of ['j', 'curve', 'citus']) expect(only).not.toContain(name)
})

test('any measurement may be named', () => {
  expect(read(['--only', 'live,d,j', '--quick'])).toMatchObject({
    only: new Set(['live', 'd', 'j']),
    quick: true,
  })
})

test('a name that no measurement has is refused, with those there are', () => {
  expect(read(['--only', 'live,z'])).toEqual({
    refusal: expect.stringMatching(/No measurement is named 'z'. There are a, b, .*live, crash, j/),
  })
})

test('the curve is not measured with others, which would be left out', () => {
  expect(read(['--only', 'a,curve'])).toEqual({
    refusal: expect.stringContaining('curve is measured alone'),
  })
})

test('a name without its option is refused, and not left out', () => {
  expect(read(['live,d'])).toEqual({ refusal: expect.stringContaining('--help lists the options') })
})

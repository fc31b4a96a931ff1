import { expect, test } from 'vitest'
import { readWith } from '../support/process/command-options.ts'
import { createCommand } from './options.ts'

const read = (argv: readonly string[]) => readWith(createCommand(['backup', 'kills']), argv)

test('without options, every drill is done', () => {
  expect(read([])).toEqual({ only: new Set(['backup', 'kills']) })
})

test('a name that no drill has is refused, with those there are', () => {
  expect(read(['--only', 'backup,kill'])).toEqual({
    refusal: expect.stringContaining("No drill is named 'kill'. There are backup, kills."),
  })
})

test('a name without its option is refused, and does not start them all', () => {
  expect(read(['backup'])).toEqual({ refusal: expect.stringContaining('--only names drills') })
})

import { expect, test } from 'vitest'
import { readWith } from '../support/process/command-options.ts'
import { createCommand } from './options.ts'

const read = (argv: readonly string[]) => readWith(createCommand(), argv)

test('a part of a name chooses functions', () => {
  expect(read(['--only', 'claimDue', '--keep'])).toEqual({ only: 'claimDue', keep: true })
})

test('a name without its option is refused, and does not check all', () => {
  expect(read(['claimDue'])).toEqual({
    refusal: expect.stringContaining('--only takes a part of a name'),
  })
})

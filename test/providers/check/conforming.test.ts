import { expect, test } from 'vitest'
import { CHECKED } from '../../../src/providers/check/check-adapter.ts'
import { sandboxForFile } from './sandbox.ts'

const sandbox = sandboxForFile()

test.each(CHECKED)(
  "the sandbox's own %s do all that the contract asks, and show all of it",
  async (provider) => {
    const steps = await sandbox.check(provider, { hasCallbacks: true })
    expect(steps.filter(({ result }) => result !== 'right')).toEqual([])
    expect(steps.length).toBeGreaterThan(15)
  },
)

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/stores/database.ts'

test('what a transaction kept until its end is collected while it is young', async () => {
  await using database = await createTestDatabase({ maxConnections: 1 })
  const program = ['test/db/young-notes.ts', database.url]
  const { stdout } = await promisify(execFile)(process.execPath, program)
  // All of them are 20 MB.
  expect(Number(stdout)).toBeLessThan(5 * 1_048_576)
})

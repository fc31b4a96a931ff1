import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hashExamples } from '../scripts/examples/documented.ts'

const verified = readFileSync(new URL('../docs/examples/verified.json', import.meta.url), 'utf8')

// Running them takes Go, Python, OpenSSL and curl, which not every machine has; whoever changes one
// of them, or the vectors, has to.
test('each example is as it was when it was last run: else npm run examples', () => {
  expect(hashExamples()).toEqual(JSON.parse(verified))
})

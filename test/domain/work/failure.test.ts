import { expect, test } from 'vitest'
import { describeFailure } from '../../../src/domain/work/failure.ts'

/** A place in the image, where API and worker are built. */
const BUILT = 'file:///app/dist/service'

function describeAt(lines: readonly string[]): string {
  const error = new TypeError('ada@example.com is not a function')
  error.stack = [`TypeError: ${error.message}`, ...lines.map((line) => `    at ${line}`)].join('\n')
  return describeFailure(error)
}

test('of what is built, the first line that is not of a package is named with its function', () => {
  const lines = [
    `Parser.parse (${BUILT}/packages-pg-protocol-DGyoF2Xq.js:117:25)`,
    `async claimDue (${BUILT}/start-worker-DVwn68ds.js:812:17)`,
    `async run (${BUILT}/start-worker-DVwn68ds.js:990:3)`,
  ]
  expect(describeAt(lines)).toBe('TypeError at claimDue@start-worker-DVwn68ds.js:812')
})

test('a function without a name is named by its line', () => {
  expect(describeAt([`${BUILT}/policy-Dl0CMXa1.js:41:9`])).toBe(
    'TypeError at policy-Dl0CMXa1.js:41',
  )
  const anonymous = [`<anonymous> (${BUILT}/policy-Dl0CMXa1.js:41:9)`]
  expect(describeAt(anonymous)).toBe('TypeError at policy-Dl0CMXa1.js:41')
})

test('of the sources their file is named, and of packages alone nothing', () => {
  const source = 'async claimDue (file:///app/src/domain/work/claim.ts:80:17)'
  expect(describeAt([source])).toBe('TypeError at domain/work/claim.ts:80')
  expect(describeAt(['Parser.parse (/app/node_modules/pg-protocol/parser.js:117:25)'])).toBe(
    'TypeError',
  )
})

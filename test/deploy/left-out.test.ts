import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LEFT_OUT, quote, RUN_TESTS } from '../citus/left-out.ts'

test('every file and test that a run on a cluster leaves out exists, and no other test is left out', () => {
  const texts = globSync('test/**/*.test.ts').map((path) => readFileSync(path, 'utf8'))
  const titles = texts.flatMap((text) =>
    [...text.matchAll(/(?:test|\))\(\s*'(\w[^'\n]+)'/g)].map(([, title = '']) => title),
  )
  const isTitleOf = (name: string) => (title: string) =>
    title.startsWith(name) || new RegExp(`^${quote(title).replaceAll('%s', '.+')}$`).test(name)
  for (const { reason, files = [], tests = [] } of LEFT_OUT) {
    for (const pattern of files) expect(globSync(pattern), `${reason}: ${pattern}`).not.toEqual([])
    for (const name of tests) {
      expect(titles.filter(isTitleOf(name)), name).not.toEqual([])
      expect(RUN_TESTS.test(`a group ${name}, and more`)).toBe(false)
    }
  }
  expect(RUN_TESTS.test('a test of which nothing is known')).toBe(true)
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const pages = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.replaceAll('\\', '/'))
const readPage = (name: string) => readFileSync(new URL(name, root), 'utf8')
const countLines = (name: string) => readPage(name).split('\n').length - 1

test('the README has at most 90 lines', () => {
  expect(countLines('README.md')).toBeLessThanOrEqual(90)
})

test.each(pages)('docs/%s has at most 250 lines', (name) => {
  expect(countLines(`docs/${name}`)).toBeLessThanOrEqual(250)
})

test('the index links to every page of docs', () => {
  const links = [...readPage('docs/README.md').matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link)
  const indexed = new Set(links)
  const listed = pages.filter((name) => !name.startsWith('decisions/') && name !== 'README.md')
  expect(listed.filter((name) => !indexed.has(name))).toEqual([])
})

test.each(['architecture.md', 'lifecycles.md', 'where-to-put.md'])(
  'each source file that docs/%s names exists',
  (name) => {
    const named = [...readPage(`docs/${name}`).matchAll(/`((?:[\w-]+\/)+[\w-]+\.ts)`/g)]
    const folders = ['', 'src/', 'src/domain/']
    const missing = named
      .map(([, path = '']) => path)
      .filter((path) => !folders.some((folder) => existsSync(new URL(folder + path, root))))
    expect(named.length).toBeGreaterThan(5)
    expect(missing).toEqual([])
  },
)

describe('the decision records', () => {
  const index = readPage('docs/decisions/README.md')
  const files = pages.filter((name) => /^decisions\/(?!README)/.test(name))
  const records = files.flatMap((name) =>
    readPage(`docs/${name}`)
      .split(/^## /m)
      .slice(1)
      .map((text) => ({ name, text, number: Number(/^(\d+)\. \S/.exec(text)?.[1]) })),
  )

  test('each decision record has a number of its own, and the index has a next one that is free', () => {
    const numbers = records.map(({ number }) => number)
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
    const [, next] = /The next free number is \*\*(\d+)\*\*\./.exec(index) ?? []
    expect(Number(next)).toBeGreaterThan(Math.max(...numbers))
  })

  test('each decision record has a context, a decision and a consequence', () => {
    const parts = /\*\*Context\.\*\* .+\n\n\*\*Decision\.\*\* .+\n\n\*\*Consequence\.\*\* .+\n/
    expect(records.filter(({ text }) => !parts.test(text))).toEqual([])
  })

  test('every decision record is in a file that the index names', () => {
    const missing = files.filter((name) => !index.includes(name.replace('decisions/', '(')))
    expect(missing).toEqual([])
  })
})

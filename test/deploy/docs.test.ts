import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

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
  const listed = pages.filter((name) => name !== 'README.md')
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

test('the pages of docs have at most 60,000 words', () => {
  const words = pages.flatMap((name) => readPage(`docs/${name}`).split(/\s+/).filter(Boolean))
  const what = 'words of docs, with those that npm run events writes: cut some elsewhere'
  expect(words.length, what).toBeLessThanOrEqual(60_000)
})

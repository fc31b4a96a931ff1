import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { BUILT, buildConsole } from '../support/console/build.ts'

const BUILD_MS = 180_000
const FIRST_LOAD_BYTES = 250 * 1_000

beforeAll(async () => {
  await buildConsole()
}, BUILD_MS)

/** What the first page loads: the document's files, what they import at once, the overview, the font. */
function listFirstLoad(): Set<string> {
  const document = readFileSync(join(BUILT, 'index.html'), 'utf8')
  const files = new Set<string>()
  const visit = (name: string) => {
    if (files.has(name)) return
    files.add(name)
    if (!/\.(js|css)$/.test(name)) return
    const source = readFileSync(join(BUILT, 'assets', name), 'utf8')
    const statics = source.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)
    for (const [, imported = ''] of statics) visit(imported)
    for (const [, font = ''] of source.matchAll(/url\(\/console\/assets\/([^)]+\.woff2)\)/g))
      visit(font)
  }
  for (const [, name = ''] of document.matchAll(/\/console\/assets\/([^"]+)/g)) visit(name)
  const pages = readdirSync(join(BUILT, 'assets')).filter((name) =>
    /^overview-.*\.(js|css)$/.test(name),
  )
  for (const name of pages) visit(name)
  return files
}

test('the first load is at most 250 kB as it is sent', () => {
  const sizes = [...listFirstLoad()].map((name) => {
    const path = join(BUILT, 'assets', name)
    const sent = name.endsWith('.woff2') ? path : `${path}.br`
    return statSync(sent).size
  })
  expect(sizes.length).toBeGreaterThan(5)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES)
})

test('charts are no part of the first load', () => {
  const loaded = [...listFirstLoad()].filter((name) => name.endsWith('.js'))
  const sources = loaded.map((name) => readFileSync(join(BUILT, 'assets', name), 'utf8'))
  expect(sources.filter((source) => source.includes('recharts'))).toEqual([])
})

test('every file has its hash in its name, and a compressed copy beside it', () => {
  const names = readdirSync(join(BUILT, 'assets'))
  const files = names.filter((name) => !/\.(br|gz)$/.test(name))
  expect(files.filter((name) => !/-[\w-]{8}\.\w+$/.test(name))).toEqual([])
  const texts = files.filter((name) => !name.endsWith('.woff2'))
  expect(texts.filter((name) => !names.includes(`${name}.br`))).toEqual([])
  expect(texts.filter((name) => !names.includes(`${name}.gz`))).toEqual([])
})

test('the document has no inline script or style, and a place for the nonce', () => {
  const document = readFileSync(join(BUILT, 'index.html'), 'utf8')
  expect(document).toContain('content="%CSP_NONCE%"')
  expect(document).not.toMatch(/<style|<script(?![^>]*\bsrc=)/)
  expect(document).not.toMatch(/\son\w+=|\sstyle=/)
})

test('what is built already is not built again', async () => {
  expect(await buildConsole()).toBe('the pages are up to date')
})

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { BUILT, BUILT_DESK, buildConsole } from '../support/console/build.ts'

const BUILD_MS = 180_000
const FIRST_LOAD_BYTES = 250 * 1_000

beforeAll(async () => {
  await buildConsole()
}, BUILD_MS)

/** The name of the first page's own files. */
const SITES = [
  { site: 'console', folder: BUILT, first: /^overview-.*\.(js|css)$/ },
  { site: 'desk', folder: BUILT_DESK, first: /^book-page-.*\.(js|css)$/ },
]

/** What the first page loads: the document's files, what they import at once, its own, the font. */
function listFirstLoad({ site, folder, first }: (typeof SITES)[number]): string[] {
  const document = readFileSync(join(folder, 'index.html'), 'utf8')
  const files = new Set<string>()
  const visit = (name: string) => {
    if (files.has(name)) return
    files.add(name)
    if (!/\.(js|css)$/.test(name)) return
    const source = readFileSync(join(folder, 'assets', name), 'utf8')
    const statics = source.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)
    for (const [, imported = ''] of statics) visit(imported)
    const fonts = source.matchAll(new RegExp(`url\\(/${site}/assets/([^)]+\\.woff2)\\)`, 'g'))
    for (const [, font = ''] of fonts) visit(font)
  }
  const linked = document.matchAll(new RegExp(`/${site}/assets/([^"]+)`, 'g'))
  for (const [, name = ''] of linked) visit(name)
  const own = readdirSync(join(folder, 'assets')).filter((name) => first.test(name))
  expect(own.length).toBeGreaterThan(0)
  for (const name of own) visit(name)
  return [...files]
}

describe.each(SITES)('the first load of the $site', (site) => {
  test('is at most 250 kB as it is sent', () => {
    const sizes = listFirstLoad(site).map((name) => {
      const path = join(site.folder, 'assets', name)
      const sent = name.endsWith('.woff2') ? path : `${path}.br`
      return statSync(sent).size
    })
    expect(sizes.length).toBeGreaterThan(5)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES)
  })

  test('has no charts', () => {
    const loaded = listFirstLoad(site).filter((name) => name.endsWith('.js'))
    const sources = loaded.map((name) => readFileSync(join(site.folder, 'assets', name), 'utf8'))
    expect(sources.filter((source) => source.includes('recharts'))).toEqual([])
  })
})

describe('the styles of components', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'))
  /** Parts of a component in use that no page draws. */
  const notDrawn = ['CheckboxCard', 'RadioCard']
  const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g))
  const built = (kind: RegExp) =>
    readdirSync(join(BUILT, 'assets'))
      .filter((name) => kind.test(name))
      .map((name) => readFileSync(join(BUILT, 'assets', name), 'utf8'))
      .join('\n')
  const styleFiles = readdirSync(join(folder, 'styles'))
    .filter((name) => /^[A-Z]\w+\.css$/.test(name))
    .map((name) => ({
      component: name.replace('.css', ''),
      classes: [...classesIn(readFileSync(join(folder, 'styles', name), 'utf8'))],
    }))

  test('are there for every component that the pages have, and for no other', () => {
    const used = classesIn(built(/\.js$/))
    const styled = classesIn(built(/\.css$/))
    const among = (classes: ReadonlySet<string>) =>
      styleFiles
        .filter((file) => file.classes.some((name) => classes.has(name)))
        .map(({ component }) => component)
    expect(among(styled)).toEqual(among(used).filter((name) => !notDrawn.includes(name)))
  })

  test('are in the order of the library, in which later ones override', () => {
    const whole = readFileSync(join(folder, 'styles.css'), 'utf8')
    const listed = readFileSync(join('src', 'pages', 'mantine.css'), 'utf8')
    const places = [...listed.matchAll(/styles\/([A-Z]\w+)\.css/g)].map(([, component]) => {
      const file = styleFiles.find((one) => one.component === component)
      return whole.indexOf(file?.classes[0] ?? 'no such file')
    })
    expect(places.length).toBeGreaterThan(20)
    expect(places).toEqual([...places].sort((one, other) => one - other))
    expect(places).not.toContain(-1)
  })
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

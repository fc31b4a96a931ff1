import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const pages = [...listPages('.', { recursive: false }), ...listPages('docs', { recursive: true })]

function listPages(folder: string, options: { recursive: boolean }): string[] {
  return readdirSync(new URL(folder, root), { ...options, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
}

/** Without what stands in code, which is no link. */
function readProse(page: URL): string {
  return readFileSync(page, 'utf8').replace(/^```.*?^```/gms, '')
}

/** The anchors that a page's headings get where it is shown. */
function anchorsOf(page: URL): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of readProse(page).matchAll(/^#+ (.+)$/gm)) {
    const words = heading.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '')
    const slug = words.replaceAll(' ', '-')
    let [anchor, again] = [slug, 0]
    while (anchors.has(anchor)) {
      again += 1
      anchor = `${slug}-${again}`
    }
    anchors.add(anchor)
  }
  return anchors
}

test.each(pages)('each link of %s leads to a file, and to a heading of it', (name) => {
  const page = new URL(name, root)
  const prose = readProse(page).replace(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const broken = links.filter((link) => {
    if (/^\w+:/.test(link)) return false
    const target = new URL(link, page)
    const anchor = decodeURIComponent(target.hash.slice(1))
    target.hash = ''
    if (!existsSync(fileURLToPath(target))) return true
    return anchor !== '' && !anchorsOf(target).has(anchor)
  })
  expect(broken).toEqual([])
})

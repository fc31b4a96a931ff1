import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../pages/escape-html.ts'
import { GUIDES, type GuideName, guideFile, guidePath, listGuides } from '../pages/guides.ts'
import { createPage } from '../pages/layout.ts'
import { servePage } from '../pages/serve-page.ts'
import { type Form, serveText, type TextPage } from '../pages/text-page.ts'
import { createStaticFile, type StaticFile } from '../static-file.ts'

const DOCS = new URL('../../../docs/', import.meta.url)
const PAGES = new URL('../pages/', import.meta.url)
const EXAMPLES = /\.(ts|py|go|sh)$/

/** Other files that guides link to, by path in the repository. */
const SERVED_ELSEWHERE: Readonly<Record<string, (form: Form) => string>> = {
  '/openapi.json': () => '/openapi.json',
  '/src/http/errors/catalogue.ts': (form) => `/errors${form}`,
  '/src/http/reference/page.html': () => '/docs',
}

/** Serves docs/ at /docs/guides. Files are read at start; pages are rendered on first request. */
export function guidePages(app: FastifyInstance, publicUrl: string): readonly TextPage[] {
  const examples = readdirSync(new URL('examples/', DOCS), { recursive: true, encoding: 'utf8' })
    .filter((name) => EXAMPLES.test(name))
    .map((name) => `examples/${name.replaceAll('\\', '/')}`)
  const pages = GUIDES.map(({ name, title }): TextPage => {
    const file = guideFile(name)
    return {
      ...{ path: guidePath(name), title, section: '/docs/guides' },
      text: readText(DOCS, file).replaceAll('https://sandbox.example.com', publicUrl),
      resolveLink: (href, form) => resolveLink(href, form, { file, examples }),
      aside: (headings) => listGuides(name, headings),
      end: linkNeighbours(name),
    }
  })

  const list = listForPrograms(publicUrl)
  const style = readText(PAGES, 'frame.css') + readText(PAGES, 'guides.css')
  const script = readText(PAGES, 'guides.js')
  servePage(app, '/docs/guides.css', () => createStaticFile('text/css; charset=utf-8', style))
  servePage(app, '/docs/guides.js', () =>
    createStaticFile('text/javascript; charset=utf-8', script),
  )
  servePage(app, '/docs/guides', describeGuides)
  servePage(app, '/docs/guides.md', () => createStaticFile('text/markdown; charset=utf-8', list))
  servePage(app, '/llms.txt', () => createStaticFile('text/plain; charset=utf-8', list))
  for (const page of pages) serveText(app, page)
  for (const path of examples) {
    const text = readText(DOCS, path)
    const address = `/docs/guides/${path}`
    servePage(app, address, () => createStaticFile('text/plain; charset=utf-8', text))
  }
  return pages
}

function readText(folder: URL, path: string): string {
  return readFileSync(new URL(path, folder), 'utf8')
}

/** Throws for a link to a page that is not served; tests render all pages. */
function resolveLink(
  href: string,
  form: Form,
  { file, examples }: { file: string; examples: readonly string[] },
): string {
  if (/^(https?:|#)/.test(href)) return href
  const target = new URL(href, new URL(file, 'file:///docs/'))
  const name = target.pathname.replace(/^\/docs\//, '')
  const guide = GUIDES.find(
    (known) => new URL(guideFile(known.name), 'file:///docs/').pathname === target.pathname,
  )
  if (guide) return guidePath(guide.name) + form + target.hash
  if (examples.includes(name)) return `/docs/guides/${name}`
  const elsewhere = SERVED_ELSEWHERE[target.pathname]
  if (elsewhere === undefined) throw new Error(`A guide links to ${href}, which is not served.`)
  return elsewhere(form)
}

function describeGuides(): StaticFile {
  const items = GUIDES.map(
    ({ name, title, summary }) =>
      `<li><a href="${guidePath(name)}">${escapeHtml(title)}</a><span>${escapeHtml(summary)}</span></li>`,
  )
  const main = `<h1>Guides</h1>
<p>What you need to integrate with this service. Operations, their members and their examples are in the <a href="/docs">API reference</a>, where you can also try them out; each error has a page under <a href="/errors">Errors</a>. Programs find the list at <a href="/llms.txt">/llms.txt</a>.</p>
<ul class="cards">${items.join('')}</ul>`
  return createPage({
    ...{ title: 'Guides', main, aside: listGuides() },
    ...{ section: '/docs/guides', markdownPath: '/docs/guides.md' },
  })
}

/** In the form of llmstxt.org. */
function listForPrograms(publicUrl: string): string {
  const guides = GUIDES.map(
    ({ name, title, summary }) => `- [${title}](${publicUrl}${guidePath(name)}.md): ${summary}`,
  )
  return `# Lending service

> A collateralised lender's API: tenants bring borrowers, who borrow against assets at a custodian. Requests are signed with Ed25519; what follows is reported by signed webhooks.

Each page under \`/docs/guides\` and \`/errors\` is Markdown at its path with \`.md\` added.

## Guides

${guides.join('\n')}

## Reference

- [OpenAPI 3.1](${publicUrl}/openapi.json): every operation, its members and its scope
- [Errors](${publicUrl}/errors.md): every code, each with a page about cause and cure
`
}

function linkNeighbours(name: GuideName): string {
  const at = GUIDES.findIndex((guide) => guide.name === name)
  const [before, after] = [GUIDES[at - 1], GUIDES[at + 1]]
  const link = (guide: (typeof GUIDES)[number] | undefined, rel: string, label: string) =>
    guide
      ? `<a rel="${rel}" href="${guidePath(guide.name)}"><small>${label}</small>${escapeHtml(guide.title)}</a>`
      : ''
  const links = link(before, 'prev', 'Before') + link(after, 'next', 'Next')
  return `<nav class="neighbours" aria-label="Neighbouring guides">${links}</nav>`
}

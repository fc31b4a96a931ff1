import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../pages/escape-html.ts'
import { GUIDES, type GuideName, guideFile, guidePath, listGuides } from '../pages/guides.ts'
import { createPage, PAGE_POLICY } from '../pages/layout.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../static-file.ts'

const DOCS = new URL('../../../docs/', import.meta.url)
const EXAMPLES = /\.(ts|py|go|sh)$/

/** Other files that guides link to, by path in the repository. */
const SERVED_ELSEWHERE: Readonly<Record<string, string>> = {
  '/openapi.json': '/openapi.json',
  '/src/http/errors/catalogue.ts': '/errors',
  '/src/http/reference/page.html': '/docs',
}

/** Serves docs/ at /docs/guides. Files are read at start; pages are rendered on first request. */
export function guidePages(app: FastifyInstance, publicUrl: string): void {
  const examples = readdirSync(new URL('examples/', DOCS), { recursive: true, encoding: 'utf8' })
    .filter((name) => EXAMPLES.test(name))
    .map((name) => `examples/${name.replaceAll('\\', '/')}`)
  const style = readFileSync(new URL('../pages/guides.css', import.meta.url), 'utf8')

  serve(app, '/docs/guides.css', () => createStaticFile('text/css; charset=utf-8', style))
  serve(app, '/docs/guides', describeGuides)
  for (const { name, title } of GUIDES) {
    const file = guideFile(name)
    const text = readDoc(file).replaceAll('https://sandbox.example.com', publicUrl)
    serve(app, guidePath(name), async () => {
      // With its parser for the first reader of a page.
      const { renderMarkdown } = await import('../pages/render-markdown.ts')
      const { html, headings } = renderMarkdown(text, (href) => resolveLink(href, file, examples))
      const main = `<article>${html}</article>${linkNeighbours(name)}`
      return createPage({ title, main, aside: listGuides(name, headings), section: '/docs/guides' })
    })
  }
  for (const path of examples) {
    const text = readDoc(path)
    serve(app, `/docs/guides/${path}`, () => createStaticFile('text/plain; charset=utf-8', text))
  }
}

function readDoc(path: string): string {
  return readFileSync(new URL(path, DOCS), 'utf8')
}

function serve(
  app: FastifyInstance,
  path: string,
  make: () => StaticFile | Promise<StaticFile>,
): void {
  let made: StaticFile | Promise<StaticFile> | undefined
  app.get(
    path,
    { schema: { hide: true } },
    async (request: FastifyRequest, reply: FastifyReply) => {
      made ??= make()
      reply.header('content-security-policy', PAGE_POLICY)
      return sendStaticFile(request, reply, await made)
    },
  )
}

/** Throws for a link to a page that is not served; tests render all pages. */
function resolveLink(href: string, file: string, examples: readonly string[]): string {
  if (/^(https?:|#)/.test(href)) return href
  const target = new URL(href, new URL(file, 'file:///docs/'))
  const name = target.pathname.replace(/^\/docs\//, '')
  const guide = GUIDES.find(
    (known) => new URL(guideFile(known.name), 'file:///docs/').pathname === target.pathname,
  )
  if (guide) return guidePath(guide.name) + target.hash
  if (examples.includes(name)) return `/docs/guides/${name}`
  const elsewhere = SERVED_ELSEWHERE[target.pathname]
  if (elsewhere === undefined) throw new Error(`A guide links to ${href}, which is not served.`)
  return elsewhere
}

function describeGuides(): StaticFile {
  const items = GUIDES.map(
    ({ name, title, summary }) =>
      `<li><a href="${guidePath(name)}">${escapeHtml(title)}</a><span>${escapeHtml(summary)}</span></li>`,
  )
  const main = `<h1>Guides</h1>
<p>What you need to integrate with this service. Operations, their members and their examples are in the <a href="/docs">API reference</a>, where you can also try them out; each error has a page under <a href="/errors">Errors</a>.</p>
<ul class="cards">${items.join('')}</ul>`
  return createPage({ title: 'Guides', main, aside: listGuides(), section: '/docs/guides' })
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

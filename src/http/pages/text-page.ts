import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createStaticFile } from '../static-file.ts'
import { createPage, type PageParts } from './layout.ts'
import type { Heading } from './render-markdown.ts'
import type { Section } from './search-sections.ts'
import { servePage } from './serve-page.ts'

/** A text is served as a page, and as Markdown at the page's path with `.md`. */
export type Form = '' | '.md'

export type TextPage = Required<Pick<PageParts, 'title' | 'section'>> & {
  path: string
  /** Markdown. */
  text: string
  /** Returns the address of a link, in the form that leads on from this one. */
  resolveLink(href: string, form: Form): string
  /** HTML beside the text. */
  aside(headings: readonly Heading[]): string
  /** HTML after it. */
  end?: string
}

/** Serves a text in both forms. */
export function serveText(app: FastifyInstance, page: TextPage): void {
  const { path, title, section, text, end = '' } = page
  const markdownPath = `${path}.md`
  servePage(app, path, async () => {
    const { html, headings } = await render(page)
    const main = `<article>${html}</article>${end}`
    return createPage({ title, main, aside: page.aside(headings), section, markdownPath })
  })
  servePage(app, markdownPath, async () => {
    const { cleanMarkdown } = await import('./render-markdown.ts')
    const clean = cleanMarkdown(text, (href) => page.resolveLink(href, '.md'))
    return createStaticFile('text/markdown; charset=utf-8', clean)
  })
}

/** In the order of the pages. Each is rendered in a turn of its own: requests go on meanwhile. */
export async function readSections(pages: readonly TextPage[]): Promise<readonly Section[]> {
  const sections: Section[] = []
  for (const page of pages) {
    await nextTurn()
    const { headings } = await render(page)
    for (const { level, id, text, body } of headings) {
      const path = level === 1 ? page.path : `${page.path}#${id}`
      sections.push({ path, page: page.title, heading: text, text: body.trim() })
    }
  }
  return sections
}

async function render({ text, resolveLink }: TextPage) {
  // With its parser for the first reader of a page.
  const { renderMarkdown } = await import('./render-markdown.ts')
  return renderMarkdown(text, (href) => resolveLink(href, ''))
}

import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../pages/escape-html.ts'
import { listGuides } from '../pages/guides.ts'
import { createPage, SEARCH_PATH } from '../pages/layout.ts'
import {
  excerpt,
  LONGEST_QUERY,
  type Section,
  searchSections,
  wordsOf,
} from '../pages/search-sections.ts'
import { serveFresh } from '../pages/serve-page.ts'
import { readSections, type TextPage } from '../pages/text-page.ts'

/** Searches the pages for `?q=`, for people without scripts too. Their texts are read at the first search. */
export function searchPage(app: FastifyInstance, pages: readonly TextPage[]): void {
  let read: Promise<readonly Section[]> | undefined
  serveFresh(app, SEARCH_PATH, async ({ query }) => {
    const { q } = query as Record<string, unknown>
    const asked = typeof q === 'string' ? q.slice(0, LONGEST_QUERY).trim() : ''
    read ??= readSections(pages)
    const main = describeFound(asked, await read)
    const title = asked === '' ? 'Search' : `Search: ${asked}`
    return createPage({ title, main, aside: listGuides(), query: asked })
  })
}

function describeFound(asked: string, sections: readonly Section[]): string {
  const words = wordsOf(asked)
  const head = '<h1>Search</h1>'
  if (words.length === 0) return `${head}<p>Enter words of a guide or an error above.</p>`
  const found = searchSections(sections, words)
  const quoted = `<strong>${escapeHtml(asked)}</strong>`
  if (found.sections.length === 0) {
    return `${head}<p>Nothing was found for ${quoted}. Operations and their members are in the <a href="/docs">API reference</a>, which has a search of its own.</p>`
  }
  const said = found.hasAll
    ? `Sections with ${quoted}, best first:`
    : `No section has all of ${quoted}. These have some of the words:`
  const items = found.sections.map(({ path, page, heading, text }) => {
    const title = heading === page ? page : `${page}: ${heading}`
    const part = escapeHtml(excerpt(text, words))
    return `<li><a href="${path}">${escapeHtml(title)}</a><span>${part}</span></li>`
  })
  return `${head}<p>${said}</p><ul class="cards">${items.join('')}</ul>`
}

import { escapeHtml } from './escape-html.ts'
import { GUIDES, type GuideName, guidePath } from './guides.ts'
import type { Heading } from './render-markdown.ts'

/** All guides, with the sections of the one that is open. */
export function listGuides(open?: GuideName, headings: readonly Heading[] = []): string {
  const sections = headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  const items = GUIDES.map(({ name, title }) => {
    const current = name === open ? ' aria-current="page"' : ''
    const list = name === open && sections.length > 0 ? `<ul>${sections.join('')}</ul>` : ''
    return `<li><a href="${guidePath(name)}"${current}>${escapeHtml(title)}</a>${list}</li>`
  })
  return `<nav aria-label="Guides"><ul>${items.join('')}</ul></nav>`
}

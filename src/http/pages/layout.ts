import { createStaticFile, type StaticFile } from '../static-file.ts'
import { escapeHtml } from './escape-html.ts'
import { LONGEST_QUERY } from './search-sections.ts'

export const SEARCH_PATH = '/docs/guides/search'

const LINKS = [
  ['/docs/guides', 'Guides'],
  ['/docs', 'API reference'],
  ['/errors', 'Errors'],
  ['/openapi.json', 'OpenAPI'],
] as const

export type PageParts = {
  title: string
  /** HTML. */
  main: string
  /** HTML beside it; on a narrow screen it is the menu. */
  aside: string
  /** The link at the top that is marked as current. */
  section?: '/docs/guides' | '/errors'
  /** The same text as Markdown. */
  markdownPath?: string
  /** The text that was searched for. */
  query?: string
}

export function createPage(parts: PageParts): StaticFile {
  const { title, main, aside, section, markdownPath, query = '' } = parts
  const links = LINKS.map(([path, text]) => {
    const current = path === section ? ' aria-current="true"' : ''
    return `<a href="${path}"${current}>${text}</a>`
  })
  const [alternate, foot] = linkMarkdown(markdownPath)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} · Lending service</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/docs/guides.css">
<script type="module" src="/docs/guides.js"></script>
<link rel="icon" href="data:,">
${alternate}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/">Lending service</a>
<button class="menu" type="button" popovertarget="side">Menu</button>
<nav aria-label="Documentation">${links.join('')}</nav>
<search><form action="${SEARCH_PATH}"><input type="search" name="q" value="${escapeHtml(query)}" maxlength="${LONGEST_QUERY}" placeholder="Search the guides" aria-label="Search the guides"></form></search>
</header>
<div class="columns">
<aside class="side" id="side" popover><button class="menu" type="button" popovertarget="side" popovertargetaction="hide">Close</button>${aside}</aside>
<main id="main">
${main}${foot}
</main>
</div>
</body>
</html>
`
  return createStaticFile('text/html; charset=utf-8', html)
}

/** For the head, and for the end of the page. */
function linkMarkdown(path: string | undefined): [alternate: string, foot: string] {
  if (path === undefined) return ['', '']
  return [
    `<link rel="alternate" type="text/markdown" href="${path}">\n`,
    `<p class="forms"><a href="${path}">This page as Markdown</a></p>`,
  ]
}

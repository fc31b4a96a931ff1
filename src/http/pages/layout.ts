import { createStaticFile, type StaticFile } from '../static-file.ts'
import { escapeHtml } from './escape-html.ts'

/** No scripts; the page's own style sheet only. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

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
  /** HTML beside it on wide screens. */
  aside: string
  /** The link at the top that is marked as current. */
  section: '/docs/guides' | '/errors'
}

export function createPage({ title, main, aside, section }: PageParts): StaticFile {
  const links = LINKS.map(([path, text]) => {
    const current = path === section ? ' aria-current="true"' : ''
    return `<a href="${path}"${current}>${text}</a>`
  })
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} · Lending service</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/docs/guides.css">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><strong>Lending service</strong><nav aria-label="Documentation">${links.join('')}</nav></header>
<div class="columns">
<aside class="side">${aside}</aside>
<main id="main">
${main}
</main>
</div>
</body>
</html>
`
  return createStaticFile('text/html; charset=utf-8', html)
}

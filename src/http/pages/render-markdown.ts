import createMarkdownIt, { type MarkdownIt, type RendererRule, type Token } from 'markdown-it'
import { escapeHtml } from './escape-html.ts'
import { highlightCode } from './highlight-code.ts'

const LONGEST_NAME = 45
/** A comment addresses the page's editors. */
const EDITORS_LINE = /^<!--.*-->$/
const LINK = /\]\(([^)\s]+)\)/g

export type Heading = {
  level: number
  id: string
  text: string
  /** Plain text below it, up to the next heading. */
  body: string
}

/** The text without the lines for its editors, and with the address that `resolveLink` returns for each link. */
export function cleanMarkdown(text: string, resolveLink: (href: string) => string): string {
  let isCode = false
  const lines = text.split('\n').flatMap((line) => {
    if (line.trim().startsWith('```')) isCode = !isCode
    if (isCode) return [line]
    if (EDITORS_LINE.test(line.trim())) return []
    return [line.replace(LINK, (_whole, href: string) => `](${resolveLink(href)})`)]
  })
  return lines.join('\n')
}

/** HTML in the text is escaped. `resolveLink` returns the address of each link. */
export function renderMarkdown(
  text: string,
  resolveLink: (href: string) => string,
): { html: string; headings: readonly Heading[] } {
  const markdown = createMarkdownIt({ html: false })
  const headings = collectHeadings(markdown)
  skipComments(markdown)
  markdown.core.ruler.push('links', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href !== null) token.attrSet('href', resolveLink(String(href)))
    }
  })
  labelCells(markdown)
  // A wide table scrolls; the page does not.
  Object.assign(markdown.renderer.rules, {
    table_open: () => '<div class="table" tabindex="0"><table>\n',
    table_close: () => '</table></div>\n',
    code_inline: markCode,
    fence: renderCode,
  })
  return { html: markdown.render(text), headings }
}

/** Names stay in one piece; a long text, such as a signature, breaks anywhere. */
const markCode: RendererRule = (tokens, at) => {
  const { content } = tokens[at] ?? { content: '' }
  const isLong = content.split(' ').some((word) => word.length > LONGEST_NAME)
  const kind = isLong ? ' class="long"' : ''
  return `<code${kind}>${escapeHtml(content)}</code>`
}

/** It scrolls where it is wide, by the keyboard too. */
const renderCode: RendererRule = (tokens, at) => {
  const { content, info } = tokens[at] ?? { content: '', info: '' }
  return `<pre tabindex="0"><code>${highlightCode(content, info.split(' ')[0] ?? '')}</code></pre>\n`
}

/** Repeats the column's head on each cell, for narrow screens. */
function labelCells(markdown: MarkdownIt): void {
  markdown.core.ruler.push('labels', ({ tokens }) => {
    let heads: string[] = []
    let column = 0
    for (const [at, token] of tokens.entries()) {
      if (token.type === 'table_open') heads = []
      if (token.type === 'tr_open') column = 0
      if (token.type === 'th_open') heads.push(textOf(tokens[at + 1]))
      if (token.type === 'td_open') token.attrSet('data-label', heads[column++] ?? '')
    }
  })
}

/** The list fills while a text is rendered. */
function collectHeadings(markdown: MarkdownIt): readonly Heading[] {
  const headings: Heading[] = []
  markdown.core.ruler.push('headings', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'heading_open') {
        const [before, heading] = [tokens[at - 1], headings.at(-1)]
        if (heading && before?.type !== 'heading_open') heading.body += plainTextOf(token)
        continue
      }
      const text = textOf(tokens[at + 1])
      const level = Number(token.tag.slice(1))
      const heading = { level, id: makeAnchor(text, headings), text, body: '' }
      headings.push(heading)
      token.attrSet('id', heading.id)
      const close = tokens[at + 2]
      if (close) close.meta = heading
    }
  })
  const closeHeading: RendererRule = (tokens, at) => {
    const { tag, meta } = tokens[at] ?? {}
    const { id, text } = meta as Heading
    const label = escapeHtml(`Link to “${text}”`)
    return ` <a class="anchor" href="#${id}" aria-label="${label}">#</a></${tag}>\n`
  }
  Object.assign(markdown.renderer.rules, { heading_close: closeHeading })
  return headings
}

function textOf(inline: Token | undefined): string {
  return (inline?.children ?? []).map(({ content }) => content).join('')
}

/** Returns the text of a paragraph, a cell or a block of code. It ends in a space. */
function plainTextOf({ type, content, children }: Token): string {
  if (type === 'fence') return `${content.replace(/\s+/g, ' ')} `
  return (children ?? []).map((child) => child.content || ' ').join('') + (children ? ' ' : '')
}

function skipComments(markdown: MarkdownIt): void {
  markdown.block.ruler.before('paragraph', 'comment', (state, line, _last, silent) => {
    const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
    const text = state.src.slice(start, state.eMarks[line])
    if (!EDITORS_LINE.test(text)) return false
    if (!silent) state.line = line + 1
    return true
  })
}

/** The anchor a code host would make, so that links work in both places. */
function makeAnchor(text: string, before: readonly Heading[]): string {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
  const taken = new Set(before.map(({ id }) => id))
  let anchor = slug
  for (let again = 1; taken.has(anchor); again += 1) anchor = `${slug}-${again}`
  return anchor
}

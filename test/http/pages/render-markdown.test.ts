import { expect, test } from 'vitest'
import { highlightCode } from '../../../src/http/pages/highlight-code.ts'
import { cleanMarkdown, renderMarkdown } from '../../../src/http/pages/render-markdown.ts'

const render = (text: string) => renderMarkdown(text, (href) => href)

test.each([
  ['in a paragraph', 'a <script>alert(1)</script> <img src=x onerror=alert(1)>'],
  ['as a block', '<div onclick="alert(1)">\n\n# <b>x</b>\n\n</div>'],
  ['in a table', '| <i>a</i> |\n| --- |\n| <b onload="x">b</b> |'],
  ['in code', '`<b>` and\n\n```ts\nconst a = "<b>" // <i>\n```\n\n```nothing\n<script>\n```'],
  ['in a language', '```"><script>\nx\n```'],
  ['in a heading', '# <script>alert("x")</script> "quoted"'],
])('HTML %s is shown as it is written, and does nothing', (_where, text) => {
  const { html } = render(text)
  const tags = [...html.matchAll(/<\/?([a-z0-9]+)([^>]*)>/g)]
  const known = /^(p|h1|a|div|table|thead|tbody|tr|th|td|code|pre|span)$/
  expect(tags.filter(([, name = '']) => !known.test(name))).toEqual([])
  const attributes = tags.flatMap(([, , rest = '']) => [...rest.matchAll(/\s([\w-]+)=/g)])
  const names = new Set(attributes.map(([, name]) => name))
  expect(
    [...names].filter(
      (name) => !/^(class|id|href|aria-label|tabindex|data-label)$/.test(String(name)),
    ),
  ).toEqual([])
})

test('a link that would run a script is no link', () => {
  expect(render('[x](javascript:alert(1)) [y](data:text/html,z)').html).not.toContain('<a ')
})

test('each link gets the address that it is resolved to', () => {
  const { html } = renderMarkdown('[a](b.md#c) and ![no](image)', (href) => `/served/${href}`)
  expect(html).toContain('<a href="/served/b.md#c">a</a>')
})

test('headings get the anchors that they have where the repository is shown', () => {
  const { headings, html } = render('# `a.b_c` & d\n\n## Ü: 1, 2!\n\n## Same\n\n## Same')
  expect(headings).toMatchObject([
    { level: 1, id: 'ab_c--d', text: 'a.b_c & d' },
    { level: 2, id: 'ü-1-2', text: 'Ü: 1, 2!' },
    { level: 2, id: 'same', text: 'Same' },
    { level: 2, id: 'same-1', text: 'Same' },
  ])
  for (const { id } of headings) expect(html).toContain(`id="${id}"`)
})

test('a heading has the plain text below it, of paragraphs, cells and code', () => {
  const { headings } = render(
    '# One\n\na *b*\n`c` [d](e)\n\n| f | g |\n| --- | --- |\n| h | i |\n\n## Two\n\n```ts\nlet x = 1\n\ny\n```',
  )
  const bodies = headings.map(({ body }) => body.trim().replace(/\s+/g, ' '))
  expect(bodies).toEqual(['a b c d f g h i', 'let x = 1 y'])
})

test('clean Markdown has the addresses of its links, and no line for its editors, except in code', () => {
  const text = '<!-- x -->\n[a](b.md#c) `d`\n\n```\n<!-- kept -->\n[e](f)\n```\n'
  const clean = '[a](/b.md#c) `d`\n\n```\n<!-- kept -->\n[e](f)\n```\n'
  expect(cleanMarkdown(text, (href) => `/${href}`)).toBe(clean)
})

test('a comment for those who edit the page is not shown, unless it stands in code', () => {
  const { html } = render('before\n\n<!-- written by a program -->\n\n```\n<!-- kept -->\n```')
  expect(html).not.toContain('written')
  expect(html).toContain('&lt;!-- kept --&gt;')
})

test.each([
  ['ts', 'const a = "x" // why', ['keyword', 'string', 'comment']],
  ['ts', 'f({ type: 1, from: true })', ['number', 'keyword']],
  ['json', '{"a": "b", "c": 12}', ['name', 'string', 'name', 'number']],
  ['py', "if x: return 'a' # b", ['keyword', 'keyword', 'string', 'comment']],
  ['sh', "curl 'a\nb' # c", ['string', 'comment']],
  ['go', 'func f() { return 1 }', ['keyword', 'keyword', 'number']],
])('code in %s is marked by its parts and loses none of its text', (language, code, kinds) => {
  const html = highlightCode(code, language)
  expect([...html.matchAll(/<span class="(\w+)">/g)].map(([, kind]) => kind)).toEqual(kinds)
  const text = html.replace(/<[^>]+>/g, '').replaceAll('&quot;', '"')
  expect(text).toBe(code)
})

test('each cell of a table names its column, for screens on which a row is a block', () => {
  const { html } = render('| A "b" | `C` |\n| --- | --- |\n| 1 | 2 |\n\n| D |\n| --- |\n| 3 |')
  expect(html).toContain('<td data-label="A &quot;b&quot;">1</td>')
  expect(html).toContain('<td data-label="C">2</td>')
  expect(html).toContain('<td data-label="D">3</td>')
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Colours = ReadonlyMap<string, string>

const guides = read('pages/frame.css')
const bar = read('reference/page.css')

test.each([
  ['light', /^:root \{(.*?)\}/s],
  ['dark', /prefers-color-scheme: dark\) \{\s*:root \{(.*?)\}/s],
])('text of the guides and errors can be read where the page is %s', (_scheme, block) => {
  const [, declarations = ''] = block.exec(guides) ?? []
  const colours: Colours = new Map(
    [...declarations.matchAll(/--([\w-]+): (#\w+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
  const texts = ['text', 'quiet', 'link', 'keyword', 'string', 'number', 'comment', 'name']
  const pairs = texts.flatMap((text) =>
    ['background', 'raised'].map((ground) => [text, ground] as const),
  )
  const weak = pairs.filter(
    ([text, ground]) => contrast(colours.get(text) ?? '', colours.get(ground) ?? '') < 4.5,
  )
  expect(weak).toEqual([])
})

test.each(['light', 'dark'])('text of the key bar can be read where the page is %s', (scheme) => {
  const at = scheme === 'light' ? 0 : 1
  const values = (property: string) =>
    [
      ...bar.matchAll(
        new RegExp(`(?<![-\\w])${property}: [^;]*light-dark\\((#\\w+), (#\\w+)\\)`, 'g'),
      ),
    ].map((match) => match[at + 1] ?? '')
  const [texts, grounds] = [values('color'), values('background')]
  expect([texts.length, grounds.length]).toEqual([3, 4])
  const pairs = texts.flatMap((text) => grounds.map((ground) => [text, ground] as const))
  expect(pairs.filter(([text, ground]) => contrast(text, ground) < 4.5)).toEqual([])
})

function read(path: string): string {
  return readFileSync(new URL(`../../../src/http/${path}`, import.meta.url), 'utf8')
}

/** The ratio of WCAG 2: 4.5 is what running text needs. */
function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const digits = colour.slice(1)
  const pairs =
    digits.length === 3 ? [...digits].map((digit) => digit + digit) : digits.match(/../g)
  const [red = 0, green = 0, blue = 0] = (pairs ?? []).map((pair) => {
    const part = Number.parseInt(pair, 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

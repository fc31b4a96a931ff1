import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs')
const END = '<!-- end of figures -->'

/** Replaces the figures that an npm script has written into a page of docs/; the prose around is written
 * by hand. */
export function rewriteFigures(
  page: string,
  script: string,
  rewrite: (earlier: string) => string,
): void {
  const mark = `<!-- figures: written by \`npm run ${script} -- --write\` -->`
  const file = join(DOCS, page)
  const text = readFileSync(file, 'utf8')
  const begin = text.indexOf(mark)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`${file} has lost the marks of its figures`)
  const figures = rewrite(text.slice(begin + mark.length, end)).trim()
  writeFileSync(file, `${text.slice(0, begin)}${mark}\n\n${figures}\n\n${text.slice(end)}`)
}

/** `Measured on 2026-11-27 at commit 04a2d274, on`. */
export function describeMeasured(): string {
  return `Measured on ${readDay()} at commit ${readCommit()}, on`
}

/** `2026-11-27, 04a2d274`: the day and the commit. */
export function stampMeasured(): string {
  return `${readDay()}, ${readCommit()}`
}

function readDay(): string {
  return new Date().toISOString().slice(0, 10)
}

function readCommit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}

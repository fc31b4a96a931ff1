import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from './data/plans.ts'
import { mergeFigures } from './merge-figures.ts'
import { formatTable, type Row } from './report.ts'

const DOCS = join(import.meta.dirname, '..', '..', 'docs')
const BEGIN = '<!-- figures: written by `npm run bench -- --write` -->'
const END = '<!-- end of figures -->'

export type Run = { machine: string; rows: readonly Row[]; plans: readonly Plan[] }

/** Beside the page, as a picture that it shows. */
export function writePicture(name: string, picture: string): void {
  writeFileSync(join(DOCS, name), picture)
}

/** Replaces the figures that a page of docs/ has of the same measurements; the prose around is written by
 * hand. */
export function writeFigures(page: string, run: Run): void {
  const file = join(DOCS, page)
  const text = readFileSync(file, 'utf8')
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`${file} has lost the marks of its figures`)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const figures = [
    `Measured on ${new Date().toISOString().slice(0, 10)} at commit ${commit}, on ${run.machine}.`,
    formatTable(run.rows),
    ...run.plans.map(({ name, text: plan }) => `Plan of the ${name}:\n\n\`\`\`\n${plan}\n\`\`\``),
  ].join('\n\n')
  const merged = mergeFigures(text.slice(begin + BEGIN.length, end), figures)
  writeFileSync(file, `${text.slice(0, begin)}${BEGIN}\n\n${merged}\n\n${text.slice(end)}`)
}

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from './data/plans.ts'
import { formatTable, type Row } from './report.ts'

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md')
const BEGIN = '<!-- figures: written by `npm run bench -- --write` -->'
const END = '<!-- end of figures -->'

/** Replaces the figures in docs/benchmarks.md; the prose around them is written by hand. */
export function writeDocument(run: {
  machine: string
  rows: readonly Row[]
  plans: readonly Plan[]
}): void {
  const text = readFileSync(FILE, 'utf8')
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`${FILE} has lost the marks of its figures`)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const figures = [
    BEGIN,
    `Measured on ${new Date().toISOString().slice(0, 10)} at commit ${commit}, on ${run.machine}.`,
    formatTable(run.rows),
    ...run.plans.map(({ name, text: plan }) => `Plan of the ${name}:\n\n\`\`\`\n${plan}\n\`\`\``),
    '',
  ]
  writeFileSync(FILE, `${text.slice(0, begin)}${figures.join('\n\n')}${text.slice(end)}`)
}

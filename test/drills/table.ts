import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Drill, describeFailures, type Outcome } from './drill.ts'

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'drills.md')
const BEGIN = '<!-- figures: written by `npm run drills -- --write` -->'
const END = '<!-- end of figures -->'

const HEAD = [
  '| Drill | Requests | Requests that failed | Longest time without an answered write | Lost |',
  '| --- | --- | --- | --- | --- |',
]

/** One row of docs/drills.md. */
export function formatRow(
  { name, aim, note, stops }: Drill,
  { measured, problems }: Outcome,
): string {
  const { requests, longestGapMs } = measured
  const aimed = (text: string | undefined) => (text === undefined ? '' : ` (aim: ${text})`)
  const kinds = [describeFailures(measured), note].filter(Boolean).join(' ')
  const failed = `${kinds}${aimed(aim.failures === 0 ? 'none' : undefined)}`
  const gap = `${seconds(longestGapMs)}${aimed(aim.gapMs === undefined ? undefined : seconds(aim.gapMs))}`
  const lost = problems.length === 0 ? 'nothing' : `${problems.length} problems`
  const cells = stops
    ? ['the service is stopped', '', `${lost} from before ${stops}`]
    : [failed, gap, lost]
  return `| \`${name}\` | ${[requests, ...cells].join(' | ')} |`
}

export function formatTable(rows: readonly string[]): string {
  return [...HEAD, ...rows].join('\n')
}

/** Replaces the figures in docs/drills.md. Drills that were not run keep their rows. `load`: the
 * machine's average before the start. */
export function writeDocument(
  names: readonly string[],
  fresh: ReadonlyMap<string, string>,
  load: number,
): void {
  const text = readFileSync(FILE, 'utf8')
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`${FILE} has lost the marks of its figures`)
  const old = text.slice(begin, end).split('\n')
  const rows = names.flatMap(
    (name) => fresh.get(name) ?? old.find((line) => line.startsWith(`| \`${name}\` |`)) ?? [],
  )
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const measured = `Measured on ${new Date().toISOString().slice(0, 10)} at commit ${commit}, on ${cpus().length} cores (${cpus()[0]?.model.trim()}), everything on the one machine; load average before the start ${load.toFixed(1)}.`
  const figures = [BEGIN, measured, formatTable(rows), ''].join('\n\n')
  writeFileSync(FILE, `${text.slice(0, begin)}${figures}${text.slice(end)}`)
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1).replace(/\.0$/, '')} s`

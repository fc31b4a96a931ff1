import type { Aim } from './aims.ts'

/** One measurement. Absent members do not apply to it. */
export type Row = {
  name: string
  unit: string
  ours: number
  bare?: number
  ratio?: number
  p50Ms?: { ours: number; bare?: number }
  p99Ms?: { ours: number; bare?: number }
  aim?: Aim
}

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? upper)) / 2 : upper
}

/** The value below which `share` of the values lie; 0.5 is the median of a large set. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const HEADINGS = ['', 'ours', 'bare', 'ratio', 'p50 ours / bare', 'p99 ours / bare', 'aim']

/** The measurements as a table that is readable in a terminal and in Markdown alike. */
export function formatTable(rows: readonly Row[]): string {
  const cells = [HEADINGS, ...rows.map(toCells)]
  const widths = HEADINGS.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  const toLine = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  const [head = [], ...body] = cells
  return [toLine(head), rule, ...body.map(toLine)].join('\n')
}

function toCells(row: Row): string[] {
  const rate = (value: number | undefined) =>
    value === undefined ? '' : `${formatNumber(value)} ${row.unit}`
  return [
    row.name,
    rate(row.ours),
    rate(row.bare),
    row.ratio === undefined ? '' : row.ratio.toFixed(2),
    formatPair(row.p50Ms),
    formatPair(row.p99Ms),
    row.aim ? `${row.aim.text}: ${row.aim.isMet(row) ? 'met' : 'missed'}` : '',
  ]
}

function formatPair(pair: Row['p50Ms']): string {
  if (!pair) return ''
  return `${[pair.ours, pair.bare].flatMap((ms) => (ms === undefined ? [] : [formatMs(ms)])).join(' / ')} ms`
}

const formatMs = (ms: number) => (ms < 100 ? ms.toFixed(1) : ms.toFixed(0))

function formatNumber(value: number): string {
  return value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en')
}

/** In seconds, the median; the first round warms up. */
export async function medianSeconds(rounds: number, run: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = -1; round < rounds; round += 1) {
    const startedAt = performance.now()
    await run()
    if (round >= 0) times.push((performance.now() - startedAt) / 1_000)
  }
  return median(times)
}

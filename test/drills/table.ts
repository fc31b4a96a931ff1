import { cpus } from 'node:os'
import { describeMeasured, rewriteFigures } from '../support/runs/figures.ts'
import { type Drill, describeFailures, type Outcome } from './drill.ts'

const HEAD = [
  '| Drill | Requests | Requests that failed | Longest time without an answered write | Woke a person | Lost |',
  '| --- | --- | --- | --- | --- | --- |',
]

/** One row of docs/drills.md. */
export function formatRow(
  { name, aim, stops }: Drill,
  { measured, seen, problems }: Outcome,
): string {
  const { requests, longestGapMs } = measured
  const aimed = (text: string | undefined) => (text === undefined ? '' : ` (aim: ${text})`)
  const failed = `${describeFailures(measured)}${aimed(aim.failures === 0 ? 'none' : undefined)}`
  const gap = `${seconds(longestGapMs)}${aimed(aim.gapMs === undefined ? undefined : seconds(aim.gapMs))}`
  const lost = problems.length === 0 ? 'nothing' : `${problems.length} problems`
  const cells = stops
    ? ['the service is stopped', '', '', `${lost} from before ${stops}`]
    : [failed, gap, seen ? (seen.page ?? 'nobody') : '', lost]
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
  rewriteFigures('drills.md', 'drills', (earlier) => {
    const old = earlier.split('\n')
    const rows = names.flatMap(
      (name) => fresh.get(name) ?? old.find((line) => line.startsWith(`| \`${name}\` |`)) ?? [],
    )
    const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), everything on the one machine`
    const measured = `${describeMeasured()} ${machine}; load average before the start ${load.toFixed(1)}.`
    return `${measured}\n\n${formatTable(rows)}`
  })
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1).replace(/\.0$/, '')} s`

import type { LoanHistory, LoanTerms } from '../../domain/backtest/loan.ts'
import type { LtvSample } from '../../domain/backtest/ltv-samples.ts'
import type { MarginPolicy } from '../../domain/margin/policy.ts'

export const PANEL_HEIGHT = 150

/** A strip below the prices, with their scale of time. */
export type Panel = { top: number; left: number; right: number; x: (atMs: number) => number }

const LARGEST_LTV = 1.2

/** The highest and the middle ratio of the running loans, with the lines of the ladder. */
export function drawLtv(
  samples: readonly LtvSample[],
  policy: MarginPolicy,
  panel: Panel,
): string[] {
  const y = (ltv: number) => yOf(panel, Math.min(ltv, LARGEST_LTV) / LARGEST_LTV)
  const lines: [string, bigint, string][] = [
    ['critical', policy.criticalLtvPpm, '#c1121f'],
    ['floor', policy.floorLtvPpm, '#d99a00'],
    ['cure', policy.cureLtvPpm, '#2a9d5c'],
  ]
  const path = (pick: (sample: LtvSample) => number) =>
    `M${samples.map((sample) => `${round(panel.x(sample.atMs))} ${y(pick(sample))}`).join('L')}`
  const drawn = [
    `<path d="${path(({ highest }) => highest)}" fill="none" stroke="#5b2a86" stroke-width="1.2"><title>highest LTV</title></path>`,
    `<path d="${path(({ median }) => median)}" fill="none" stroke="#3a6ea5" stroke-width="1.2"><title>median LTV</title></path>`,
  ]
  return [
    ...drawFrame('LTV of running loans: highest (violet) and median (blue)', panel),
    ...lines.map(([name, ppm, colour]) => drawLine(name, y(Number(ppm) / 1e6), colour, panel)),
    ...(samples.length > 1 ? drawn : []),
  ]
}

/** The deficits so far, as a share of all that the history's loans drew. */
export function drawLoss(
  histories: readonly LoanHistory[],
  { limitCents }: LoanTerms,
  panel: Panel,
): string[] {
  const losses = histories
    .flatMap(({ endedAt, deficitCents }) =>
      endedAt && deficitCents > 0n ? [{ atMs: endedAt.getTime(), cents: deficitCents }] : [],
    )
    .sort((a, b) => a.atMs - b.atMs)
  const drawnCents = Number(limitCents) * histories.length
  const total = losses.reduce((sum, { cents }) => sum + Number(cents), 0) / drawnCents
  let lost = 0
  const steps = losses.map(({ atMs, cents }) => {
    lost += Number(cents) / drawnCents
    return `H${round(panel.x(atMs))}V${yOf(panel, lost / (total * 1.1))}`
  })
  const bottom = yOf(panel, 0)
  const path = `M${panel.left} ${bottom}${steps.join('')}H${panel.right}`
  return [
    ...drawFrame(`Loss so far: ${(total * 100).toFixed(3)} % of all that was drawn`, panel),
    `<path d="${path}" fill="none" stroke="#111111" stroke-width="1.4"><title>deficits, added up</title></path>`,
  ]
}

function drawFrame(title: string, panel: Panel): string[] {
  const { top, left, right } = panel
  return [
    `<text x="${left}" y="${top - 8}" fill="#666666">${title}</text>`,
    `<rect x="${left}" y="${top}" width="${right - left}" height="${PANEL_HEIGHT}" fill="none" stroke="#e6e6e6"/>`,
  ]
}

function drawLine(name: string, y: number, colour: string, { left, right }: Panel): string {
  return `<path d="M${left} ${y}H${right}" stroke="${colour}" stroke-dasharray="4 4"/><text x="${left - 10}" y="${y + 4}" text-anchor="end" fill="${colour}">${name}</text>`
}

/** Of a share of the panel's height. */
function yOf({ top }: Panel, share: number): number {
  return round(top + PANEL_HEIGHT * (1 - share))
}

function round(px: number): number {
  return Math.round(px * 10) / 10
}

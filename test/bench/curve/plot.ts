import type { Point } from './curve.ts'
import { GROWTHS, type Growth } from './growth.ts'
import { OPERATIONS } from './side.ts'

const WIDTH = 1_080
const PANEL = { width: 500, height: 190, left: 56, top: 96, gap: 40 }
const HEIGHT = PANEL.top + 2 * (PANEL.height + 74)

const COLOURS = ['#3a6ea5', '#d95f02', '#2a9d5c']
/** The bound of the aim, and what a first step costs. */
const LINES = [1, 1.5]

/** A panel for each thing that grows: the time an operation takes (full) and its p99 (dashed). */
export function drawCurve(points: readonly Point[]): string {
  const highest = Math.max(2, ...points.flatMap(({ time, p99 }) => [time, p99]))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="13" fill="#222222">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${PANEL.left}" y="30" font-size="18" font-weight="600">What an operation costs as the service grows</text>`,
    `<text x="${PANEL.left}" y="50" fill="#666666">As a multiple of its cost at the first step: full lines the time, dashed lines the 99th percentile</text>`,
    ...OPERATIONS.map(
      (operation, at) =>
        `<text x="${PANEL.left + at * 200}" y="74" fill="${COLOURS[at]}">— ${operation}</text>`,
    ),
    ...GROWTHS.flatMap((growth, at) => drawPanel(growth, at, points, highest)),
    '</svg>',
    '',
  ].join('\n')
}

function drawPanel(
  growth: Growth,
  at: number,
  points: readonly Point[],
  highest: number,
): string[] {
  const left = PANEL.left + (at % 2) * (PANEL.width + 20)
  const top = PANEL.top + 26 + Math.floor(at / 2) * (PANEL.height + PANEL.gap + 24)
  const inner = PANEL.width - 70
  const steps = growth.steps
  const x = (step: number) =>
    left +
    (inner * Math.log(step / (steps[0] ?? 1))) / Math.log((steps.at(-1) ?? 1) / (steps[0] ?? 1))
  const y = (multiple: number) => top + PANEL.height - (PANEL.height * multiple) / highest
  const lines = OPERATIONS.flatMap((operation, colour) =>
    (['time', 'p99'] as const).map((figure) => {
      const of = points.filter(
        (point) => point.growth === growth.name && point.operation === operation,
      )
      const corners = [
        { step: steps[0] ?? 1, value: 1 },
        ...of.map((point) => ({ step: point.step, value: point[figure] })),
      ]
      const path = corners
        .map(({ step, value }) => `${round(x(step))} ${round(y(value))}`)
        .join('L')
      const dashes = figure === 'p99' ? ' stroke-dasharray="4 4"' : ''
      return `<path d="M${path}" fill="none" stroke="${COLOURS[colour]}" stroke-width="1.6"${dashes}/>`
    }),
  )
  return [
    `<text x="${left}" y="${top - 8}" font-weight="600">${growth.name}</text>`,
    ...LINES.flatMap((multiple) => [
      `<path d="M${left} ${round(y(multiple))}H${left + inner}" stroke="#cccccc" stroke-width="1"/>`,
      `<text x="${left - 8}" y="${round(y(multiple)) + 4}" fill="#666666" text-anchor="end">${multiple}×</text>`,
    ]),
    ...steps.map(
      (step) =>
        `<text x="${round(x(step))}" y="${top + PANEL.height + 18}" fill="#666666" text-anchor="middle">${step.toLocaleString('en')}</text>`,
    ),
    ...lines,
  ]
}

const round = (pixels: number) => Math.round(pixels * 10) / 10

import type { LtvPoint } from '../../../data/console-api.ts'
import { type ChartLine, TimeChart } from '../../../parts/time-chart.tsx'
import { gaugeLines } from './lines.ts'

/** A ratio without value has no place on the chart. */
const HIGHEST = 200

/** The last two are so near that one has its name below, and one above. */
const POSITIONS: readonly ChartLine['position'][] = [
  'insideBottomLeft',
  'insideBottomLeft',
  'insideTopRight',
  'insideBottomRight',
]

const LINES: readonly ChartLine[] = gaugeLines([])
  .filter(({ ltv }) => ltv >= 0.7)
  .map(({ ltv, name }, at) => ({
    value: ltv * 100,
    label: name,
    color: ltv >= 0.8 ? 'var(--bad)' : 'var(--warn)',
    position: POSITIONS[at] ?? 'insideBottomLeft',
  }))

/** With the lines of the ladder. The table beside it has the same figures. */
export function LtvChart({ points }: { points: readonly LtvPoint[] }) {
  const shown = points.map(({ at, ltv }) => ({
    at: Date.parse(at),
    value: Math.min(Number(ltv) * 100, HIGHEST),
  }))
  const highest = Math.max(...shown.map(({ value }) => value))
  return (
    <TimeChart
      label="Loan-to-value over time. The table beside it has each point."
      name="LTV"
      points={shown}
      format={(value) => `${Number(value.toFixed(2))} %`}
      height={300}
      curve="linear"
      domain={[0, Math.max(90, Math.ceil(highest / 10) * 10)]}
      lines={LINES}
    />
  )
}

import type { Facility } from '../../../../client/index.ts'
import type { LtvPoint } from '../../../data/console-api.ts'
import { type ChartLine, TimeChart } from '../../../parts/time-chart.tsx'
import { ladderLines } from './lines.ts'

/** A ratio without value has no place on the chart. */
const HIGHEST = 200

/** The last two are so near that one has its name below, and one above. */
const POSITIONS: readonly ChartLine['position'][] = [
  'insideBottomLeft',
  'insideBottomLeft',
  'insideTopRight',
  'insideBottomRight',
]

function toChartLines(terms: Facility['terms']): readonly ChartLine[] {
  return ladderLines(terms).map(({ ltv, name }, at) => ({
    value: ltv * 100,
    label: name,
    color: at >= 2 ? 'var(--bad)' : 'var(--warn)',
    position: POSITIONS[at] ?? 'insideBottomLeft',
  }))
}

type LtvChartProps = { points: readonly LtvPoint[]; terms: Facility['terms'] }

/** With the lines of the ladder. The table beside it has the same figures. */
export function LtvChart({ points, terms }: LtvChartProps) {
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
      lines={toChartLines(terms)}
    />
  )
}

import '@mantine/charts/styles.css'
import '@mantine/core/styles/ColorSwatch.css'
import { LineChart, type LineChartCurveType } from '@mantine/charts'
import { formatUtc } from '../../pages/parts/values.tsx'

const DAY_MS = 86_400_000
const FEW_POINTS = 40

const axisTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' })
const axisDay = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  timeZone: 'UTC',
})

export type ChartLine = {
  value: number
  label: string
  color: string
  position: 'insideBottomLeft' | 'insideTopRight' | 'insideBottomRight'
}

type TimeChartProps = {
  /** For screen readers: what the line is. */
  label: string
  name: string
  points: readonly { at: number; value: number }[]
  format: (value: number) => string
  height: number
  curve: LineChartCurveType
  domain: [number | 'auto', number | 'auto']
  lines?: readonly ChartLine[]
}

/** One line over time. Large: pages load it by itself. */
export function TimeChart({ label, name, points, format, lines = [], ...look }: TimeChartProps) {
  const span = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)
  const axis = span > 2 * DAY_MS ? axisDay : axisTime
  return (
    <div role="img" aria-label={label}>
      <LineChart
        h={look.height}
        data={points.map(({ at, value }) => ({ at, [name]: value }))}
        dataKey="at"
        series={[{ name, color: 'var(--chart-line)' }]}
        curveType={look.curve}
        // The label says it all: no stop for the keyboard.
        lineChartProps={{ accessibilityLayer: false }}
        withDots={points.length < FEW_POINTS}
        dotProps={{ r: 2.5 }}
        strokeWidth={2}
        tickLine="none"
        valueFormatter={format}
        xAxisProps={{
          type: 'number',
          scale: 'time',
          domain: ['dataMin', 'dataMax'],
          tickFormatter: (at: number) => axis.format(at),
          minTickGap: 44,
        }}
        yAxisProps={{ domain: look.domain, width: 60 }}
        tooltipProps={{ labelFormatter: (at) => formatInstant(Number(at)) }}
        referenceLines={lines.map(({ value, label: text, color, position }) => ({
          y: value,
          label: text,
          color,
          labelPosition: position,
        }))}
      />
    </div>
  )
}

/** Empty while the pointer is on no point. */
function formatInstant(at: number): string {
  return Number.isFinite(at) ? `${formatUtc(new Date(at).toISOString())} UTC` : ''
}

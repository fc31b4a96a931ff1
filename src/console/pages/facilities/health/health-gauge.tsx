import type { CSSProperties } from 'react'
import { formatLine, formatRatio } from '../../../../pages/data/figures.ts'
import { positionOf } from './gauge-scale.ts'
import classes from './health-gauge.module.css'
import type { GaugeLine } from './lines.ts'

/** One zone more than there are lines, from calm to critical. */
const ZONES = ['calm', 'notice', 'near', 'tier1', 'tier2', 'tier3', 'critical'] as const

const percent = (share: number) => `${(share * 100).toFixed(2)}%`

/** The ratio against the lines of the ladder. */
export function HealthGauge({ ltv, lines }: { ltv: string; lines: readonly GaugeLine[] }) {
  const value = Number(ltv)
  const passed = lines.filter((line) => value > line.ltv).at(-1)
  const spoken = passed
    ? `${formatRatio(ltv)}, above ${formatLine(String(passed.ltv))} (${passed.name})`
    : `${formatRatio(ltv)}, below every line`
  const at = { '--at': percent(positionOf(value)) } as CSSProperties
  const edges = [0, ...lines.map((line) => positionOf(line.ltv)), 1]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a meter element draws no lines of its own.
    <div
      className={classes.gauge}
      role="meter"
      aria-label="Loan-to-value"
      aria-valuemin={0}
      aria-valuemax={1.1}
      aria-valuenow={Math.min(value, 1.1)}
      aria-valuetext={spoken}
    >
      <span className={classes.value} style={at}>
        {formatRatio(ltv)}
      </span>
      <span className={classes.needle} style={at} />
      <div className={classes.bar}>
        {edges.slice(0, -1).map((from, zone) => (
          <span
            key={ZONES[zone]}
            className={classes.zone}
            data-zone={ZONES[zone]}
            style={{ left: percent(from), width: percent((edges[zone + 1] ?? 1) - from) }}
          />
        ))}
      </div>
      <div className={classes.ticks} aria-hidden>
        {lines.map((line) => (
          <span
            key={line.name}
            className={classes.tick}
            style={{ left: percent(positionOf(line.ltv)) }}
            title={`${formatLine(String(line.ltv))}: ${line.name}`}
          >
            {Number((line.ltv * 100).toFixed(2))}
          </span>
        ))}
      </div>
    </div>
  )
}

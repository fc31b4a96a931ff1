import { groupDigits } from '../../parts/money.tsx'
import { TimeChart } from '../../parts/time-chart.tsx'
import type { PricePoint } from './prices.ts'

/** The rounds of prices that this page has seen. */
export function PriceChart({ asset, points }: { asset: string; points: readonly PricePoint[] }) {
  const last = points.at(-1)
  const prices = points.map(({ price }) => price)
  const now = last ? ` Now ${last.price} USD.` : ''
  return (
    <figure style={{ margin: 0 }}>
      <TimeChart
        label={`Price of ${asset} since this page was opened.${now}`}
        name={asset}
        points={points.map(({ at, price }) => ({ at, value: price }))}
        format={(value) => groupDigits(value < 10 ? value.toFixed(3) : value.toFixed(0))}
        height={180}
        curve="stepAfter"
        domain={[Math.min(...prices) * 0.95, Math.max(...prices) * 1.05]}
      />
      <figcaption className="quiet">Since this page was opened, by the sandbox’s clock.</figcaption>
    </figure>
  )
}

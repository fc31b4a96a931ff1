import { formatUtc, groupDigits } from '../../../pages/parts/values.tsx'
import { TimeChart } from '../../parts/time-chart.tsx'
import type { PricePoint } from './prices.ts'

type PriceChartProps = { asset: string; points: readonly PricePoint[]; isSet: boolean }

export function PriceChart({ asset, points, isSet }: PriceChartProps) {
  const prices = points.map(({ price }) => price)
  const [first] = points
  const since = first ? `${formatUtc(new Date(first.at).toISOString())} UTC` : ''
  const about = isSet
    ? `In USD, as it was since ${since}, by the sandbox’s clock.`
    : 'In USD. Nobody has set it yet, so it is the market’s.'
  return (
    <figure style={{ margin: 0 }}>
      <TimeChart
        label={`Price of ${asset}. ${about} Now ${points.at(-1)?.price} USD.`}
        name={asset}
        points={points.map(({ at, price }) => ({ at, value: price }))}
        format={(value) => groupDigits(value < 10 ? value.toFixed(3) : value.toFixed(0))}
        height={180}
        curve="stepAfter"
        domain={spanOf(prices)}
      />
      <figcaption className="quiet">{about}</figcaption>
    </figure>
  )
}

const STEPS = 4

/** Around the prices, between round figures. */
function spanOf(prices: readonly number[]): [number, number] {
  const low = Math.min(...prices) * 0.95
  const high = Math.max(...prices) * 1.05
  const rough = (high - low) / STEPS
  const unit = 10 ** Math.floor(Math.log10(rough))
  const step = unit * ([1, 2, 5, 10].find((times) => unit * times >= rough) ?? 10)
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step]
}

import { formatRatio } from '../../data/figures/ratio.ts'

/** A loan-to-value as a share; the exact figure on hover. */
export function Ratio({ ltv }: { ltv: string }) {
  return (
    <span className="figures unbroken" title={ltv}>
      {formatRatio(ltv)}
    </span>
  )
}

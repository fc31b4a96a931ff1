import type { MarginWarning } from '../../../client/index.ts'
import { Money } from '../money.tsx'

type Cures = Pick<MarginWarning, 'cure_amount_usd' | 'cure_additions'>

/** Renders, for example, "a repayment of … , or adding … BTC, worth … in the market". */
export function Cures({
  of: { cure_amount_usd: amount, cure_additions: additions },
}: {
  of: Cures
}) {
  const [addition] = additions ?? []
  return (
    <>
      a repayment of <Money amount={amount} />
      {addition && (
        <>
          , or adding <Money amount={addition.quantity} asset={addition.asset} />, worth{' '}
          <Money amount={addition.market_usd} /> in the market
        </>
      )}
    </>
  )
}

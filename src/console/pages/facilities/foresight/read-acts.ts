import type { PreviewActs } from '../../../data/lending-types.ts'
import type { ActValues } from './preview-form.tsx'

type PricedAsset = NonNullable<PreviewActs['prices']>[number]['asset']

/** The request of what was filled in. */
export function readActs(values: ActValues): PreviewActs {
  const { deposit, withdrawal, repayment, draw, price } = values
  const days = Number(values.days) || 0
  return {
    ...(deposit.amount !== '' && { deposit: [toPosition(deposit)] }),
    ...(withdrawal.amount !== '' && { withdrawal: [toPosition(withdrawal)] }),
    ...(repayment.amount !== '' && { repayment }),
    ...(draw.amount !== '' && { draw }),
    ...(price.amount !== '' && {
      prices: [{ asset: price.asset as PricedAsset, price_usd: price.amount }],
    }),
    ...(days > 0 && { days }),
  }
}

function toPosition({ amount, asset }: { amount: string; asset: string }) {
  return { asset, quantity: amount }
}

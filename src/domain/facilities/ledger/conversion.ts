import { type Amount, unitsPerWhole } from '../../../core/money.ts'
import { CENTS_PER_USD } from '../../collateral/prices.ts'
import type { Posting } from './journal.ts'

/** Lines of money received for `cents` that the entry credits elsewhere. Another asset than dollars
 * is a claim on them, carried at par in whole cents; what a conversion leaves against par is its
 * result at once. 100.005 USDC received for 99.60 leave 0.40 USD and 0.005 USDC. */
export function moneyIn({ asset, units }: Amount, cents: bigint): Posting[] {
  if (asset === 'USD') return [{ account: 'bank', asset, units: cents }]
  const unitsPerCent = unitsPerWhole(asset) / CENTS_PER_USD
  const parCents = units / unitsPerCent
  const carried = parCents * unitsPerCent
  return [
    { account: 'wallet', asset, units },
    { account: 'wallet_at_par', asset, units: -carried },
    { account: 'conversion_result', asset, units: carried - units },
    { account: 'wallet_at_par', asset: 'USD', units: parCents },
    { account: 'conversion_result', asset: 'USD', units: cents - parCents },
  ]
}

/** Lines of money paid for `cents` that the entry debits elsewhere. */
export function moneyOut({ asset, units }: Amount, cents: bigint): Posting[] {
  return moneyIn({ asset, units: -units }, -cents)
}

export function cashAccount(asset: string): 'bank' | 'wallet' {
  return asset === 'USD' ? 'bank' : 'wallet'
}

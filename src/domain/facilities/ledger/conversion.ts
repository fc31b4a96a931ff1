import {
  type Amount,
  divideDown,
  divideUp,
  maxOf,
  minOf,
  unitsPerWhole,
} from '../../../core/money.ts'
import { CENTS_PER_USD, ONE_USD } from '../../collateral/prices.ts'
import { marketCents } from '../../collateral/valuation.ts'
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

/** Adds to a debt: ⌈amount · max(1, price)⌉ cents. */
export function debitCents(amount: Amount, price: bigint): bigint {
  if (amount.asset === 'USD') return amount.units
  return divideUp(amount.units * maxOf(ONE_USD, price) * CENTS_PER_USD, scaleOf(amount.asset))
}

/** Takes off a debt: ⌊amount · min(1, price)⌋ cents. */
export function creditCents(amount: Amount, price: bigint): bigint {
  if (amount.asset === 'USD') return amount.units
  return marketCents(amount, minOf(ONE_USD, price))
}

/** The least units whose receipt takes so many cents off a debt. */
export function unitsPaying(asset: string, cents: bigint, price: bigint): bigint {
  if (asset === 'USD') return cents
  return divideUp(cents * scaleOf(asset), minOf(ONE_USD, price) * CENTS_PER_USD)
}

/** The units that settle so many cents owed: never worth more. */
export function unitsForCents(asset: string, cents: bigint, price: bigint): bigint {
  if (asset === 'USD') return cents
  return divideDown(cents * scaleOf(asset), maxOf(ONE_USD, price) * CENTS_PER_USD)
}

const scaleOf = (asset: string) => unitsPerWhole(asset) * ONE_USD

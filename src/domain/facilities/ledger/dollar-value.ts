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

/** What handing out an amount adds to a debt: ⌈amount · max(1, price)⌉ cents. */
export function debitCents(amount: Amount, price: bigint): bigint {
  if (amount.asset === 'USD') return amount.units
  return divideUp(amount.units * maxOf(ONE_USD, price) * CENTS_PER_USD, scaleOf(amount.asset))
}

/** What receiving an amount takes off a debt: ⌊amount · min(1, price)⌋ cents. */
export function creditCents(amount: Amount, price: bigint): bigint {
  if (amount.asset === 'USD') return amount.units
  return marketCents(amount, minOf(ONE_USD, price))
}

/** The least units of an asset whose receipt takes so many cents off a debt. */
export function unitsPaying(asset: string, cents: bigint, price: bigint): bigint {
  if (asset === 'USD') return cents
  return divideUp(cents * scaleOf(asset), minOf(ONE_USD, price) * CENTS_PER_USD)
}

/** The units of an asset that settle so many cents owed: never worth more than they are. */
export function unitsForCents(asset: string, cents: bigint, price: bigint): bigint {
  if (asset === 'USD') return cents
  return divideDown(cents * scaleOf(asset), maxOf(ONE_USD, price) * CENTS_PER_USD)
}

const scaleOf = (asset: string) => unitsPerWhole(asset) * ONE_USD

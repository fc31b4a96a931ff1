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

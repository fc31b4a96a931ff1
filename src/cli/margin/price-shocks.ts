import { InvalidArgumentError } from 'commander'
import { parseDecimal, QUOTED_ASSETS } from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { parsePrice } from '../../domain/collateral/prices.ts'
import {
  isPossibleMove,
  PERCENT_DIGITS,
  type PriceShock,
} from '../../domain/margin/stress/scenario.ts'

const ASSETS: readonly string[] = QUOTED_ASSETS

const FORM = 'Expected moves or prices in USD, such as BTC=-40%,ETH=-50%,USDC=0.97.'

/** Such as `BTC=-40%,USDC=0.97`, and what was given before. */
export function readShocks(text: string, before: readonly PriceShock[] = []): PriceShock[] {
  const shocks = [...before]
  for (const item of text.split(',')) {
    const shock = readShock(item.trim())
    if (shocks.some(({ asset }) => asset === shock.asset)) {
      throw new InvalidArgumentError(`${shock.asset} is named twice.`)
    }
    shocks.push(shock)
  }
  return shocks
}

function readShock(item: string): PriceShock {
  const [, asset = '', amount = ''] = /^([^=]*)=(.*)$/.exec(item) ?? []
  if (amount === '') throw new InvalidArgumentError(FORM)
  if (!ASSETS.includes(asset)) {
    throw new InvalidArgumentError(`${asset} has no price here. Assets: ${ASSETS.join(', ')}.`)
  }
  const [, sign = '', percent] = /^([+-]?)(.*)%$/.exec(amount) ?? []
  if (percent === undefined) {
    const price = parsePrice(amount)
    if (price === undefined) throw new InvalidArgumentError(FORM)
    return { asset, price }
  }
  const size = parseDecimal(percent, PERCENT_DIGITS)
  if (size === undefined || sign === '') throw new InvalidArgumentError(FORM)
  const movedPpm = sign === '-' ? -size : size
  if (!isPossibleMove(movedPpm)) {
    throw new InvalidArgumentError(
      `${item}: a price can fall by less than 100 % and rise by 9900 %.`,
    )
  }
  return { asset, leftPpm: ONE_PPM + movedPpm }
}

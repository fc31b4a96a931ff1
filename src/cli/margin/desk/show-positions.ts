import { formatQuantity } from '../../../core/money.ts'
import type { Position } from '../../../domain/collateral/valuation.ts'

/** As `1.5 BTC, 20 ETH`. */
export function showPositions(positions: readonly Position[]): string {
  const texts = positions.map((position) => `${formatQuantity(position)} ${position.asset}`)
  return texts.join(', ') || 'nothing'
}

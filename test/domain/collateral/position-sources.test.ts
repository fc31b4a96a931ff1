import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countPositions,
  type PositionSources,
  type Units,
} from '../../../src/domain/collateral/position-sources.ts'

const units = (given: Record<string, number>): Units =>
  new Map(Object.entries(given).map(([asset, count]) => [asset, BigInt(count)]))

function sources(pushed: Units, custodian?: Units): PositionSources {
  const at = new Date('2026-11-20T12:00:00Z')
  return {
    pushed: { asOfMicros: 0n, receivedAt: at, units: pushed },
    custodian: custodian && { readAt: at, units: custodian },
  }
}

const counted = (...given: Parameters<typeof countPositions>) =>
  Object.fromEntries(countPositions(...given).map(({ asset, units: count }) => [asset, count]))

describe('what counts', () => {
  test('without a reading of the custodian the snapshot alone counts', () => {
    expect(counted(sources(units({ BTC: 3, ETH: 0 })))).toEqual({ BTC: 3n, ETH: 0n })
  })

  test('of each asset the smaller of snapshot and reading counts; an asset missing in one counts nothing', () => {
    const both = sources(units({ BTC: 3, ETH: 5, USD: 7 }), units({ BTC: 4, ETH: 2, USDC: 9 }))
    expect(counted(both)).toEqual({ BTC: 3n, ETH: 2n, USD: 0n })
  })

  test('what was sold since each source is subtracted, never below zero', () => {
    const both = sources(units({ BTC: 10, ETH: 10, USD: 2 }), units({ BTC: 8, ETH: 8, USD: 2 }))
    const sold = { sincePush: units({ BTC: 4, USD: 3 }), sinceRead: units({ ETH: 5 }) }
    expect(counted(both, sold)).toEqual({ BTC: 6n, ETH: 3n, USD: 0n })
  })

  test('what counts never exceeds either source, and lists assets in order', () => {
    const held = fc.dictionary(fc.constantFrom('BTC', 'ETH', 'USD', 'USDC'), fc.nat(20))
    fc.assert(
      fc.property(held, held, held, held, (pushed, read, sincePush, sinceRead) => {
        const sold = { sincePush: units(sincePush), sinceRead: units(sinceRead) }
        const positions = countPositions(sources(units(pushed), units(read)), sold)
        const assets = positions.map(({ asset }) => asset)
        expect(assets).toEqual(Object.keys(pushed).sort())
        for (const { asset, units: count } of positions) {
          const ofPush = Math.max(0, (pushed[asset] ?? 0) - (sincePush[asset] ?? 0))
          const ofCustodian = Math.max(0, (read[asset] ?? 0) - (sinceRead[asset] ?? 0))
          expect(count).toBe(BigInt(Math.min(ofPush, ofCustodian)))
        }
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countPositions,
  type PositionSources,
  type Units,
} from '../../../src/domain/collateral/position-sources.ts'
import type { Position } from '../../../src/domain/collateral/valuation.ts'

const units = (given: Record<string, number>): Units =>
  new Map(Object.entries(given).map(([asset, count]) => [asset, BigInt(count)]))

function sources(
  pushed: Units,
  custodian?: Units,
  confirmed?: Units,
): Omit<PositionSources, 'question'> {
  const at = new Date('2026-11-20T12:00:00Z')
  return {
    pushed: { asOfMicros: 0n, receivedAt: at, units: pushed },
    custodian: custodian && { readAt: at, units: custodian },
    confirmed: confirmed && { readAt: at, units: confirmed },
  }
}

const toCounts = (positions: readonly Position[]) =>
  Object.fromEntries(positions.map(({ asset, units: count }) => [asset, count]))
const counted = (...given: Parameters<typeof countPositions>) =>
  toCounts(countPositions(...given).positions)

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
    const sold = {
      sincePush: units({ BTC: 4, USD: 3 }),
      sinceRead: units({ ETH: 5 }),
      sinceConfirmed: units({}),
    }
    expect(counted(both, sold)).toEqual({ BTC: 6n, ETH: 3n, USD: 0n })
  })

  test('what counts never exceeds either source, and lists assets in order', () => {
    const held = fc.dictionary(fc.constantFrom('BTC', 'ETH', 'USD', 'USDC'), fc.nat(20))
    fc.assert(
      fc.property(held, held, held, held, (pushed, read, sincePush, sinceRead) => {
        const sold = {
          sincePush: units(sincePush),
          sinceRead: units(sinceRead),
          sinceConfirmed: units({}),
        }
        const { positions, curing } = countPositions(sources(units(pushed), units(read)), sold)
        expect(curing).toBeUndefined()
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

describe('where the custodian has answered about the push', () => {
  const answered = (push: Record<string, number>, answer: Record<string, number>) =>
    countPositions(sources(units(push), undefined, units(answer)))

  test('what it holds counts, and towards a cure of each asset the smaller of both', () => {
    const { positions, curing } = answered({ BTC: 3, USD: 7 }, { BTC: 4, ETH: 2, USD: 1 })
    expect(toCounts(positions)).toEqual({ BTC: 4n, ETH: 2n, USD: 1n })
    expect(toCounts(curing ?? [])).toEqual({ BTC: 3n, ETH: 0n, USD: 1n })
  })

  test('a push of more than it holds counts for nothing', () => {
    const { positions, curing } = answered({ BTC: 9 }, { BTC: 1 })
    expect(toCounts(positions)).toEqual({ BTC: 1n })
    expect(curing).toBeUndefined()
  })

  test('a newer reading takes the place of the answer, an older one does not', () => {
    const at = (ms: number) => new Date(Date.parse('2026-11-20T12:00:00Z') + ms)
    for (const [ms, count] of [
      [-1, 4n],
      [0, 4n],
      [1, 6n],
    ] as const) {
      const all = sources(units({ BTC: 3 }), undefined, units({ BTC: 4 }))
      const custodian = { readAt: at(ms), units: units({ BTC: 6 }) }
      expect(toCounts(countPositions({ ...all, custodian }).positions)).toEqual({ BTC: count })
    }
  })

  test('what was sold since the answer is subtracted from it', () => {
    const sold = {
      sincePush: units({ BTC: 2 }),
      sinceRead: units({}),
      sinceConfirmed: units({ BTC: 1 }),
    }
    const all = sources(units({ BTC: 5 }), undefined, units({ BTC: 4 }))
    const { positions, curing } = countPositions(all, sold)
    expect(toCounts(positions)).toEqual({ BTC: 3n })
    expect(curing).toBeUndefined()
  })
})

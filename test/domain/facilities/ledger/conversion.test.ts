import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Amount } from '../../../../src/core/money.ts'
import { moneyIn, moneyOut } from '../../../../src/domain/facilities/ledger/conversion.ts'
import type { Posting } from '../../../../src/domain/facilities/ledger/journal.ts'

const usdc = (units: bigint): Amount => ({ asset: 'USDC', units })

/** As 'account asset: units', empty lines left out. */
const show = (postings: readonly Posting[]) =>
  postings
    .filter(({ units }) => units !== 0n)
    .map(({ account, asset, units }) => `${account} ${asset} ${units}`)

describe('a conversion', () => {
  test('dollars received are in the bank, and nothing is converted', () => {
    expect(show(moneyIn({ asset: 'USD', units: 500n }, 500n))).toEqual(['bank USD 500'])
  })

  test('100.005 USDC received for 99.60 leave 0.40 USD and 0.005 USDC as their result', () => {
    expect(show(moneyIn(usdc(100_005_000n), 99_60n))).toEqual([
      'wallet USDC 100005000',
      'wallet_at_par USDC -100000000',
      'conversion_result USDC -5000',
      'wallet_at_par USD 10000',
      'conversion_result USD -40',
    ])
  })

  test('1,000 USDC paid out for a debt of 1,002.00 leave 2.00 as their result', () => {
    expect(show(moneyOut(usdc(1_000_000_000n), 1_002_00n))).toEqual([
      'wallet USDC -1000000000',
      'wallet_at_par USDC 1000000000',
      'wallet_at_par USD -100000',
      'conversion_result USD -200',
    ])
  })

  const movement = fc.record({
    isIn: fc.boolean(),
    units: fc.bigInt(1n, 10n ** 15n),
    cents: fc.bigInt(0n, 10n ** 12n),
  })

  test('whatever is converted, nothing stays: the wallet is carried at par, and each asset sums to zero', () => {
    fc.assert(
      fc.property(fc.array(movement, { minLength: 1, maxLength: 20 }), (movements) => {
        const postings = movements.flatMap(({ isIn, units, cents }) =>
          isIn ? moneyIn(usdc(units), cents) : moneyOut(usdc(units), cents),
        )
        const sum = (account: string, asset: string) =>
          postings
            .filter((one) => one.asset === asset && one.account === account)
            .reduce((total, { units }) => total + units, 0n)
        const net = movements.reduce(
          (total, { isIn, cents }) => total + (isIn ? cents : -cents),
          0n,
        )
        expect(sum('wallet_at_par', 'USD') * 10_000n).toBe(-sum('wallet_at_par', 'USDC'))
        expect(
          sum('wallet', 'USDC') + sum('wallet_at_par', 'USDC') + sum('conversion_result', 'USDC'),
        ).toBe(0n)
        expect(sum('wallet_at_par', 'USD') + sum('conversion_result', 'USD')).toBe(net)
      }),
    )
  })
})

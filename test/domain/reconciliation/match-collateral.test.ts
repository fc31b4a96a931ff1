import { expect, test } from 'vitest'
import {
  matchCollateral,
  type OwnAccount,
} from '../../../src/domain/reconciliation/match-collateral.ts'

const btc = (units: bigint) => [{ asset: 'BTC', units }]

const OWN: OwnAccount = {
  ...{ facilityId: 'fac_1', lien: 'pledged', floorCents: 100n },
  ...{ counted: btc(5n), pushed: undefined },
}
const HELD = { facilityId: 'fac_1', floorCents: 100n, positions: btc(5n) }

const compare = (own: Partial<OwnAccount> | undefined, held: Partial<typeof HELD> | undefined) =>
  matchCollateral(
    '2026-11-20',
    held ? [{ ...HELD, ...held }] : [],
    own ? [{ ...OWN, ...own }] : [],
  ).map(({ kind, itemId }) => `${kind} ${itemId}`)

test('an account that holds what is counted, with the floor that was set, is no break', () => {
  expect(compare({}, {})).toEqual([])
  // Neither is what does not count as collateral.
  const positions = [...btc(5n), { asset: 'SOL', units: 9n }]
  expect(compare({}, { positions })).toEqual([])
})

test('a pledge on one side alone is a break, but not that of an application that was not lent on', () => {
  expect(compare({}, undefined)).toEqual(['missing_there fac_1'])
  expect(compare(undefined, {})).toEqual(['missing_here fac_1'])
  expect(compare({ lien: 'released' }, {})).toEqual(['missing_here fac_1'])
  expect(compare({ lien: 'released' }, undefined)).toEqual([])
  expect(compare({ lien: 'unsure' }, {})).toEqual([])
  expect(compare({ lien: 'unsure' }, undefined)).toEqual([])
})

test('less than is counted is a break at once, and more only where nothing was pushed for a day', () => {
  expect(compare({}, { positions: btc(4n) })).toEqual(['other_amount fac_1/BTC'])
  expect(compare({}, { positions: btc(6n) })).toEqual([])
  expect(compare({ pushed: btc(5n) }, { positions: btc(6n) })).toEqual(['other_amount fac_1/BTC'])
  expect(compare({ pushed: btc(6n) }, { positions: btc(6n) })).toEqual([])
})

test('a floor is compared unless another is on its way', () => {
  expect(compare({}, { floorCents: 99n })).toEqual(['other_amount fac_1/floor'])
  expect(compare({ floorCents: undefined }, { floorCents: 99n })).toEqual([])
})

import { afterEach, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, SECOND_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { ONE_USD } from '../../src/domain/collateral/prices.ts'
import { valuePortfolio } from '../../src/domain/collateral/valuation.ts'
import { amendFacilities } from '../../src/domain/margin/amendments/amend.ts'
import { countUnwarnedBreaches } from '../../src/domain/margin/evaluation/evaluate-all.ts'
import { applyTerms, changedTerms } from '../../src/domain/margin/margin-terms.ts'
import {
  alwaysBy,
  DEFAULT_MARGIN_POLICY,
  type MarginPolicy,
} from '../../src/domain/margin/policy.ts'
import { hasSellable, saleRatesAt } from '../../src/domain/margin/sale-plan.ts'
import { storeVersion } from '../../src/domain/margin/versions/change-versions.ts'
import { setRounds } from '../support/lending/facility-rows.ts'
import { houseForEachTest } from '../support/lending/houses.ts'
import { pass, read } from '../support/lending/lending.ts'
import { addBorrowed, btc, expectSound, ONE_BTC, readCalls } from '../support/lending/margin.ts'

const house = houseForEachTest()
afterEach(async () => {
  await house.db.updateTable('facilities').set({ terms_version: null }).execute()
  await house.db.deleteFrom('margin_policy_versions').execute()
})

const NOTHING = applyTerms(
  changedTerms.parse({ haircuts: { BTC: '1' } }),
  DEFAULT_MARGIN_POLICY,
).policy

test('collateral that counts for nothing is still sold, before anything is charged off', async () => {
  const { id } = await addBorrowed(house)
  const { tenantId } = house
  const version = { policy: NOTHING, effectiveFrom: addMs(house.now(), HOUR_MS) }
  const by = { note: 'risk', proposedBy: 'ada', signedBy: 'grace', now: house.now() }
  const { number } = await inTransaction(house.db, (tx) => storeVersion(tx, version, by))
  house.advance(HOUR_MS)
  house.terms = await house.context.termsAt(house.db, house.now())
  Object.assign(house.context, house.terms)
  await inTransaction(house.db, async (tx) => {
    const amendment = { version: number, ratePpm: undefined, from: undefined }
    const compared = [{ tenantId, facilityId: id, isStricter: true }]
    const tenantOf = async () => house.within(tx)
    await amendFacilities({ tx, now: house.now(), tenantOf }, amendment, compared)
  })
  await pass(house, 30 * DAY_MS)
  expect(await readCalls(house, id)).toMatchObject([
    { status: 'COMPLETED', outcome: 'full', deficitCents: 0n },
  ])
  expect(await read(house, id)).toMatchObject({ debt: { principalCents: 0n } })
  await expectSound(house, id)
})

test('what is sellable is the same to the cent for the plan of a sale and the count of a round', () => {
  for (const price of [1n, 99_999_999n, 100_000_000n, 200_000_000n]) {
    const prices = new Map([['BTC', { price, at: new Date(0) }]])
    for (const units of [1n, 999_999n, 1_000_000n, 1_999_999n, 2_000_000n, ONE_BTC]) {
      const { positions } = valuePortfolio(btc(units), prices, NOTHING.haircuts)
      const rate = Number(saleRatesAt(prices, NOTHING).get('BTC'))
      expect({ price, units, is: hasSellable(positions, NOTHING) }).toEqual({
        ...{ price, units, is: Number(units) * rate >= 1 - 1e-9 },
      })
    }
  }
})

test('a breach over collateral that counts for nothing is counted until it is warned', async () => {
  await addBorrowed(house)
  const { db } = house
  await db.updateTable('portfolios').set({ is_new: false, asked_since: null }).execute()
  const prices = { BTC: 100_000n * ONE_USD }
  await setRounds(db, house.now(), [
    { agoMs: 0, prices },
    { agoMs: 61 * SECOND_MS, prices },
  ])
  const count = (marginPolicy: MarginPolicy) => {
    const terms = alwaysBy({ policy: house.policy, marginPolicy })
    return countUnwarnedBreaches(db, terms, house.now())
  }
  expect(await count(DEFAULT_MARGIN_POLICY)).toBe(0)
  expect(await count(NOTHING)).toBe(1)
})

import { afterEach, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, SECOND_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { ONE_USD } from '../../src/domain/collateral/prices.ts'
import { valuePortfolio } from '../../src/domain/collateral/valuation.ts'
import { amendFacilities } from '../../src/domain/margin/amendments/amend.ts'
import { toLadderFacts } from '../../src/domain/margin/case.ts'
import { countUnwarnedBreaches } from '../../src/domain/margin/evaluation/evaluate-all.ts'
import { decideLadder } from '../../src/domain/margin/ladder/ladder.ts'
import { loadCase } from '../../src/domain/margin/load-cases.ts'
import { applyTerms, changedTerms } from '../../src/domain/margin/margin-terms.ts'
import {
  alwaysBy,
  DEFAULT_MARGIN_POLICY,
  type MarginPolicy,
} from '../../src/domain/margin/policy.ts'
import { hasSellable, planNextOrder, saleRatesAt } from '../../src/domain/margin/sale-plan.ts'
import { storeVersion } from '../../src/domain/margin/versions/change-versions.ts'
import { correct } from '../support/lending/corrections.ts'
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

async function putInForce(): Promise<number> {
  const version = { policy: NOTHING, effectiveFrom: addMs(house.now(), HOUR_MS) }
  const by = { note: 'risk', proposedBy: 'ada', signedBy: 'grace', now: house.now() }
  const { number } = await inTransaction(house.db, (tx) => storeVersion(tx, version, by))
  house.advance(HOUR_MS)
  house.terms = await house.context.termsAt(house.db, house.now())
  Object.assign(house.context, house.terms)
  return number
}

test('collateral that counts for nothing is still sold, before anything is charged off', async () => {
  const { id } = await addBorrowed(house)
  const { tenantId } = house
  const number = await putInForce()
  await inTransaction(house.db, async (tx) => {
    const amendment = { version: number, ratePpm: undefined, from: undefined }
    const compared = [{ tenantId, facilityId: id, isStricter: true }]
    const tenantOf = async () => house.within(tx)
    await amendFacilities(
      { tx, now: house.now(), tenantOf, askedBy: 'ada@lender.example' },
      amendment,
      compared,
    )
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

test.each([
  { satoshi: 19n, is: false },
  { satoshi: 20n, is: true },
])(
  '$satoshi satoshi that count for nothing: warning, sale, count and write-off agree that they are sellable ($is)',
  async ({ satoshi, is }) => {
    const { id, borrowerId } = await addBorrowed(house)
    const { db, tenantId } = house
    const number = await putInForce()
    // Loans of the other tests are healthy by the service's own terms.
    await db.updateTable('facilities').set({ terms_version: 0 }).execute()
    await db
      .updateTable('facilities')
      .set({ terms_version: number })
      .where('facility_id', '=', id)
      .execute()
    await db
      .updateTable('portfolios')
      .set({ positions: JSON.stringify({ BTC: String(satoshi) }) as never, is_new: false })
      .set({ confirmed: null, confirmed_at: null, asked_since: null, least: null })
      .where('borrower_id', '=', borrowerId)
      .execute()
    await db.deleteFrom('custodian_positions').where('borrower_id', '=', borrowerId).execute()
    await setRounds(db, house.now(), [
      { agoMs: 0, prices: { BTC: 100_000n * ONE_USD } },
      { agoMs: 61 * SECOND_MS, prices: { BTC: 100_000n * ONE_USD } },
    ])

    const reading = { ...house.context, db, tenantId, now: house.now() }
    const evaluated = await loadCase(reading, await read(house, id))
    const { values, latest } = evaluated.collateral
    expect({ values, ofCase: hasSellable(latest.positions, evaluated.policy) }).toMatchObject({
      values: { highCents: 0n },
      ofCase: is,
    })
    const step = planNextOrder({ debtCents: 48_000_00n, positions: latest.positions }, NOTHING)
    expect(step).toMatchObject(
      is ? { kind: 'order' } : { kind: 'stop', reason: 'nothing_sellable' },
    )
    expect(await countUnwarnedBreaches(db, house.terms, house.now())).toBe(is ? 1 : 0)
    const decision = decideLadder(toLadderFacts(evaluated, 'price', house.now()), evaluated.policy)
    expect(decision.kind).toBe(is ? 'raise' : 'ask')
    const written = correct(house, id, { kind: 'write_off' })
    if (is) await expect(written).rejects.toMatchObject({ code: 'outstanding_balance' })
    else await expect(written).resolves.toMatchObject({ facility: { state: 'CLOSING' } })
  },
)

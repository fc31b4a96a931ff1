import { afterEach, expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { amendFacilities, compareFacilities } from '../../src/domain/margin/amendments/amend.ts'
import { readDecisionFacts } from '../../src/domain/margin/decisions/decision-record.ts'
import { listMarginDecisions } from '../../src/domain/margin/decisions/decisions.ts'
import { viewFacility } from '../../src/domain/margin/facility-view.ts'
import { applyTerms, changedTerms } from '../../src/domain/margin/margin-terms.ts'
import { DEFAULT_MARGIN_POLICY } from '../../src/domain/margin/policy.ts'
import { storeVersion } from '../../src/domain/margin/versions/change-versions.ts'
import { createTermsAt, fixTerms } from '../../src/domain/margin/versions/terms-at.ts'
import { toFacilityBody } from '../../src/http/routes/facility-schemas.ts'
import { houseForEachTest } from '../support/lending/houses.ts'
import { read } from '../support/lending/lending.ts'
import {
  addBorrowed,
  expectSound,
  holdPrice,
  readWarnings,
  tick,
} from '../support/lending/margin.ts'

const house = houseForEachTest()
afterEach(async () => {
  await house.db.updateTable('facilities').set({ terms_version: null }).execute()
  await house.db.deleteFrom('margin_policy_versions').execute()
})

/** In force an hour later, to which the clock is set ahead. */
async function putInForce(terms: object): Promise<number> {
  const { number } = await inTransaction(house.db, (tx) =>
    storeVersion(
      tx,
      {
        policy: applyTerms(changedTerms.parse(terms), DEFAULT_MARGIN_POLICY).policy,
        effectiveFrom: addMs(house.now(), HOUR_MS),
      },
      {
        note: 'risk',
        proposedBy: 'ada@lender.example',
        signedBy: 'grace@lender.example',
        now: house.now(),
      },
    ),
  )
  house.advance(HOUR_MS)
  return number
}

/** The first tier, and so the floor, at this ratio. */
const flooredAt = (percent: number) => ({
  ...{ floor_ltv: `0.${percent}`, cure_ltv: `0.${percent - 4}`, target_ltv: '0.30' },
  tiers: [
    { above_ltv: `0.${percent}`, cure_hours: 24 },
    { above_ltv: '0.75', cure_hours: 12 },
    { above_ltv: '0.80', cure_hours: 2 },
  ],
})

const bodyOf = async (id: string) => {
  const { db, context } = house
  const terms = await context.termsAt(db, house.now())
  const facility = await read(house, id)
  return toFacilityBody(await viewFacility(db, { ...context, ...terms }, facility, house.now()))
}

test('lines that a lender tightens warn no loan that was opened before them', async () => {
  const { id } = await addBorrowed(house, 40_000_00n)
  await putInForce(flooredAt(50))
  // 0.625 of the value: above the new line, below the loan's own.
  await holdPrice(house, '66000')
  await tick(house, 24 * HOUR_MS)
  expect(await readWarnings(house, id)).toEqual([])
  expect(await bodyOf(id)).toMatchObject({
    health: 'HEALTHY',
    terms: { version: 0, floor_ltv: '0.7', tiers: [{ cure_seconds: 172_800 }, {}, {}] },
  })
  await expectSound(house, id)
})

test('of loans of nineteen versions, one evaluation decides each by its own', async () => {
  const loans: { id: string; percent: number }[] = []
  for (let percent = 51; percent <= 69; percent += 1) {
    await putInForce(flooredAt(percent))
    loans.push({ id: (await addBorrowed(house, 40_000_00n)).id, percent })
  }
  house.market.set('BTC', '66000')
  await tick(house, MINUTE_MS)
  for (const { id, percent } of loans) {
    const [warning] = await readWarnings(house, id)
    // 40,00x.xx over 64,020.00 is 0.6248 and a little.
    expect({ percent, isWarned: warning !== undefined }).toEqual({
      percent,
      isWarned: percent <= 62,
    })
    if (!warning) continue
    expect(warning.cure_deadline).toEqual(addMs(house.now(), 24 * HOUR_MS))
    const [raise] = await listMarginDecisions(house.db, house.tenantId, id, 1)
    expect(readDecisionFacts(raise?.facts).policy.floorLtvPpm).toBe(BigInt(percent) * 10_000n)
  }
  await expectSound(house, loans[0]?.id ?? '')
  // With the next one there are twenty, and no further one can be kept apart.
  await expect(putInForce({})).resolves.toBe(20)
  await expect(putInForce({})).rejects.toMatchObject({ code: 'limit_reached' })
  // Nor is a loan amended to one to which none is bound.
  const { db, tenantId } = house
  const amendment = { version: 0, ratePpm: undefined, from: undefined }
  const facilities = [{ tenantId, facilityId: loans[0]?.id ?? '' }]
  const { compared } = await compareFacilities(db, amendment, { facilities }, house.now())
  const amending = inTransaction(db, (tx) =>
    amendFacilities(
      { tx, now: house.now(), tenantOf: async () => house.within(tx), askedBy: 'ada' },
      amendment,
      compared,
    ),
  )
  await expect(amending).rejects.toMatchObject({ code: 'limit_reached' })
})

test('a later build with other defaults changes no loan of the service', async () => {
  const own = { policy: house.policy, marginPolicy: DEFAULT_MARGIN_POLICY }
  await fixTerms(house.db, own, house.now())
  const later = {
    policy: { ...house.policy, floorLtvPpm: 500_000n },
    marginPolicy: { ...DEFAULT_MARGIN_POLICY, version: '2027-06', floorLtvPpm: 500_000n },
  }
  await fixTerms(house.db, later, house.now())
  const terms = await createTermsAt(later, house.now)(house.db, house.now())
  const { id, termsVersion } = await addBorrowed(house)
  expect(termsVersion).toBe(0)
  const bound = terms.termsOf(await read(house, id))
  expect(bound.marginPolicy).toMatchObject({ version: '2026-11', floorLtvPpm: 700_000n })
  expect(bound.policy.floorLtvPpm).toBe(700_000n)
})

test('a loan that an older build approved is bound to the version of its approval', async () => {
  const first = await addBorrowed(house)
  const version = await putInForce(flooredAt(60))
  const second = await addBorrowed(house)
  await house.db
    .updateTable('facilities')
    .set({ terms_version: null })
    .where('tenant_id', '=', house.tenantId)
    .execute()
  const { termsOf } = await house.context.termsAt(house.db, house.now())
  const versionsOf = async () => {
    const both = [await read(house, first.id), await read(house, second.id)]
    return both.map((one) => [one.termsVersion, termsOf(one).policy.termsVersion])
  }
  expect(await versionsOf()).toEqual([
    [undefined, 0],
    [undefined, version],
  ])
  const own = { policy: house.policy, marginPolicy: DEFAULT_MARGIN_POLICY }
  await fixTerms(house.db, own, house.now())
  expect(await versionsOf()).toEqual([
    [0, 0],
    [version, version],
  ])
})

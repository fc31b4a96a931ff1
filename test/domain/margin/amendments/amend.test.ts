import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import { checkLedger } from '../../../../src/domain/facilities/ledger/check-ledger.ts'
import { totalDebtCents } from '../../../../src/domain/facilities/ledger/debt.ts'
import { readPayoff } from '../../../../src/domain/facilities/statements/payoff.ts'
import { readStatement } from '../../../../src/domain/facilities/statements/statement.ts'
import {
  type Amendment,
  amendFacilities,
  compareFacilities,
  withdrawAmendment,
} from '../../../../src/domain/margin/amendments/amend.ts'
import { changeFacility } from '../../../../src/domain/margin/change-facility.ts'
import { viewFacility } from '../../../../src/domain/margin/facility-view.ts'
import { applyTerms, changedTerms } from '../../../../src/domain/margin/margin-terms.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../../src/domain/margin/policy.ts'
import { storeVersion } from '../../../../src/domain/margin/versions/change-versions.ts'
import { fixTerms } from '../../../../src/domain/margin/versions/terms-at.ts'
import { toFacilityBody } from '../../../../src/http/routes/facility-schemas.ts'
import { correct } from '../../../support/lending/corrections.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import {
  announce,
  dataOf,
  pass,
  read,
  repay,
  report,
  settle,
  usd,
} from '../../../support/lending/lending.ts'
import {
  addBorrowed,
  expectSound,
  holdPrice,
  readWarnings,
} from '../../../support/lending/margin.ts'

const house = houseForEachTest()
beforeEach(async () => {
  const own = { policy: house.policy, marginPolicy: DEFAULT_MARGIN_POLICY }
  await fixTerms(house.db, own, house.now())
})
afterEach(async () => {
  await house.db.deleteFrom('margin_policy_versions').execute()
})

const by = { note: 'risk', proposedBy: 'ada@lender.example', signedBy: 'grace@lender.example' }

/** In force an hour later, to which the clock is set ahead. */
async function putInForce(terms: object): Promise<number> {
  const effectiveFrom = addMs(house.now(), HOUR_MS)
  const { policy } = applyTerms(changedTerms.parse(terms), DEFAULT_MARGIN_POLICY)
  const { number } = await inTransaction(house.db, (tx) =>
    storeVersion(tx, { policy, effectiveFrom }, { ...by, now: house.now() }),
  )
  house.advance(HOUR_MS)
  house.terms = await house.context.termsAt(house.db, house.now())
  Object.assign(house.context, house.terms)
  return number
}

/** Tier 1, and so the floor, at 0.65; the other tiers as ever. */
const STRICTER = {
  ...{ floor_ltv: '0.65', cure_ltv: '0.55', target_ltv: '0.5' },
  tiers: [
    { above_ltv: '0.65', cure_hours: 48 },
    { above_ltv: '0.75', cure_hours: 12 },
    { above_ltv: '0.80', cure_hours: 2 },
  ],
}

/** Tier 1, and so the floor, at 0.73. */
const LENIENT = {
  floor_ltv: '0.73',
  tiers: [
    { above_ltv: '0.73', cure_hours: 60 },
    { above_ltv: '0.76', cure_hours: 12 },
    { above_ltv: '0.80', cure_hours: 2 },
  ],
}

type Terms = { version?: number; rate?: bigint; from?: Date }

const toAmendment = ({ version, rate: ratePpm, from }: Terms): Amendment => ({
  ...{ version, ratePpm, from },
})

const compare = (terms: Terms, ids: readonly string[]) => {
  const { db, tenantId } = house
  const facilities = ids.map((facilityId) => ({ tenantId, facilityId }))
  return compareFacilities(db, toAmendment(terms), { facilities }, house.now())
}

async function amend(terms: Terms, ...ids: string[]) {
  const { compared } = await compare(terms, ids)
  return await confirm(terms, compared)
}

const confirm = (terms: Terms, compared: Awaited<ReturnType<typeof compare>>['compared']) =>
  inTransaction(house.db, (tx) =>
    amendFacilities(
      { tx, now: house.now(), tenantOf: async () => house.within(tx), askedBy: 'ada' },
      toAmendment(terms),
      compared,
    ),
  )

const withdraw = (id: string) =>
  inTransaction(house.db, (tx) => withdrawAmendment(house.within(tx), id))

async function bodyOf(id: string) {
  const { db, context } = house
  const facility = await read(house, id)
  return toFacilityBody(await viewFacility(db, context, facility, house.now()))
}

test('stricter terms bind 30 days after the event, and the round of that instant goes by them', async () => {
  // 0.68 of the value: above the new floor only.
  const { id } = await addBorrowed(house, 40_000_00n)
  const version = await putInForce(STRICTER)
  await holdPrice(house, '60700')
  expect(await readWarnings(house, id)).toEqual([])
  const at = addMs(house.now(), 30 * DAY_MS)
  expect(await amend({ version }, id)).toMatchObject({ bound: [], noticed: [{ id, at }] })
  expect(await dataOf(house, 'facility.terms_changed', id)).toMatchObject({
    ...{ facility_id: id, effective_at: at.toISOString() },
    terms: { version, rate: '0.1', floor_ltv: '0.65', tiers: [{ above_ltv: '0.65' }, {}, {}] },
  })
  expect(await bodyOf(id)).toMatchObject({
    terms: { version: 0, floor_ltv: '0.7' },
    next_terms: { effective_at: at.toISOString(), terms: { version, floor_ltv: '0.65' } },
  })

  await pass(house, 30 * DAY_MS - 1)
  expect(await readWarnings(house, id)).toEqual([])
  expect(await read(house, id)).toMatchObject({ termsVersion: 0 })
  await pass(house, 1)
  expect(await read(house, id)).toMatchObject({ termsVersion: version, nextTerms: undefined })
  const [warning] = await readWarnings(house, id)
  expect(warning).toMatchObject({ status: 'OPEN', tier: 1, raised_at: at })
  expect(await bodyOf(id)).toMatchObject({ terms: { version, floor_ltv: '0.65' } })
  expect((await bodyOf(id)).next_terms).toBeUndefined()
  await expectSound(house, id)
})

test('an instant that is asked for counts where it is later than the notice', async () => {
  const { id } = await addBorrowed(house, 40_000_00n)
  const version = await putInForce(STRICTER)
  const from = addMs(house.now(), 45 * DAY_MS)
  await amend({ version, from }, id)
  expect(await read(house, id)).toMatchObject({ nextTerms: { at: from } })
  await withdraw(id)
  await amend({ version, from: addMs(house.now(), DAY_MS) }, id)
  const at = addMs(house.now(), 30 * DAY_MS)
  expect(await read(house, id)).toMatchObject({ nextTerms: { at } })
})

test('terms that are nowhere stricter bind immediately, during a warning too, whatever instant was asked', async () => {
  const { id } = await addBorrowed(house, 40_000_00n)
  const version = await putInForce({ ...LENIENT, cure_ltv: '0.715' })
  await holdPrice(house, '58000')
  expect(await readWarnings(house, id)).toMatchObject([{ status: 'OPEN', tier: 1 }])
  const from = addMs(house.now(), 90 * DAY_MS)
  expect(await amend({ version, from }, id)).toMatchObject({ bound: [id], noticed: [] })
  expect(await read(house, id)).toMatchObject({ termsVersion: version, nextTerms: undefined })
  await settle(house)
  // 0.7110 is clear of the floor of a warning by the new terms.
  expect(await readWarnings(house, id)).toMatchObject([{ status: 'CURED' }])
  await expectSound(house, id)
})

test('a stricter amendment waits for the end of an open warning, and binds at it', async () => {
  const { id } = await addBorrowed(house, 40_000_00n)
  const version = await putInForce(STRICTER)
  await amend({ version }, id)
  await pass(house, 30 * DAY_MS - HOUR_MS)
  await holdPrice(house, '58000')
  expect(await readWarnings(house, id)).toMatchObject([{ status: 'OPEN' }])
  await pass(house, 2 * HOUR_MS)
  expect(await read(house, id)).toMatchObject({ termsVersion: 0 })
  expect(await bodyOf(id)).toMatchObject({ next_terms: { terms: { version } } })
  // Clear of 0.60, the cure line of the terms that it has.
  await holdPrice(house, '70500')
  await pass(house, 1)
  expect(await readWarnings(house, id)).toMatchObject([{ status: 'CURED' }])
  expect(await read(house, id)).toMatchObject({ termsVersion: version, nextTerms: undefined })
  await expectSound(house, id)
})

test('a stricter amendment waits for the end of a live call', async () => {
  const { id } = await addBorrowed(house)
  const version = await putInForce(STRICTER)
  await amend({ version }, id)
  await pass(house, 30 * DAY_MS - HOUR_MS)
  house.fills = ['pending']
  await holdPrice(house, '59000')
  await pass(house, 2 * HOUR_MS)
  const states = await house.db.selectFrom('margin_calls').select('status').execute()
  expect(states).toEqual([{ status: 'COMPLETED' }])
  await pass(house, 1)
  expect(await read(house, id)).toMatchObject({ termsVersion: version })
  await expectSound(house, id)
})

test('a request after the instant acts by the new terms, before any worker came', async () => {
  const { id } = await addBorrowed(house, 40_000_00n)
  const version = await putInForce(STRICTER)
  await amend({ version, rate: 120_000n }, id)
  house.advance(30 * DAY_MS)
  await inTransaction(house.db, async (tx) => {
    const { facility, policy } = await changeFacility(house.within(tx), id)
    expect(facility).toMatchObject({ termsVersion: version, debt: { ratePpm: 120_000n } })
    expect(policy.floorLtvPpm).toBe(650_000n)
  })
})

test('one amendment waits a facility; a further one is refused until it is withdrawn', async () => {
  const { id } = await addBorrowed(house, 40_000_00n)
  const version = await putInForce(STRICTER)
  await amend({ version }, id)
  await expect(amend({ rate: 200_000n }, id)).rejects.toMatchObject({
    code: 'validation_failed',
    message: `${id} has an amendment that waits: withdraw it first.`,
  })
  // What is nowhere stricter is never pending, and the one that waits keeps its notice.
  const { nextTerms } = await read(house, id)
  await amend({ rate: 90_000n }, id)
  expect(await read(house, id)).toMatchObject({ nextTerms, debt: { ratePpm: 90_000n } })

  await withdraw(id)
  const [last] = (await eventsNewestFirst(id)) as [{ effective_at: string; terms: object }]
  expect(last).toMatchObject({
    effective_at: house.now().toISOString(),
    terms: { version: 0, rate: '0.09' },
  })
  await expect(withdraw(id)).rejects.toMatchObject({ code: 'validation_failed' })
  await pass(house, 31 * DAY_MS)
  expect(await read(house, id)).toMatchObject({ termsVersion: 0 })
  await expectSound(house, id)
})

async function eventsNewestFirst(id: string) {
  const rows = await house.db
    .selectFrom('events')
    .select('body')
    .where('type', '=', 'facility.terms_changed')
    .where('resource_id', '=', id)
    .orderBy('sequence', 'desc')
    .execute()
  return rows.map(({ body }) => JSON.parse(String(body)).data)
}

test('a facility whose comparison has changed since the proposal is left out by name', async () => {
  const first = await addBorrowed(house, 40_000_00n)
  const second = await addBorrowed(house, 40_000_00n)
  const third = await addBorrowed(house, 40_000_00n)
  const version = await putInForce({ haircuts: { BTC: '0.05' } })
  const { compared } = await compare({ version, rate: 100_000n }, [first.id, second.id, third.id])
  expect(compared.map(({ isStricter }) => isStricter)).toEqual([true, true, true])
  await amend({ version }, second.id)
  await repay(house, third.id, usd(totalDebtCents((await read(house, third.id)).debt, house.now())))
  await settle(house)
  await house.db
    .updateTable('facilities')
    .set({ state: 'CLOSING', close_reason: 'repaid' })
    .where('facility_id', '=', third.id)
    .execute()
  const amended = await confirm({ version, rate: 100_000n }, compared)
  expect(amended.noticed.map(({ id }) => id)).toEqual([first.id])
  expect(amended.leftOut.toSorted()).toEqual([second.id, third.id].toSorted())
})

test('all older facilities are found, with what is left for another proposal, and no newer one', async () => {
  const older = await addBorrowed(house, 40_000_00n)
  const version = await putInForce(STRICTER)
  const same = await addBorrowed(house, 40_000_00n)
  const { db, tenantId } = house
  const chosen = { tenantId }
  const { compared, left } = await compareFacilities(
    db,
    toAmendment({ version }),
    chosen,
    house.now(),
  )
  expect({ compared, left }).toMatchObject({
    compared: [{ tenantId, facilityId: older.id, isStricter: true }],
    left: 0,
  })
  expect((await read(house, same.id)).termsVersion).toBe(version)
})

test.each<[string, (version: number) => Terms]>([
  ['nothing', () => ({})],
  ['a version that does not exist', () => ({ version: 4711 })],
  ['a rate above 100 %', () => ({ rate: 1_000_001n })],
  ['what it has already', () => ({ version: 0, rate: 100_000n })],
])('an amendment to %s is refused', async (_, toTerms) => {
  const { id } = await addBorrowed(house, 40_000_00n)
  const version = await putInForce(STRICTER)
  await expect(amend(toTerms(version), id)).rejects.toThrow()
  expect(await eventsNewestFirst(id)).toEqual([])
})

test('a version that has not taken effect binds nothing', async () => {
  const { id } = await addBorrowed(house, 40_000_00n)
  const version = await putInForce(STRICTER)
  house.advance(-2 * MINUTE_MS)
  await expect(amend({ version }, id)).rejects.toMatchObject({ code: 'validation_failed' })
})

test('interest runs at each rate for its time, in the debt, the statement, a late receipt and the payoff', async () => {
  const { id } = await addBorrowed(house, 36_500_00n)
  const start = house.now()
  // 10.00 a day at 10 %, 5.00 at 5 %, 20.00 at 20 %.
  await pass(house, 5 * DAY_MS)
  const announced = await announce(house, id, usd(18_250_00n))
  await pass(house, 5 * DAY_MS)
  await amend({ rate: 50_000n }, id)
  await pass(house, 10 * DAY_MS)
  await amend({ rate: 200_000n }, id)
  const at = addMs(house.now(), 35 * DAY_MS)
  expect(readPayoff(await read(house, id), { at, now: house.now() })).toMatchObject({
    outstanding: { interestCents: 400_00n },
    perDayCents: 20_00n,
  })
  await pass(house, 35 * DAY_MS)
  const facility = await read(house, id)
  const debtCents = totalDebtCents(facility.debt, house.now())
  expect(debtCents).toBe(36_900_00n)
  const reading = { db: house.db, now: house.now() }
  const { closing } = await readStatement(reading, facility, { interest: 'day' })
  expect(closing.totalCents).toBe(debtCents)
  // As of day 5 it pays 50.00 of interest; on 18,300.00 run 5 days at 10 %, 40 at 5 % and 5 at 20 %.
  house.receivedAt.set('wire-late', addMs(start, 5 * DAY_MS))
  await report(house, announced, 'wire-late')
  await settle(house)
  const paid = await read(house, id)
  expect(paid.debt.principalCents).toBe(18_300_00n)
  expect(totalDebtCents(paid.debt, house.now())).toBe(18_475_48n)
  const after = await readStatement(reading, paid, { interest: 'period' })
  expect(after.closing.totalCents).toBe(18_475_48n)
  expect(await checkLedger(house.db)).toEqual([])
  await expectSound(house, id)
})

test('an amendment that names the rate of a correction ends it: its undo changes only what was before', async () => {
  const { id } = await addBorrowed(house)
  const { ratePpm } = (await read(house, id)).debt
  const rate = ratePpm / 2n
  await pass(house, DAY_MS)
  const { correctionId } = await correct(house, id, {
    kind: 'rate',
    ratePpm: rate,
    from: house.now(),
  })
  await pass(house, DAY_MS)
  expect(await amend({ rate }, id)).toMatchObject({ bound: [id] })
  await pass(house, DAY_MS)
  await correct(house, id, { kind: 'undo', correctionId })
  const { debt, earlierRates } = await read(house, id)
  expect(debt.ratePpm).toBe(rate)
  expect(earlierRates).toMatchObject([{ ratePpm }])
  expect(await checkLedger(house.db)).toEqual([])
})

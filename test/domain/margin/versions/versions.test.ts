import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import {
  decideAgain,
  readDecisionFacts,
} from '../../../../src/domain/margin/decisions/decision-record.ts'
import { listMarginDecisions } from '../../../../src/domain/margin/decisions/decisions.ts'
import { evaluateTenant } from '../../../../src/domain/margin/evaluation/evaluate.ts'
import { viewFacility } from '../../../../src/domain/margin/facility-view.ts'
import { applyTerms, changedTerms, showTerms } from '../../../../src/domain/margin/margin-terms.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../../src/domain/margin/policy.ts'
import {
  storeVersion,
  withdrawVersion,
} from '../../../../src/domain/margin/versions/change-versions.ts'
import { createTermsAt } from '../../../../src/domain/margin/versions/terms-at.ts'
import {
  listPolicyVersions,
  type PolicyVersion,
  versionAt,
} from '../../../../src/domain/margin/versions/versions.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import { read } from '../../../support/lending/lending.ts'
import {
  addBorrowed,
  holdPrice,
  readWarning,
  readWarnings,
  tick,
} from '../../../support/lending/margin.ts'
import { marginPolicies } from '../ladder/arbitraries.ts'

const house = houseForEachTest()
afterEach(async () => {
  await house.db.deleteFrom('margin_policy_withdrawals').execute()
  await house.db.deleteFrom('margin_policy_versions').execute()
})

const SIGNED = {
  note: 'volatility',
  proposedBy: 'ada@lender.example',
  signedBy: 'grace@lender.example',
}

const termsOf = (terms: object) =>
  applyTerms(changedTerms.parse(terms), DEFAULT_MARGIN_POLICY).policy

/** In so many milliseconds. */
const store = (terms: object, ms = HOUR_MS) =>
  inTransaction(house.db, (tx) => {
    const version = { policy: termsOf(terms), effectiveFrom: addMs(house.now(), ms) }
    return storeVersion(tx, version, { ...SIGNED, now: house.now() })
  })

const withdraw = (number: number) =>
  inTransaction(house.db, (tx) => withdrawVersion(tx, number, { ...SIGNED, now: house.now() }))

/** Breach above 0.60 and tiers close above it; a bitcoin counts half. */
const STRICT = {
  ...{ target_ltv: '0.40', cure_ltv: '0.50', floor_ltv: '0.60' },
  tiers: [
    { above_ltv: '0.60', cure_hours: 24 },
    { above_ltv: '0.62', cure_hours: 6 },
    { above_ltv: '0.64', cure_hours: 1 },
  ],
  critical_ltv: '0.90',
}

test('a loan keeps the version in force when it was approved, to the millisecond', async () => {
  await store(STRICT)
  house.advance(HOUR_MS - 1)
  const { id: before } = await addBorrowed(house, 40_000_00n)
  house.advance(1)
  const { id, termsVersion } = await addBorrowed(house, 40_000_00n)
  expect([(await read(house, before)).termsVersion, termsVersion]).toEqual([0, 1])
  await holdPrice(house, '66000')
  const [warning] = await readWarnings(house, id)
  // 40,000.01 over 64,020.00 is above 0.62, and below 0.70.
  expect(warning).toMatchObject({ tier: 2, status: 'OPEN', raised_at: house.now() })
  expect(warning?.cure_deadline).toEqual(addMs(house.now(), 6 * HOUR_MS))
  expect(await readWarnings(house, before)).toEqual([])
})

test('haircuts and the floor of its version show in every reading of a loan', async () => {
  const { id: before } = await addBorrowed(house)
  const { db, context } = house
  const view = async (id: string) => {
    const terms = await context.termsAt(db, house.now())
    return await viewFacility(db, { ...context, ...terms }, await read(house, id), house.now())
  }
  await store({ ...STRICT, haircuts: { BTC: '0.20' } })
  house.advance(HOUR_MS)
  const { id } = await addBorrowed(house, 40_000_00n)
  expect(await view(before)).toMatchObject({ valueCents: 97_000_00n })
  const { valueCents, requiredFloorCents, outstanding } = await view(id)
  expect(valueCents).toBe(80_000_00n)
  expect(requiredFloorCents).toBe((outstanding.totalCents * 10n + 5n) / 6n)
})

test('a decision names the version of its loan, whatever is stored later, and is recomputed', async () => {
  await store({ ...STRICT, haircuts: { BTC: '0.04' } })
  house.advance(HOUR_MS)
  const { id } = await addBorrowed(house, 40_000_00n)
  await holdPrice(house, '66000')
  await store({ floor_ltv: '0.70', haircuts: { BTC: '0.30' } })
  await tick(house, 2 * HOUR_MS)
  await tick(house, 5 * HOUR_MS)
  const decisions = await listMarginDecisions(house.db, house.tenantId, id, 1)
  const facts = decisions.map((decision) => readDecisionFacts(decision.facts))
  expect(facts.map(({ policy }) => policy.version)).toEqual(['1', '1'])
  expect(facts[0]?.policy.haircuts.get('BTC')).toBe(40_000n)
  for (const one of facts) expect(decideAgain(one)).toEqual(one.decision)
  expect(decisions.map(({ kind }) => kind)).toEqual(['raise', 'escalate'])
})

test('an open warning keeps its tier and deadline under a milder version', async () => {
  const { id } = await addBorrowed(house)
  await holdPrice(house, '65000')
  const before = await readWarning(house, id)
  await store({
    tiers: [
      { above_ltv: '0.77', cure_hours: 90 },
      { above_ltv: '0.78', cure_hours: 80 },
      { above_ltv: '0.79', cure_hours: 70 },
    ],
  })
  await tick(house, HOUR_MS)
  expect(await readWarning(house, id)).toMatchObject({
    tier: before.tier,
    cureDeadline: before.cureDeadline,
  })
})

test('two workers decide a loan by its own version, once', async () => {
  await store(STRICT)
  house.advance(HOUR_MS)
  const { id } = await addBorrowed(house, 40_000_00n)
  house.market.set('BTC', '66000')
  house.advance(MINUTE_MS)
  const own = { policy: house.policy, marginPolicy: DEFAULT_MARGIN_POLICY }
  const other = { ...house.context, termsAt: createTermsAt(own, () => house.now()) }
  await Promise.all(
    [house.context, other].map((context) =>
      evaluateTenant(house.db, context, house.tenantId, house.instant()),
    ),
  )
  expect(await readWarnings(house, id)).toHaveLength(1)
  const decisions = await listMarginDecisions(house.db, house.tenantId, id, 1)
  expect(decisions.map(({ facts }) => readDecisionFacts(facts).policy.version)).toEqual(['1'])
})

test.each([
  ['an instant that is less than 15 minutes ahead', {}, 15 * MINUTE_MS - 1, '15 minutes'],
  ['an instant in the past', {}, -DAY_MS, '15 minutes'],
  [
    'a critical line at the whole value',
    { critical_ltv: '1', deep_ltv: '1.1' },
    HOUR_MS,
    'critical_ltv',
  ],
  ['a deep line above the whole value', { deep_ltv: '1.000001' }, HOUR_MS, 'deep_ltv'],
  ['prices that need not hold', { confirm_seconds: 0 }, HOUR_MS, 'confirm_seconds'],
  ['large debts that are never warned', { least_usd: '1000.01' }, HOUR_MS, 'least_usd'],
  ['no dust', { dust_usd: '0.00' }, HOUR_MS, 'dust_usd'],
  [
    'more hours at a higher tier',
    {
      tiers: [
        { above_ltv: '0.70', cure_hours: 12 },
        { above_ltv: '0.75', cure_hours: 13 },
        { above_ltv: '0.80', cure_hours: 2 },
      ],
    },
    HOUR_MS,
    'higher tier',
  ],
  [
    'more hours after a relapse than of the first tier',
    { relapse_least_hours: 49 },
    HOUR_MS,
    'relapse_least_hours',
  ],
])('a version with %s is refused and nothing is stored', async (_name, terms, ms, detail) => {
  await expect(store(terms, ms)).rejects.toMatchObject({
    code: 'validation_failed',
    message: expect.stringContaining(detail),
  })
  expect(await listPolicyVersions(house.db)).toEqual([])
})

test('a version takes effect after the last one, or the last one is withdrawn first', async () => {
  await store(STRICT, 2 * HOUR_MS)
  await expect(store({}, 2 * HOUR_MS)).rejects.toMatchObject({ code: 'validation_failed' })
  await withdraw(1)
  expect(await store({}, HOUR_MS)).toMatchObject({ number: 2, before: DEFAULT_MARGIN_POLICY })
})

test('a version that was withdrawn never decides, and one that is soon in force stays', async () => {
  await store(STRICT)
  await withdraw(1)
  await expect(withdraw(1)).rejects.toMatchObject({ code: 'validation_failed' })
  await expect(withdraw(2)).rejects.toMatchObject({ code: 'not_found' })
  house.advance(2 * HOUR_MS)
  const { id } = await addBorrowed(house, 40_000_00n)
  await holdPrice(house, '66000')
  expect(await readWarnings(house, id)).toEqual([])
  await store(STRICT, 15 * MINUTE_MS)
  house.advance(1)
  await expect(withdraw(2)).rejects.toMatchObject({ code: 'validation_failed' })
})

test('versions are numbered and stored one after another, however many come at once', async () => {
  const hours = [1, 2, 3, 4, 5, 6]
  const stored = await Promise.allSettled(hours.map((hour) => store({}, hour * HOUR_MS)))
  const versions = await listPolicyVersions(house.db)
  expect(versions.map(({ number }) => number)).toEqual(versions.map((_, at) => at + 1))
  expect(versions).toHaveLength(stored.filter(({ status }) => status === 'fulfilled').length)
  const times = versions.map(({ effectiveFrom }) => effectiveFrom.getTime())
  expect(times).toEqual([...times].sort((a, b) => a - b))
})

test('the version in force is read again within ten seconds, and once for all that ask in between', async () => {
  const { db } = house
  const reads = vi.spyOn(db, 'selectFrom')
  let now = house.now()
  const own = { policy: house.policy, marginPolicy: DEFAULT_MARGIN_POLICY }
  const termsAt = createTermsAt(own, () => now)
  const version = async () => (await termsAt(db, addMs(now, DAY_MS))).marginPolicy.version
  expect(await version()).toBe(DEFAULT_MARGIN_POLICY.version)
  await store(STRICT)
  reads.mockClear()
  now = addMs(now, 9_999)
  expect(await version()).toBe(DEFAULT_MARGIN_POLICY.version)
  expect(reads).toHaveBeenCalledTimes(0)
  now = addMs(now, 1)
  expect(await version()).toBe('1')
  expect(reads).toHaveBeenCalledTimes(1)
  now = addMs(now, -HOUR_MS)
  expect(await version()).toBe('1')
  expect(reads).toHaveBeenCalledTimes(2)
})

test('for any versions, the one in force is the last that has taken effect and was not withdrawn', () => {
  const ordered = fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { maxLength: 8 })
  fc.assert(
    fc.property(
      ordered,
      fc.array(fc.boolean()),
      fc.integer({ min: 0, max: 1_000 }),
      (hours, withdrawn, hour) => {
        const instants = hours.sort((a, b) => a - b)
        const versions = instants.map((at, index) => ({
          number: index + 1,
          policy: DEFAULT_MARGIN_POLICY,
          effectiveFrom: new Date(at * HOUR_MS),
          created: { ...SIGNED, at: new Date(0) },
          withdrawn: withdrawn[index] ? { ...SIGNED, at: new Date(0) } : undefined,
        })) satisfies PolicyVersion[]
        const expected = versions.filter(
          (one) => !one.withdrawn && one.effectiveFrom <= new Date(hour * HOUR_MS),
        )
        expect(versionAt(versions, new Date(hour * HOUR_MS))).toBe(expected.at(-1))
      },
    ),
  )
})

test('for any policy, its terms are the same when they are read from their form in a file', () => {
  fc.assert(
    fc.property(marginPolicies, (policy) => {
      const parsed = changedTerms.safeParse(JSON.parse(JSON.stringify(showTerms(policy))))
      expect(parsed.success).toBe(true)
      if (!parsed.success) return
      const again = applyTerms(parsed.data, DEFAULT_MARGIN_POLICY).policy
      expect(showTerms(again)).toEqual(showTerms(policy))
      expect(again.tiers).toEqual(policy.tiers)
      expect(again.haircuts).toEqual(policy.haircuts)
    }),
  )
})

test('hours that come to nothing are refused: no one could read such a version again', async () => {
  const tiers = ['0.70', '0.75', '0.80'].map((line) => ({ above_ltv: line, cure_hours: 1e-8 }))
  await expect(async () => await store({ tiers, relapse_least_hours: 0 })).rejects.toThrow()
  expect(await listPolicyVersions(house.db)).toEqual([])
})

test('a version of a newer build is read without members that only that build knows', async () => {
  await store(STRICT)
  const { policy } = (await listPolicyVersions(house.db))[0] as PolicyVersion
  await sql`UPDATE margin_policy_versions
    SET terms = jsonb_insert(terms, '{haircuts,NEW}', '"0.5"') || '{"newer": 1}'`.execute(house.db)
  await sql`UPDATE margin_policy_versions
    SET terms = jsonb_insert(terms, '{tiers,0,newer}', '1')`.execute(house.db)
  const haircuts = new Map([...policy.haircuts, ['NEW', 500_000n]])
  expect((await listPolicyVersions(house.db))[0]?.policy).toEqual({ ...policy, haircuts })
})

test('a version that a later build would refuse is read all the same', async () => {
  await store(STRICT)
  const beyond = sql`UPDATE margin_policy_versions SET terms = terms || '{"critical_ltv": "0.55"}'`
  await beyond.execute(house.db)
  const { criticalLtvPpm } = (await listPolicyVersions(house.db))[0]?.policy ?? {}
  expect(criticalLtvPpm).toBe(550_000n)
})

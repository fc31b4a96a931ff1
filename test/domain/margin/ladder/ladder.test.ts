import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUsd, maxOf, minOf, parseDecimal } from '../../../../src/core/money.ts'
import { floorCents, formatLtv, ONE_PPM } from '../../../../src/core/ratio.ts'
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/time.ts'
import {
  accrue,
  applyPayment,
  type Debt,
  totalDebtCents,
} from '../../../../src/domain/facilities/ledger/debt.ts'
import { cureAmounts } from '../../../../src/domain/margin/ladder/cure-amounts.ts'
import { windowDeadline } from '../../../../src/domain/margin/ladder/deadlines.ts'
import type {
  LadderDecision,
  LadderFacts,
  OpenWarning,
  Push,
} from '../../../../src/domain/margin/ladder/facts.ts'
import { decideConfirmed, decideLadder } from '../../../../src/domain/margin/ladder/ladder.ts'
import { tierAt } from '../../../../src/domain/margin/ladder/tiers.ts'
import {
  DEFAULT_MARGIN_POLICY,
  type MarginPolicy,
  type Tier,
} from '../../../../src/domain/margin/policy.ts'
import { marginPolicies } from './arbitraries.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const POLICY = DEFAULT_MARGIN_POLICY

function debtOf(principalCents: bigint, ratePpm = 0n): Debt {
  return {
    principalCents,
    ratePpm,
    interestNumerator: 0n,
    accruedAt: NOW,
    interestBookedCents: 0n,
    interestPaidCents: 0n,
  }
}

/** One value throughout the window. */
const held = (cents: bigint) => ({ highCents: cents, lowCents: cents, latestCents: cents })

/** 7,000.00 owed without interest, so that ratios can be read off the value. */
const QUIET: LadderFacts = {
  now: NOW,
  trigger: 'price',
  debt: debtOf(7_000_00n),
  values: held(14_000_00n),
  hasSellableValue: true,
  warning: undefined,
  hasLiveCall: false,
  lastCure: undefined,
  reported: [],
}

const decide = (facts: Partial<LadderFacts>, policy = POLICY) =>
  decideLadder({ ...QUIET, ...facts }, policy)

const inHours = (hours: number) => addMs(NOW, hours * HOUR_MS)
const openUntil = (tier: Tier, cureDeadline: Date): OpenWarning => ({
  tier,
  cureDeadline,
  windowDeadline: cureDeadline,
})
const open = (tier: Tier, hours: number) => openUntil(tier, inHours(hours))

test('the example: 50,000.00 at 10 % on 1 BTC at 70,000', () => {
  const debt = debtOf(50_000_00n, 100_000n)
  const valueCents = 67_900_00n
  expect(formatLtv(50_000_00n, valueCents)).toBe('0.736378')
  expect(formatUsd(floorCents(50_000_00n, POLICY.floorLtvPpm))).toBe('71428.58')
  expect(formatUsd(floorCents(50_000_00n, POLICY.cureLtvPpm))).toBe('83333.34')
  const cureDeadline = inHours(48)
  expect(decide({ debt, values: held(valueCents) })).toEqual({
    kind: 'raise',
    tier: 1,
    cureDeadline,
  })
  expect(cureAmounts({ debt, lowCents: valueCents, cureDeadline, now: NOW }, POLICY)).toEqual({
    amountCents: 9_301_10n,
    collateralCents: 15_501_84n,
  })
})

describe('the rungs, strict and exact', () => {
  test.each<[string, bigint, LadderDecision]>([
    ['0.70 is no breach', 10_000_00n, { kind: 'none' }],
    ['above 0.70', 9_999_99n, { kind: 'raise', tier: 1, cureDeadline: inHours(48) }],
    ['0.75 is tier 1', 9_333_34n, { kind: 'raise', tier: 1, cureDeadline: inHours(48) }],
    ['above 0.75', 9_333_33n, { kind: 'raise', tier: 2, cureDeadline: inHours(12) }],
    ['0.80 is tier 2', 8_750_00n, { kind: 'raise', tier: 2, cureDeadline: inHours(12) }],
    ['above 0.80', 8_749_99n, { kind: 'raise', tier: 3, cureDeadline: inHours(2) }],
    ['0.83 is tier 3', 8_433_74n, { kind: 'raise', tier: 3, cureDeadline: inHours(2) }],
    ['above 0.83', 8_433_73n, { kind: 'raise', tier: 3, cureDeadline: NOW }],
    ['no value at all', 0n, { kind: 'raise', tier: 3, cureDeadline: NOW }],
  ])('the tiers are strict and exact: %s', (_name, cents, decision) => {
    expect(decide({ values: held(cents) })).toEqual(decision)
  })

  test.each<[string, bigint, OpenWarning, LadderDecision]>([
    ['the tier rises and the deadline falls', 9_000_00n, open(1, 40), worse(2, 12)],
    ['a deadline that is nearer stays', 9_000_00n, open(1, 5), worse(2, 5)],
    ['a tier may be passed over', 8_500_00n, open(1, 40), worse(3, 2)],
    ['the same tier decides nothing', 9_000_00n, open(2, 5), { kind: 'none' }],
    ['a tier never falls', 9_900_00n, open(3, 1), { kind: 'none' }],
    ['above the floor of before the warning it stays', 11_000_00n, open(1, 1), { kind: 'none' }],
    ['a cent short of the higher floor', 11_666_66n, open(1, 1), { kind: 'none' }],
    ['the higher floor cures', 11_666_67n, open(3, 1), { kind: 'cure', by: 'price' }],
    ['critical first takes it to tier 3', 8_000_00n, open(2, 9), worse(3, 0)],
    ['critical at tier 3', 8_000_00n, open(3, 1), { kind: 'escalate', reason: 'critical' }],
  ])('with a warning open: %s', (_name, cents, warning, decision) => {
    expect(decide({ values: held(cents), warning })).toEqual(decision)
  })

  test('a critical facility takes two steps to its call: tier 3 at once, then the call', () => {
    const values = held(8_000_00n)
    const first = decide({ values })
    expect(first).toEqual({ kind: 'raise', tier: 3, cureDeadline: NOW })
    expect(decide({ values, warning: open(3, 0) })).toEqual({
      kind: 'escalate',
      reason: 'critical',
    })
  })

  test('a deadline that has passed stays where it was when the tier rises', () => {
    const overdue = { warning: open(1, 0), now: inHours(3) }
    for (const values of [held(9_000_00n), held(8_000_00n)]) {
      expect(decide({ ...overdue, values })).toMatchObject({ kind: 'worsen', cureDeadline: NOW })
    }
  })

  test('a debt of 10.00 is warned about', () => {
    expect(decide({ debt: debtOf(10_00n), values: held(13_00n) })).toMatchObject({ kind: 'raise' })
  })

  test.each<[string, Partial<LadderFacts>]>([
    ['while a call lives', { hasLiveCall: true }],
    ['on a debt under 10.00', { debt: debtOf(9_99n), values: held(1n) }],
    ['where nothing sellable has value', { hasSellableValue: false, values: held(0n) }],
    ['without a window of prices', { values: undefined }],
  ])('nothing is raised %s', (_name, facts) => {
    expect(decide({ values: held(9_000_00n), ...facts })).toEqual({ kind: 'none' })
  })
})

describe('the answer of the custodian', () => {
  const critical = { ...open(3, 0), windowDeadline: inHours(2) }
  const reported = [{ cents: 3_000_00n, holdsUntil: inHours(9) }]
  test.each<[string, bigint, Partial<LadderFacts>, LadderDecision]>([
    ['critical by its answer too', 8_000_00n, { warning: critical }, sold('critical')],
    ['0.83 is not critical', 8_433_74n, { warning: critical }, { kind: 'none' }],
    ['in breach, with time left', 9_000_00n, { warning: critical }, { kind: 'none' }],
    ['the window itself is in time', 9_000_00n, overdueBy(0), { kind: 'none' }],
    ['in breach when the window has passed', 9_000_00n, overdueBy(1), sold('deadline')],
    ['a cent short of the floor by then', 11_666_66n, overdueBy(1), sold('deadline')],
    ['the floor is clear by then', 11_666_67n, overdueBy(1), { kind: 'none' }],
    ['worse than the tier, with time left', 8_500_00n, { warning: open(1, 9) }, { kind: 'none' }],
    ['critical, at a tier with time left', 8_000_00n, { warning: open(2, 9) }, { kind: 'none' }],
    ['critical, at a tier without', 8_000_00n, { warning: open(1, -1) }, sold('deadline')],
    [
      'a report holds what is overdue',
      9_000_00n,
      { ...overdueBy(1), reported },
      { kind: 'hold', until: inHours(9) },
    ],
    ['but not above critical', 8_000_00n, { ...overdueBy(1), reported }, sold('critical')],
    ['nothing is raised', 8_000_00n, {}, { kind: 'none' }],
  ])('when the custodian answers: %s', (_name, cents, facts, decision) => {
    expect(decideConfirmed({ ...QUIET, values: held(cents), ...facts }, POLICY)).toEqual(decision)
  })

  test('the ladder decides nothing without prices, nor while a call lives', () => {
    const facts = { ...QUIET, warning: critical, values: held(8_000_00n) }
    expect(decideConfirmed({ ...facts, values: undefined }, POLICY)).toEqual({ kind: 'none' })
    expect(decideConfirmed({ ...facts, hasLiveCall: true }, POLICY)).toEqual({ kind: 'none' })
  })

  function overdueBy(ms: number): Partial<LadderFacts> {
    return { warning: critical, now: addMs(critical.windowDeadline, ms) }
  }

  function sold(reason: 'deadline' | 'critical'): LadderDecision {
    return { kind: 'escalate', reason }
  }
})

test('being critical takes no time from the windows of the tiers', () => {
  const first = { ...QUIET, values: held(8_000_00n) }
  expect(windowDeadline(first, 3, POLICY)).toEqual(inHours(2))
  expect(windowDeadline({ ...first, warning: open(1, 40) }, 3, POLICY)).toEqual(inHours(2))
  expect(windowDeadline({ ...first, warning: open(1, 1) }, 3, POLICY)).toEqual(inHours(1))
  const lastCure = { curedAt: NOW, leftMs: 0 }
  expect(windowDeadline({ ...first, lastCure }, 1, POLICY)).toEqual(inHours(2))
})

describe('a push in question', () => {
  const receivedAt = addMs(NOW, -30_000)
  const fresh: Push = { receivedAt, isNew: true }
  const asked = (secondsAgo: number): Push => {
    return { receivedAt, isNew: false, askedSince: addMs(NOW, -secondsAgo * SECOND_MS) }
  }
  const answered: Push = { receivedAt, isNew: false, answeredAt: NOW }
  const breach = held(9_000_00n)
  const clear = held(11_666_67n)

  test('what it would raise or worsen waits for a minute from the question', () => {
    for (const warning of [undefined, open(1, 40)]) {
      const facts = { values: breach, warning }
      const kind = warning ? 'worsen' : 'raise'
      expect(decide({ ...facts, push: fresh })).toEqual({ kind: 'ask', until: addMs(NOW, 60_000) })
      expect(decide({ ...facts, push: asked(59) })).toEqual({
        kind: 'ask',
        until: addMs(NOW, 1_000),
      })
      expect(decide({ ...facts, push: asked(60) })).toMatchObject({ kind })
      expect(decide({ ...facts, push: { ...asked(60), isNew: true } })).toMatchObject({ kind })
      expect(decide({ ...facts, push: answered })).toMatchObject({ kind })
      const settled = { receivedAt, isNew: false }
      expect(decide({ ...facts, push: settled })).toMatchObject({ kind })
    }
  })

  test('a cure waits for the answer, and holds the escalation for an hour from a push in time', () => {
    const facts = { values: { ...held(9_900_00n), claimedCents: 11_666_67n }, warning: open(1, 0) }
    const until = addMs(receivedAt, HOUR_MS)
    const settled = { receivedAt, isNew: false }
    for (const push of [fresh, asked(3_600), settled]) {
      expect(decide({ ...facts, push })).toEqual({ kind: 'ask', until })
      expect(decide({ ...facts, push, now: addMs(until, -1) })).toEqual({ kind: 'ask', until })
      const after = decide({ ...facts, push, now: until })
      expect(after).toEqual({ kind: 'escalate', reason: 'deadline' })
    }
    const tooLate = { ...fresh, receivedAt: addMs(NOW, 1) }
    expect(decide({ ...facts, push: tooLate, now: addMs(NOW, 2) })).toMatchObject({
      kind: 'escalate',
    })
  })

  test('what clears the floor without the push is cured at once, whoever is asked about the push', () => {
    const facts = { values: { ...clear, claimedCents: 20_000_00n }, warning: open(1, 0) }
    for (const push of [fresh, asked(10), answered]) {
      expect(decide({ ...facts, push })).toEqual({ kind: 'cure', by: 'price' })
    }
  })

  test('a push that claims a cure holds neither what is critical nor what is worse by what counts', () => {
    const claimedCents = 20_000_00n
    const critical = { ...held(8_000_00n), claimedCents }
    expect(decide({ values: critical, warning: open(3, 2), push: fresh })).toEqual({
      kind: 'escalate',
      reason: 'critical',
    })
    const worse = { ...held(9_000_00n), claimedCents, heldCents: 9_000_00n }
    expect(decide({ values: worse, warning: open(1, 40), push: fresh })).toMatchObject({
      kind: 'worsen',
      tier: 2,
    })
  })

  test('a raise that the last answer of the custodian supports waits for no further one', () => {
    const values = (heldCents: bigint) => ({ ...held(9_000_00n), heldCents })
    expect(decide({ values: values(9_000_00n), push: fresh })).toMatchObject({ kind: 'raise' })
    expect(decide({ values: values(9_500_00n), push: fresh })).toMatchObject({ kind: 'ask' })
    const critical = { ...held(8_000_00n), heldCents: 8_600_00n }
    expect(decide({ values: critical, push: fresh })).toMatchObject({ kind: 'ask' })
  })

  test('where its last answer was that nothing is there, silence raises nothing', () => {
    const facts = { values: { ...held(0n), heldCents: 0n }, hasSellableValue: false }
    expect(decide({ ...facts, push: asked(60) })).toMatchObject({ kind: 'ask' })
  })

  test('it holds nothing above critical, nor what it does not clear', () => {
    const critical = { values: held(8_000_00n), warning: open(3, 0), push: asked(10) }
    expect(decide(critical)).toEqual({ kind: 'escalate', reason: 'critical' })
    const overdue = { values: held(9_900_00n), warning: open(1, 0), now: addMs(NOW, 1) }
    expect(decide({ ...overdue, push: fresh })).toEqual({ kind: 'escalate', reason: 'deadline' })
  })

  test('paid off whole is cured without a question', () => {
    const facts = { debt: debtOf(0n), warning: open(1, 1), push: fresh }
    expect(decide({ ...facts, trigger: 'repayment' })).toEqual({ kind: 'cure', by: 'repayment' })
  })

  test('that nothing can be sold is asked, raised after a minute of silence, and asked again a day after the answer', () => {
    const facts = { values: held(0n), hasSellableValue: false }
    const settled = { receivedAt, isNew: false }
    for (const push of [fresh, settled]) {
      expect(decide({ ...facts, push })).toEqual({ kind: 'ask', until: addMs(NOW, MINUTE_MS) })
    }
    const raised = { kind: 'raise', tier: 3, cureDeadline: NOW }
    expect(decide({ ...facts, push: asked(60) })).toEqual(raised)
    const dayAfter = inHours(24)
    expect(decide({ ...facts, push: answered })).toEqual({ kind: 'hold', until: dayAfter })
    expect(decide({ ...facts, push: answered, now: dayAfter })).toEqual({
      kind: 'ask',
      until: inHours(48),
    })
    const small = { ...facts, debt: debtOf(9_99n), push: fresh }
    expect(decide(small)).toEqual({ kind: 'none' })
  })

  test('for any facts, a push in question raises and worsens nothing but in silence or by the last answer, and cures nothing', () => {
    const ratio = fc.bigInt(300_000n, 1_200_000n)
    fc.assert(
      fc.property(
        fc.record({
          principal: fc.oneof(fc.constant(0n), fc.bigInt(10_00n, 10n ** 10n)),
          ...{ counted: ratio, certain: ratio, claimed: ratio },
          last: fc.option(ratio, { nil: undefined }),
          tier: fc.constantFrom(undefined, 1, 2, 3),
          hours: fc.integer({ min: -3, max: 3 }),
          askedSeconds: fc.option(fc.nat(120), { nil: undefined }),
          isNew: fc.boolean(),
          policy: marginPolicies,
        }),
        (given) => {
          const { principal, counted, certain, claimed, last, tier, askedSeconds, policy } = given
          fc.pre(given.isNew || askedSeconds !== undefined)
          const at = (ltvPpm: bigint) => (principal * ONE_PPM) / ltvPpm
          const highCents = at(counted)
          const lowCents = minOf(highCents, at(certain))
          const claimedCents = maxOf(highCents, at(claimed))
          const heldCents = last && maxOf(highCents, at(last))
          const values = { highCents, lowCents, latestCents: highCents, latestLowCents: lowCents }
          const askedSince =
            askedSeconds === undefined ? undefined : addMs(NOW, -askedSeconds * SECOND_MS)
          const push = { receivedAt, isNew: given.isNew, askedSince }
          const warning = tier && open(tier as Tier, given.hours)
          const claims = { claimedCents, ...(heldCents !== undefined && { heldCents }) }
          const facts = { ...QUIET, debt: debtOf(principal), warning, push }
          const decision = decideLadder({ ...facts, values: { ...values, ...claims } }, policy)
          const floor = floorCents(principal, policy.cureLtvPpm)
          if (decision.kind === 'cure' && principal > 0n) {
            expect(lowCents).toBeGreaterThanOrEqual(floor)
          }
          if (decision.kind === 'raise' || decision.kind === 'worsen') {
            const isSilent = (askedSeconds ?? 0) >= 60
            const supported = (heldCents && tierAt(principal, heldCents, policy)) ?? 0
            if (!isSilent) expect(supported).toBeGreaterThanOrEqual(decision.tier)
          }
          // Once the custodian has confirmed what counts, what waited for it is decided.
          const answeredPush = { receivedAt, isNew: false, answeredAt: NOW }
          const answer = decideLadder({ ...facts, values, push: answeredPush }, policy)
          if (decision.kind === 'ask' && claimedCents < floor) {
            expect(['raise', 'worsen']).toContain(answer.kind)
          }
          if (answer.kind === 'escalate' && answer.reason === 'critical') {
            expect(decision).toEqual(answer)
          }
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('a warning that should never have been', () => {
  const sound = { debtCents: 7_000_00n, highCents: 10_000_00n, floorLtvPpm: POLICY.floorLtvPpm }
  const facts = { values: held(10_000_00n), warning: open(3, 0) }
  const corrected = { kind: 'cure', by: 'correction' }

  test('a warning ends as a correction where the custodian had the floor clear at its raise and has it now', () => {
    expect(decide({ ...facts, atRaise: sound })).toEqual(corrected)
    expect(decide({ ...facts, atRaise: sound, now: inHours(100) })).toEqual(corrected)
    expect(decideConfirmed({ ...QUIET, ...facts, atRaise: sound }, POLICY)).toEqual(corrected)
  })

  test.each<[string, Partial<LadderFacts>]>([
    ['was in breach then, by a cent', { atRaise: { ...sound, highCents: 9_999_99n } }],
    ['was in breach by the policy of then', { atRaise: { ...sound, floorLtvPpm: 699_999n } }],
    ['is in breach now, by a cent', { atRaise: sound, values: held(9_999_99n) }],
    ['has not answered', {}],
  ])('a warning is no mistake where the custodian %s', (_name, given) => {
    expect(decide({ ...facts, ...given })).toEqual({ kind: 'none' })
  })

  test('for any path, what is corrected would not be raised again, and was never to be sold', () => {
    const cents = fc.bigInt(0n, 2n * 10n ** 10n)
    fc.assert(
      fc.property(
        ...([fc.bigInt(10_00n, 10n ** 10n), cents, cents, cents, marginPolicies] as const),
        (principal, raisedAt, high, low, policy) => {
          const values = {
            highCents: maxOf(high, low),
            lowCents: minOf(high, low),
            latestCents: low,
          }
          const { floorLtvPpm } = policy
          const atRaise = { debtCents: principal, highCents: raisedAt, floorLtvPpm }
          const given = { debt: debtOf(principal), values, warning: open(1, -1), atRaise }
          const isClear = (value: bigint) => tierAt(principal, value, policy) === undefined
          const isMistake = isClear(raisedAt) && isClear(values.highCents)
          const decision = decide(given, policy)
          const isCorrected = decision.kind === 'cure' && decision.by === 'correction'
          expect(isCorrected).toBe(isMistake)
          if (isCorrected)
            expect(decide({ ...given, warning: undefined }, policy).kind).toBe('none')
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('what counts towards a cure is less than what the custodian holds', () => {
  const split = { highCents: 12_000_00n, lowCents: 9_900_00n, latestCents: 12_000_00n }
  const warning = open(1, 0)

  test('the smaller of push and custodian cures, and what the custodian holds is not sold', () => {
    for (const now of [NOW, inHours(1)]) {
      const values = { ...split, latestLowCents: 9_900_00n }
      expect(decide({ values, warning, now })).toEqual({ kind: 'none' })
    }
    const values = { ...split, latestLowCents: 11_666_67n }
    expect(decide({ values, warning, now: inHours(1) })).toEqual({ kind: 'cure', by: 'price' })
  })
})

describe('the deadline', () => {
  const values = held(9_900_00n)
  const overdue = { values, warning: open(1, 0), now: addMs(NOW, 1) }

  test("a warning's deadline is itself still in time; a millisecond later it escalates", () => {
    expect(decide({ values, warning: open(1, 0) })).toEqual({ kind: 'none' })
    expect(decide(overdue)).toEqual({ kind: 'escalate', reason: 'deadline' })
  })

  test('a floor that is clear after the deadline still cures', () => {
    expect(decide({ ...overdue, values: held(11_666_67n), trigger: 'collateral' })).toEqual({
      kind: 'cure',
      by: 'collateral',
    })
  })

  const rising = { highCents: 11_666_67n, lowCents: 9_900_00n, latestCents: 11_666_67n }
  const falling = { highCents: 11_666_67n, lowCents: 9_900_00n, latestCents: 11_666_66n }

  test('what is clear at some prices of the window only waits for the round that decides', () => {
    for (const flicker of [rising, falling]) {
      expect(decide({ ...overdue, values: flicker })).toEqual({ kind: 'none' })
      const now = addMs(NOW, 10 * MINUTE_MS)
      expect(decide({ ...overdue, now, values: flicker })).toEqual({ kind: 'none' })
    }
    const below = { ...falling, highCents: 11_666_66n }
    expect(decide({ ...overdue, values: below })).toEqual({ kind: 'escalate', reason: 'deadline' })
  })

  test('ten minutes after the deadline the latest value decides, whatever the window shows', () => {
    const now = addMs(NOW, 10 * MINUTE_MS + 1)
    expect(decide({ ...overdue, now, values: rising })).toEqual({ kind: 'cure', by: 'price' })
    const decision = decide({ ...overdue, now, values: falling })
    expect(decision).toEqual({ kind: 'escalate', reason: 'deadline' })
  })

  test('before its deadline a warning does not end by a latest value alone', () => {
    expect(decide({ values: rising, warning: open(1, 1) })).toEqual({ kind: 'none' })
    expect(decide({ values: rising, warning: open(1, 0) })).toEqual({ kind: 'none' })
  })

  test('the custodian escalates nothing while the value flickers, within the same ten minutes', () => {
    const facts = { ...QUIET, ...overdue, values: falling }
    expect(decideConfirmed(facts, POLICY)).toEqual({ kind: 'none' })
    const now = addMs(NOW, 10 * MINUTE_MS + 1)
    const decision = decideConfirmed({ ...facts, now }, POLICY)
    expect(decision).toEqual({ kind: 'escalate', reason: 'deadline' })
  })

  test('stale prices escalate no warning', () => {
    expect(decide({ ...overdue, values: undefined })).toEqual({ kind: 'none' })
  })
})

describe('reported repayments', () => {
  // 9,900.00 clears at a debt of 5,940.00: 1,060.00 are missing.
  const now = addMs(NOW, 1)
  const until = inHours(1)
  const overdue = { values: held(9_900_00n), warning: open(1, 0), now }
  const report = (cents: bigint, holdsUntil = until) => ({ cents, holdsUntil })

  test('reported repayments hold the escalation when together they clear the floor, to the cent', () => {
    const reported = [report(1_000_00n, inHours(24)), report(60_00n)]
    expect(decide({ ...overdue, reported })).toEqual({ kind: 'hold', until })
    const short = [report(1_000_00n, inHours(24)), report(59_99n)]
    expect(decide({ ...overdue, reported: short })).toMatchObject({ kind: 'escalate' })
  })

  test('reported repayments hold only until treasury must have answered', () => {
    const reported = [report(1_060_00n)]
    expect(decide({ ...overdue, reported, now: addMs(until, -1) })).toEqual({ kind: 'hold', until })
    expect(decide({ ...overdue, reported, now: until })).toMatchObject({ kind: 'escalate' })
  })

  test('a reported repayment past its deadline no longer counts beside the others', () => {
    const reported = [report(1_000_00n, inHours(24)), report(60_00n)]
    expect(decide({ ...overdue, reported, now: until })).toMatchObject({ kind: 'escalate' })
  })

  test('reported repayments do not hold above critical', () => {
    const facts = { ...overdue, warning: open(3, 0), values: held(8_000_00n) }
    expect(decide({ ...facts, reported: [report(7_000_00n)] })).toEqual({
      kind: 'escalate',
      reason: 'critical',
    })
  })

  test('reported repayments keep holding through one bad tick, and no longer than the bad price lasts the window', () => {
    const reported = [report(1_060_00n)]
    const dip = { highCents: 9_900_00n, lowCents: 9_000_00n, latestCents: 9_000_00n }
    const warning = open(2, 0)
    expect(decide({ ...overdue, warning, values: dip, reported })).toEqual({ kind: 'hold', until })
    expect(decide({ ...overdue, warning, values: held(9_000_00n), reported })).toMatchObject({
      kind: 'escalate',
    })
  })

  test('reported repayments above the debt clear it and no more', () => {
    const reported = [report(1_000_000_00n)]
    expect(decide({ ...overdue, reported })).toEqual({ kind: 'hold', until })
  })
})

describe('a relapse after a cure', () => {
  const values = held(9_999_99n)
  const relapse = (curedHoursAgo: number, leftHours: number) =>
    decide({
      values,
      lastCure: { curedAt: inHours(-curedHoursAgo), leftMs: leftHours * HOUR_MS },
    })

  test.each([
    ['gets the time that was left', 1, 30, 30],
    ['gets two hours at least', 1, 0.5, 2],
    ['gets no more than the tier allows', 1, 60, 48],
    ['counts for 24 hours, inclusive', 24, 3, 3],
    ['is a fresh start after that', 24.001, 3, 48],
  ])('a relapse after a cure: %s', (_name, ago, left, hours) => {
    expect(relapse(ago, left)).toEqual({ kind: 'raise', tier: 1, cureDeadline: inHours(hours) })
  })

  test('a relapse that is critical gets no time', () => {
    const lastCure = { curedAt: NOW, leftMs: 40 * HOUR_MS }
    expect(decide({ values: held(8_000_00n), lastCure })).toMatchObject({ cureDeadline: NOW })
  })
})

describe('without a window of prices', () => {
  test.each<Partial<LadderFacts>>([
    { warning: open(1, 0), now: inHours(100) },
    { warning: open(3, 1), trigger: 'collateral' },
    { warning: open(3, 1), trigger: 'repayment', debt: debtOf(1n) },
  ])('without a window of prices nothing happens to an open warning %#', (facts) => {
    expect(decide({ ...facts, values: undefined })).toEqual({ kind: 'none' })
  })

  test('without a window of prices full repayment still cures', () => {
    const facts = { warning: open(3, 0), trigger: 'repayment', debt: debtOf(0n) } as const
    expect(decide({ ...facts, values: undefined })).toEqual({ kind: 'cure', by: 'repayment' })
  })
})

describe('what cures', () => {
  test('nothing is requested where the floor is clear', () => {
    expect(
      cureAmounts(
        { debt: debtOf(6_000_00n), lowCents: 10_000_00n, cureDeadline: inHours(1), now: NOW },
        POLICY,
      ),
    ).toEqual({
      amountCents: 0n,
      collateralCents: 0n,
    })
  })

  test('at least 10.00 is requested, and never more than the debt', () => {
    const ask = (debtCents: bigint, lowCents: bigint) =>
      cureAmounts({ debt: debtOf(debtCents), lowCents, cureDeadline: inHours(1), now: NOW }, POLICY)
        .amountCents
    expect(ask(6_000_01n, 10_000_00n)).toBe(10_00n)
    expect(ask(9_00n, 10_00n)).toBe(9_00n)
    expect(ask(6_000_00n, 0n)).toBe(6_000_00n)
  })

  test('long after its deadline, while nothing could be evaluated, a warning requests what is owed by then', () => {
    const debt = debtOf(50_000_00n, 100_000n)
    const now = inHours(24 * 60)
    // Just short of the floor by today's debt, and past it by the debt two months ago.
    const lowCents = floorCents(totalDebtCents(debt, now), POLICY.cureLtvPpm) - 1_000_00n
    const { amountCents, collateralCents } = cureAmounts(
      { debt, lowCents, cureDeadline: NOW, now },
      POLICY,
    )
    expect(collateralCents).toBe(1_000_00n)
    expect(amountCents).toBe(600_00n)
  })
})

function worse(tier: Tier, hours: number): LadderDecision {
  return { kind: 'worsen', tier, cureDeadline: inHours(hours) }
}

const principals = fc.bigInt(10_00n, 10n ** 10n)
const rates = fc.bigInt(0n, 300_000n)
const ratios = fc.bigInt(300_000n, 1_200_000n)
const valueAt = (debtCents: bigint, ltvPpm: bigint) => (debtCents * ONE_PPM) / ltvPpm

describe('for any debt, value and terms', () => {
  test('a breach is what anyone computes from the published value and floor', () => {
    fc.assert(
      fc.property(principals, fc.bigInt(0n, 10n ** 11n), marginPolicies, (debt, value, policy) => {
        const published = (cents: bigint) => parseDecimal(formatUsd(cents), 2) ?? -1n
        const isBelow = published(value) < published(floorCents(debt, policy.floorLtvPpm))
        const tier = tierAt(debt, value, policy)
        expect(tier !== undefined).toBe(isBelow)
        expect(isBelow).toBe(debt * ONE_PPM > policy.floorLtvPpm * value)
        for (const step of policy.tiers) {
          expect((tier ?? 0) >= step.tier).toBe(debt * ONE_PPM > step.aboveLtvPpm * value)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('a higher price never raises a tier or what cures', () => {
    fc.assert(
      fc.property(
        ...([principals, rates, ratios, fc.bigInt(0n, 10n ** 10n), marginPolicies] as const),
        (principal, rate, ltv, rise, policy) => {
          const debt = debtOf(principal, rate)
          const value = valueAt(principal, ltv)
          const before = tierAt(principal, value, policy) ?? 0
          expect(tierAt(principal, value + rise, policy) ?? 0).toBeLessThanOrEqual(before)
          const low = cureAmounts(
            { debt, lowCents: value, cureDeadline: inHours(5), now: NOW },
            policy,
          )
          const high = cureAmounts(
            { debt, lowCents: value + rise, cureDeadline: inHours(5), now: NOW },
            policy,
          )
          expect(high.amountCents <= low.amountCents).toBe(true)
          expect(high.collateralCents <= low.collateralCents).toBe(true)
        },
      ),
    )
  })

  test('a deposit or a repayment never raises the ratio', () => {
    fc.assert(
      fc.property(
        ...([principals, rates, ratios, fc.bigInt(0n, 10n ** 10n), fc.nat(10 ** 10)] as const),
        (principal, rate, ltv, cents, ms) => {
          const value = valueAt(principal, ltv)
          const now = addMs(NOW, ms)
          const debt = accrue(debtOf(principal, rate), now)
          const owed = totalDebtCents(debt, now)
          const paid = totalDebtCents(applyPayment(debt, cents).debt, now)
          expect(paid <= owed).toBe(true)
          const ratio = (d: bigint, v: bigint) => parseDecimal(formatLtv(d, v), 6) ?? -1n
          expect(ratio(paid, value) <= ratio(owed, value)).toBe(true)
          expect(ratio(owed, value + cents) <= ratio(owed, value)).toBe(true)
        },
      ),
    )
  })

  /** A warning that was just raised at a steady price, and an instant up to its deadline. */
  const warned = fc
    .record({
      principal: principals,
      rate: rates,
      ltv: ratios,
      policy: marginPolicies,
      part: fc.integer({ min: 0, max: 1_000 }),
      readPart: fc.integer({ min: 0, max: 1_000 }),
    })
    .map(({ principal, rate, ltv, policy, part, readPart }) => {
      const debt = debtOf(principal, rate)
      const valueCents = valueAt(principal, ltv)
      const raised = decide({ debt, values: held(valueCents) }, policy)
      const deadline = raised.kind === 'raise' ? raised.cureDeadline : NOW
      const paidMs = Math.floor(((+deadline - +NOW) * part) / 1_000)
      const readMs = Math.floor((paidMs * readPart) / 1_000)
      return { debt, valueCents, policy, raised, now: addMs(NOW, paidMs), read: addMs(NOW, readMs) }
    })

  test('paying just what was asked cures, whenever it was read and paid up to the deadline', () => {
    fc.assert(
      fc.property(warned, ({ debt, valueCents, policy, raised, now, read }) => {
        fc.pre(raised.kind === 'raise')
        if (raised.kind !== 'raise') return
        const asked = cureAmounts(
          { debt, lowCents: valueCents, cureDeadline: raised.cureDeadline, now: read },
          policy,
        )
        const paid = applyPayment(accrue(debt, now), asked.amountCents)
        const decision = decide(
          {
            now,
            debt: paid.debt,
            values: held(valueCents),
            warning: openUntil(raised.tier, raised.cureDeadline),
            trigger: 'repayment',
          },
          policy,
        )
        expect(decision).toEqual({ kind: 'cure', by: 'repayment' })
      }),
      { numRuns: 500 },
    )
  })

  test('depositing just the value that was asked cures, whenever up to the deadline', () => {
    fc.assert(
      fc.property(warned, ({ debt, valueCents, policy, raised, now, read }) => {
        fc.pre(raised.kind === 'raise')
        if (raised.kind !== 'raise') return
        const asked = cureAmounts(
          { debt, lowCents: valueCents, cureDeadline: raised.cureDeadline, now: read },
          policy,
        )
        const values = held(valueCents + asked.collateralCents)
        const warning = openUntil(raised.tier, raised.cureDeadline)
        const facts = { now, debt, values, warning, trigger: 'collateral' } as const
        expect(decide(facts, policy)).toEqual({ kind: 'cure', by: 'collateral' })
      }),
      { numRuns: 500 },
    )
  })

  test('one bad tick in a window neither raises, worsens, escalates nor cures', () => {
    const windows = fc.record({ good: ratios, bad: ratios, warning: fc.constantFrom(1, 2, 3) })
    fc.assert(
      fc.property(principals, windows, marginPolicies, (principal, window, policy) => {
        const debt = debtOf(principal)
        const [steady, tick] = [valueAt(principal, window.good), valueAt(principal, window.bad)]
        const ticked = {
          highCents: maxOf(steady, tick),
          lowCents: minOf(steady, tick),
          latestCents: tick,
        }
        for (const warning of [undefined, open(window.warning as Tier, 1)]) {
          const quiet = decide({ debt, values: held(steady), warning }, policy).kind === 'none'
          const decision = decide({ debt, values: ticked, warning }, policy)
          if (quiet) expect(decision.kind).toBe('none')
        }
      }),
      { numRuns: 500 },
    )
  })
})

/** What happens to a facility, in percent of its price, collateral or debt. */
type Act =
  | { kind: 'price' | 'deposit' | 'withdraw' | 'repay'; percent: number }
  | { kind: 'wait'; minutes: number }
  | { kind: 'outage'; minutes: number }

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: percentAct('price', 80, 118) },
  { weight: 1, arbitrary: percentAct('deposit', 1, 30) },
  { weight: 1, arbitrary: percentAct('withdraw', 1, 10) },
  { weight: 1, arbitrary: percentAct('repay', 1, 60) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait'), minutes: fc.nat(2_000) } as const),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('outage'), minutes: fc.nat(60) } as const),
  },
)

function percentAct(kind: 'price' | 'deposit' | 'withdraw' | 'repay', min: number, max: number) {
  return fc.record({ kind: fc.constant(kind), percent: fc.integer({ min, max }) })
}

type Step = { facts: LadderFacts; decision: LadderDecision }

/** Plays acts on a facility that begins at half its value, evaluating it after each. */
function play(principal: bigint, rate: bigint, story: readonly Act[], policy: MarginPolicy) {
  const steps: Step[] = []
  let facts: LadderFacts = { ...QUIET, debt: debtOf(principal, rate) }
  let collateral = principal * 2n
  let prices = { before: 1_000_000n, latest: 1_000_000n }
  const settle = (trigger: LadderFacts['trigger'], isStale = false) => {
    const value = (price: bigint) => (collateral * price) / 1_000_000n
    const [a, b] = [value(prices.before), value(prices.latest)]
    const values = { highCents: maxOf(a, b), lowCents: minOf(a, b), latestCents: b }
    facts = { ...facts, trigger, values: isStale ? undefined : values }
    for (let decided = 0; ; decided += 1) {
      if (decided > 3) throw new Error('the ladder does not come to rest')
      const decision = decideLadder(facts, policy)
      steps.push({ facts, decision })
      if (decision.kind === 'none' || decision.kind === 'hold') return
      facts = follow(facts, decision, policy)
    }
  }
  for (const act of story) {
    if (facts.hasLiveCall) break
    const ms = 'minutes' in act ? act.minutes * MINUTE_MS : 10 * SECOND_MS
    facts = { ...facts, now: addMs(facts.now, ms) }
    if (act.kind === 'wait') prices = { ...prices, before: prices.latest }
    if (act.kind === 'price') {
      prices = { before: prices.latest, latest: (prices.latest * BigInt(act.percent)) / 100n }
    }
    if (act.kind === 'deposit') collateral += (collateral * BigInt(act.percent)) / 100n
    if (act.kind === 'withdraw') collateral -= (collateral * BigInt(act.percent)) / 100n
    if (act.kind === 'repay') {
      const debt = accrue(facts.debt, facts.now)
      const cents = (totalDebtCents(debt, facts.now) * BigInt(act.percent)) / 100n
      facts = { ...facts, debt: applyPayment(debt, cents).debt }
    }
    settle(triggerOf(act), act.kind === 'outage')
  }
  return steps
}

function triggerOf({ kind }: Act): LadderFacts['trigger'] {
  if (kind === 'repay') return 'repayment'
  return kind === 'deposit' || kind === 'withdraw' ? 'collateral' : 'price'
}

function follow(facts: LadderFacts, decision: LadderDecision, policy: MarginPolicy): LadderFacts {
  const { warning, now } = facts
  switch (decision.kind) {
    case 'raise':
    case 'worsen':
      return {
        ...facts,
        warning: {
          tier: decision.tier,
          cureDeadline: decision.cureDeadline,
          windowDeadline: windowDeadline(facts, decision.tier, policy),
        },
      }
    case 'cure': {
      const leftMs = Math.max(0, +(warning?.cureDeadline ?? now) - +now)
      return { ...facts, warning: undefined, lastCure: { curedAt: now, leftMs } }
    }
    case 'escalate':
      return { ...facts, warning: undefined, hasLiveCall: true }
    case 'ask':
    case 'hold':
    case 'none':
      return facts
  }
}

describe('for any path of prices, deposits, withdrawals, repayments and outages', () => {
  const stories = fc
    .tuple(
      ...([principals, rates, fc.array(acts, { maxLength: 40 })] as const),
      fc.oneof(fc.constant(POLICY), marginPolicies),
    )
    .map(([principal, rate, story, policy]) => ({
      policy,
      steps: play(principal, rate, story, policy),
    }))
  const holdsOf = (check: (step: Step, policy: MarginPolicy) => void) =>
    fc.assert(
      fc.property(stories, ({ steps, policy }) => {
        for (const step of steps) check(step, policy)
      }),
      { numRuns: 500 },
    )

  test('stories reach every rung: what is shown below is not shown of nothing', () => {
    const seen = fc.sample(stories, { numRuns: 500, seed: 1 }).flatMap(({ steps }) => steps)
    const kinds = new Set(seen.map(({ decision }) => decision.kind))
    expect([...kinds].sort()).toEqual(['cure', 'escalate', 'none', 'raise', 'worsen'])
    const reasons = seen.flatMap(({ decision: d }) => (d.kind === 'escalate' ? [d.reason] : []))
    expect(new Set(reasons)).toEqual(new Set(['critical', 'deadline']))
  })

  test('no facility with a clear floor is warned, worsened or escalated', () => {
    holdsOf(({ facts, decision }, policy) => {
      if (!['raise', 'worsen', 'escalate'].includes(decision.kind)) return
      const floor = floorCents(totalDebtCents(facts.debt, facts.now), policy.cureLtvPpm)
      expect(facts.values?.latestCents).toBeLessThan(floor)
    })
  })

  test('while a warning is open its tier only rises and its deadline never moves away', () => {
    holdsOf(({ facts: { warning }, decision }) => {
      if (decision.kind === 'raise') expect(warning).toBeUndefined()
      if (decision.kind !== 'worsen' || !warning) return
      expect(decision.tier).toBeGreaterThan(warning.tier)
      expect(+decision.cureDeadline).toBeLessThanOrEqual(+warning.cureDeadline)
    })
  })

  test('an escalation is critical, or after the deadline', () => {
    holdsOf(({ facts: { warning, values, debt, now }, decision }, policy) => {
      if (decision.kind !== 'escalate') return
      if (decision.reason === 'deadline') {
        expect(+now).toBeGreaterThan(+(warning?.windowDeadline ?? now))
      } else {
        const owed = totalDebtCents(debt, now) * ONE_PPM
        expect(owed).toBeGreaterThan(policy.criticalLtvPpm * (values?.highCents ?? 0n))
      }
    })
  })

  test('a cure means that the lowest value of the window clears the floor, long after the deadline the latest, or that nothing is owed', () => {
    holdsOf(({ facts: { warning, values, debt, now }, decision }, policy) => {
      if (decision.kind !== 'cure') return
      const owed = totalDebtCents(debt, now)
      const isLong = now > addMs(warning?.windowDeadline ?? now, 10 * MINUTE_MS)
      const decisive = isLong ? values?.latestCents : values?.lowCents
      const isClear = (decisive ?? 0n) >= floorCents(owed, policy.cureLtvPpm)
      expect(owed === 0n || isClear).toBe(true)
    })
  })

  test('an overdue warning stays open for ten minutes at most, and only where the window is not of one mind', () => {
    holdsOf(({ facts: { warning, values, debt, now }, decision }, policy) => {
      if (decision.kind !== 'none' || !warning || !values || now <= warning.windowDeadline) return
      const floor = floorCents(totalDebtCents(debt, now), policy.cureLtvPpm)
      expect(values.highCents >= floor && values.lowCents < floor).toBe(true)
      expect(+now).toBeLessThanOrEqual(+warning.windowDeadline + 10 * MINUTE_MS)
    })
  })

  test('after the deadline a loan that clears the floor at no price of the window is not cured, and one that clears it at each does not escalate', () => {
    holdsOf(({ facts: { warning, values, debt, now }, decision }, policy) => {
      if (!warning || !values || now <= warning.windowDeadline) return
      const owed = totalDebtCents(debt, now)
      const floor = floorCents(owed, policy.cureLtvPpm)
      if (values.highCents < floor && owed > 0n) expect(decision.kind).not.toBe('cure')
      if (values.lowCents >= floor) expect(decision.kind).not.toBe('escalate')
    })
  })

  test('without a window nothing happens but a cure by full repayment', () => {
    holdsOf(({ facts: { values, debt, now }, decision }) => {
      if (values || decision.kind === 'none') return
      expect(decision.kind).toBe('cure')
      expect(totalDebtCents(debt, now)).toBe(0n)
    })
  })
})

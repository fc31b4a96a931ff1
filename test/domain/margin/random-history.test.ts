import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../../src/core/errors.ts'
import { floorCents, ONE_PPM } from '../../../src/core/ratio.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import type { Position } from '../../../src/domain/collateral/valuation.ts'
import { deficitOf } from '../../../src/domain/facilities/closing/recover.ts'
import type { Facility } from '../../../src/domain/facilities/facilities.ts'
import { totalDebtCents } from '../../../src/domain/facilities/ledger/debt.ts'
import { selectPauses } from '../../../src/domain/facilities/pauses/pause-queries.ts'
import type { Pause } from '../../../src/domain/facilities/pauses/pauses.ts'
import { amendFacilities, withdrawAmendment } from '../../../src/domain/margin/amendments/amend.ts'
import type { MarginCall } from '../../../src/domain/margin/calls/calls.ts'
import { changeFacility } from '../../../src/domain/margin/change-facility.ts'
import {
  type DecisionFacts,
  readDecisionFacts,
} from '../../../src/domain/margin/decisions/decision-record.ts'
import { listMarginDecisions } from '../../../src/domain/margin/decisions/decisions.ts'
import { holdFacility, releaseFacility } from '../../../src/domain/margin/hold-facility.ts'
import { tierAt } from '../../../src/domain/margin/ladder/tiers.ts'
import { loadCase } from '../../../src/domain/margin/load-cases.ts'
import { applyTerms, changedTerms } from '../../../src/domain/margin/margin-terms.ts'
import { upsertHeartbeat } from '../../../src/domain/margin/outages/outage-queries.ts'
import { noteHeartbeat } from '../../../src/domain/margin/outages/outages.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { planNextOrder } from '../../../src/domain/margin/sale-plan.ts'
import { storeVersion } from '../../../src/domain/margin/versions/change-versions.ts'
import { fixTerms } from '../../../src/domain/margin/versions/terms-at.ts'
import { listPolicyVersions } from '../../../src/domain/margin/versions/versions.ts'
import { correct } from '../../support/lending/corrections.ts'
import { expectExact } from '../../support/lending/exact-books.ts'
import {
  type Brought,
  correctOne,
  decideSuspense,
  giveOneBack,
  hardDays,
  redirectAll,
} from '../../support/lending/hard-days.ts'
import { HISTORIES_MS, playHistories } from '../../support/lending/histories.ts'
import {
  announce,
  applyFor,
  draw,
  type Lending,
  openHousesInOneDatabase,
  pushPortfolio,
  read,
  repay,
  report,
  requestClosing,
  usd,
} from '../../support/lending/lending.ts'
import type { Fill } from '../../support/lending/lending-providers.ts'
import {
  addBorrowed,
  btc,
  expectSound,
  marginEvents,
  ONE_BTC,
  readCalls,
  readWarning,
  readWarnings,
  tick,
} from '../../support/lending/margin.ts'

const openHouse = openHousesInOneDatabase()
let lending: Lending
/**
 * Orders that the custodian had not acknowledged and that were placed, for the first time or again,
 * though the floor was clear at the highest price of the window, or for more than was still to be sold.
 */
let needless: string[]
/** How often a push of more than there is was played on a breach. */
let hidden = 0
/** What the custodian answered about a facility's account, by request, the last answer last. */
const words = new Map<string, (readonly Position[])[]>()
/** For an escalation, those of the step alone. */
const wordsOfStep: typeof words = new Map()
/** What was pushed and when the custodian answered, in the order of the run. */
let pushes: { at: Date; units: bigint }[] = []
let answeredAt: Date[] = []
/** What paused the deadlines, as it was played; since when no worker is there. */
let played: Pause[] = []
let goneSince: Date | undefined
/** Those that lie, and what was sent to a provider meanwhile. */
let holds: { holdId: string; pause: Pause }[] = []
let sentWhileHeld: string[] = []
/** What messages and undone corrections have brought; for two hours it sells nothing. */
let brought: Brought[] = []
/** How the custodian answers about positions: late, and what is not true. */
let speech: { isLate: boolean; misread: bigint[] }

/** A question keeps its id until it is answered: late is the second time that it is put. */
function watchWords(): void {
  const { custodian } = lending.context
  const { positions } = custodian
  const put = new Set<string>()
  custodian.positions = async (call) => {
    if (speech.isLate && !put.has(call.callId)) {
      put.add(call.callId)
      return { status: 'pending', askAgainAt: addMs(call.realNow, MINUTE_MS) }
    }
    const answer = await positions(call)
    if (answer.status !== 'done') return answer
    const misread = speech.misread.shift()
    const said = misread === undefined ? answer : { ...answer, positions: btc(misread) }
    answeredAt.push(lending.now())
    const question = call.callId.split('/').slice(0, 2).join('/')
    for (const all of [words, wordsOfStep]) {
      all.set(question, [...(all.get(question) ?? []), said.positions])
    }
    return said
  }
}

function watchSales(): void {
  const { custodian } = lending.context
  const { sell } = custodian
  const acknowledged = new Set<string>()
  custodian.sell = async (call) => {
    const [facilityId = ''] = call.callId.split('/')
    const isWanted = acknowledged.has(call.callId) || (await isToBeSold(facilityId, call.order))
    if (!isWanted) needless.push(call.callId)
    const answer = await sell(call)
    if (answer.status === 'pending') acknowledged.add(call.callId)
    return answer
  }
}

/** At least what the debt is without what was brought in the last two hours, and the interest on that. */
function debtWithoutBrought(debtCents: bigint, now: Date): bigint {
  const eased = brought.filter(({ at }) => at <= now && +now - +at < 2 * HOUR_MS)
  const without = eased.reduce((left, { cents }) => left - (cents - 1n), debtCents)
  return without > 0n ? without : 0n
}

const ownPolicy = (facility: Facility) => lending.terms.termsOf(facility).marginPolicy

async function isToBeSold(facilityId: string, { asset, units }: Position): Promise<boolean> {
  const { context, tenantId } = lending
  const facility = await read(lending, facilityId)
  const held = words.get(`${facilityId}/sale`)?.at(-1)
  const now = lending.now()
  const reading = { ...context, tenantId, now }
  const { collateral } = await loadCase(reading, facility, held && [...held])
  const debtCents = debtWithoutBrought(totalDebtCents(facility.debt, now), now)
  const policy = ownPolicy(facility)
  const floor = floorCents(debtCents, policy.cureLtvPpm)
  if ((collateral.values?.highCents ?? floor) >= floor) return false
  const { positions } = collateral.latest
  const step = planNextOrder({ debtCents, positions }, policy)
  return step.kind === 'order' && step.order.asset === asset && step.order.units >= units
}

const fill = fc.constantFrom<Fill>(
  'done',
  'refused',
  'pending',
  'down',
  'unanswered',
  { units: 1_000_000n },
  { units: ONE_BTC },
  { units: 0n, proceedsCents: 0n },
  { proceedsCents: 1_000_00n },
  { costsCents: 500_00n },
)

/** Things that happen, each with what it needs. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('price' as const),
      price: fc
        .oneof(
          fc.integer({ min: 50_000, max: 75_000 }),
          // Between 0.60 and 0.70: neither in breach nor clear of an open warning's floor.
          fc.integer({ min: 70_700, max: 82_400 }),
          fc.integer({ min: 20_000, max: 110_000 }),
        )
        .map(String),
      isHeld: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('tick' as const),
      ms: fc.constantFrom(0, 10_000, MINUTE_MS, HOUR_MS, 12 * HOUR_MS, 49 * HOUR_MS),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('push' as const),
      units: fc.bigInt(0n, 2n * ONE_BTC),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('account' as const),
      /** What the custodian holds, whatever is pushed; undefined where the two agree. */
      units: fc.option(fc.oneof(fc.constant(ONE_BTC), fc.bigInt(0n, 2n * ONE_BTC)), {
        nil: undefined,
      }),
      isLate: fc.boolean(),
      misread: fc.array(fc.bigInt(0n, 2n * ONE_BTC), { maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('repay' as const),
      cents: fc.bigInt(1n, 30_000_00n),
      arrives: fc.constantFrom('as claimed', 'as claimed', 'all', 'more', 'not'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('draw' as const),
      cents: fc.bigInt(1n, 30_000_00n),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('sell' as const),
      fills: fc.array(fill, { maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('gone' as const),
      ms: fc.constantFrom(30_000, MINUTE_MS, 10 * MINUTE_MS, 3 * HOUR_MS, 50 * HOUR_MS),
      isRequested: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      /** Each hold is lifted by itself. */
      isLifted: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('forbear' as const),
      ms: fc.constantFrom(MINUTE_MS, 3 * HOUR_MS, 60 * HOUR_MS),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('amend' as const),
      version: fc.constantFrom(0, 1, 2, 3),
      isWithdrawn: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('month' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const) }) },
  { weight: 4, arbitrary: hardDays.giveBack },
  { weight: 2, arbitrary: hardDays.decide },
  { weight: 1, arbitrary: hardDays.redirect },
  { weight: 3, arbitrary: hardDays.correct },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('down' as const),
      custodian: fc.boolean(),
      payments: fc.boolean(),
      isStale: fc.boolean(),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const repaid = (cents: bigint, arrives: Extract<Step, { kind: 'repay' }>['arrives']): Step => {
  return { kind: 'repay', cents, arrives }
}
const fallTo = (price: string): Step => ({ kind: 'price', price, isHeld: true })
const back: Step = { kind: 'give back', what: 'repayments', nth: 0, hoursAgo: 0, isWhole: true }
const credited: Step = { kind: 'correct', what: 'credit', sharePpm: 500_000n, nth: 0, hoursAgo: 0 }

/** What hard days need before them, which single steps seldom meet. */
const days: Record<string, Step[]> = {
  'a return undoes a cure': [fallTo('68000'), repaid(15_000_00n, 'as claimed'), back],
  'a return makes a warning critical': [
    ...[repaid(15_000_00n, 'as claimed'), fallTo('55000')],
    ...[back, { kind: 'tick', ms: HOUR_MS } as const],
  ],
  'a return after a close': [repaid(1n, 'all'), { kind: 'close' }, { kind: 'tick', ms: 0 }, back],
  'a return after a refund': [
    ...[repaid(30_000_00n, 'as claimed'), repaid(30_000_00n, 'as claimed')],
    ...[{ kind: 'tick', ms: 0 } as const, back],
  ],
  'a return after a charge-off': [
    ...[repaid(5_000_00n, 'as claimed'), fallTo('20000')],
    ...[{ kind: 'tick', ms: HOUR_MS } as const, back, repaid(9_000_00n, 'as claimed')],
  ],
  'a return under a hold': [
    ...[repaid(9_000_00n, 'more'), { kind: 'hold', isLifted: false } as const],
    ...[{ kind: 'decide', how: 'return' } as const, back],
  ],
  'a return of a split transfer': [
    repaid(9_000_00n, 'more'),
    { kind: 'decide', how: 'apply' },
    { kind: 'tick', ms: 0 },
    back,
  ],
  'a draw that comes back in a call': [
    { kind: 'sell', fills: ['pending'] },
    fallTo('58000'),
    { ...back, what: 'draws' },
  ],
  'a correction that cures, undone': [
    ...[fallTo('68000'), credited, { kind: 'tick', ms: HOUR_MS } as const],
    { ...credited, what: 'undo' },
  ],
}
const history = fc
  .array(
    fc.oneof(
      { weight: 7, arbitrary: step.map((one) => [one]) },
      { weight: 1, arbitrary: fc.constantFrom(...Object.values(days)) },
    ),
    { minLength: 7, maxLength: 16 },
  )
  .map((parts) => parts.flat())

async function take(facilityId: string, borrowerId: string, event: Step): Promise<void> {
  switch (event.kind) {
    case 'price':
      lending.market.set('BTC', event.price)
      await tick(lending)
      return event.isHeld ? await tick(lending, MINUTE_MS) : undefined
    case 'tick':
      return await tick(lending, event.ms)
    case 'push':
      lending.advance(1)
      pushes.push({ at: lending.now(), units: event.units })
      await pushPortfolio(lending, borrowerId, [{ asset: 'BTC', units: event.units }])
      return
    case 'account':
      speech = { isLate: event.isLate, misread: [...event.misread] }
      if (event.units === undefined) lending.held.delete(borrowerId)
      else lending.held.set(borrowerId, btc(event.units))
      return await tick(lending)
    case 'repay':
      return await repayAs(facilityId, event)
    case 'draw':
      await draw(lending, facilityId, usd(event.cents))
      return
    case 'sell':
      lending.fills = [...event.fills]
      return
    case 'gone':
      await leave()
      lending.advance(event.ms)
      if (event.isRequested) await request(facilityId)
      return
    case 'hold':
      return event.isLifted ? await lift(facilityId) : await hold(facilityId)
    case 'forbear':
      return await forbear(facilityId, event.ms)
    case 'amend':
      return await amend(facilityId, event)
    case 'month':
      // At least as long as the notice of an amendment.
      return await tick(lending, 30 * DAY_MS)
    case 'close':
      await requestClosing(lending, facilityId)
      return
    case 'give back':
      return noteBrought(await giveOneBack(lending, facilityId, event))
    case 'decide':
      return await decideSuspense(lending, facilityId, event.how)
    case 'redirect':
      return await redirectAll(lending, facilityId)
    case 'correct':
      return await correctAs(facilityId, event)
    case 'down':
      lending.custodian.isDown = event.custodian
      lending.payments.isDown = event.payments
      lending.priceAgeMs = event.isStale ? 301_000 : 0
      return
    default: {
      const unreachable: never = event
      return unreachable
    }
  }
}

async function repayAs(
  facilityId: string,
  { cents, arrives }: Extract<Step, { kind: 'repay' }>,
): Promise<void> {
  const { debt } = await read(lending, facilityId)
  const owed = totalDebtCents(debt, lending.now())
  const claimed = usd(arrives === 'all' && owed > 0n ? owed : cents)
  const announced = await announce(lending, facilityId, claimed)
  const reference = `wire-${announced.id}`
  const more = usd(claimed.units * 2n)
  const received = { 'as claimed': claimed, all: claimed, more, not: undefined }[arrives]
  lending.received.set(reference, received)
  await report(lending, announced, reference)
}

function noteBrought(one: Brought | undefined): void {
  if (one) brought.push(one)
}

/** A forbearance is one that was played. */
async function correctAs(
  facilityId: string,
  event: Extract<Step, { kind: 'correct' }>,
): Promise<void> {
  if (event.what === 'forbearance') return await forbear(facilityId, event.hoursAgo * HOUR_MS + 1)
  noteBrought(await correctOne(lending, facilityId, event))
}

/** The service's own, and versions with more, less and both for the borrower. */
const VERSIONS = [
  {},
  {
    ...{ floor_ltv: '0.72', cure_ltv: '0.62', target_ltv: '0.57', critical_ltv: '0.85' },
    tiers: [
      { above_ltv: '0.72', cure_hours: 60 },
      { above_ltv: '0.77', cure_hours: 24 },
      { above_ltv: '0.82', cure_hours: 4 },
    ],
  },
  {
    ...{ floor_ltv: '0.66', cure_ltv: '0.56', target_ltv: '0.5', critical_ltv: '0.8' },
    tiers: [
      { above_ltv: '0.66', cure_hours: 24 },
      { above_ltv: '0.71', cure_hours: 6 },
      { above_ltv: '0.76', cure_hours: 2 },
    ],
  },
  { haircuts: { BTC: '0.01', USDC: '0.02' } },
]

/** By hand, whether one after another is stricter: 3 counts more bitcoin and less USDC than 0. */
const STRICTER = [
  [false, false, true, true],
  [true, false, true, true],
  [false, false, false, true],
  [true, true, true, false],
]

/** To which version the loan was bound from when on, by the model, and what waits. */
let bindings: { at: Date; version: number }[] = []
let waiting: { at: Date; version: number } | undefined

/** They take effect after each house has its loan, which is bound to the service's own. */
async function openVersions(): Promise<void> {
  const { db, context, policy } = lending
  const own = { policy, marginPolicy: DEFAULT_MARGIN_POLICY }
  await fixTerms(db, own, lending.now())
  const stored = await listPolicyVersions(db)
  for (const [index, terms] of VERSIONS.slice(1).entries()) {
    lending.advance(HOUR_MS)
    if (stored.length > 0) continue
    const by = {
      note: 'risk',
      proposedBy: 'ada',
      signedBy: 'grace',
      now: addMs(lending.now(), -HOUR_MS),
    }
    const changed = applyTerms(changedTerms.parse(terms), DEFAULT_MARGIN_POLICY)
    const version = { policy: changed.policy, effectiveFrom: lending.now() }
    const { number } = await inTransaction(db, (tx) => storeVersion(tx, version, by))
    expect(number).toBe(index + 1)
  }
  lending.terms = await context.termsAt(db, lending.now())
  Object.assign(context, lending.terms)
}

async function amend(
  facilityId: string,
  { version, isWithdrawn }: { version: number; isWithdrawn: boolean },
): Promise<void> {
  const { tenantId } = lending
  if (isWithdrawn) {
    await inTransaction(lending.db, (tx) => withdrawAmendment(lending.within(tx), facilityId))
    waiting = undefined
    return
  }
  const isStricter = STRICTER[bindings.at(-1)?.version ?? 0]?.[version] ?? false
  const now = lending.now()
  await inTransaction(lending.db, async (tx) => {
    const tenantOf = async () => lending.within(tx)
    const compared = [{ tenantId, facilityId, isStricter }]
    const amendment = { version, ratePpm: undefined, from: undefined }
    await amendFacilities({ tx, now, tenantOf, askedBy: undefined }, amendment, compared)
  })
  if (isStricter) {
    expect(waiting).toBeUndefined()
    waiting = { at: addMs(now, 30 * DAY_MS), version }
  } else bindings.push({ at: now, version })
}

/** What waits is bound once its time has come and no warning or call is left; never before. */
async function expectBound(facilityId: string): Promise<void> {
  const isFree = async () => {
    const [warning] = await readWarnings(lending, facilityId)
    const [call] = await readCalls(lending, facilityId)
    const isLive = call !== undefined && call.status !== 'COMPLETED'
    return warning?.status !== 'OPEN' && !isLive
  }
  if (waiting && waiting.at <= lending.now() && (await isFree())) await tick(lending, 1)
  const { termsVersion, nextTerms, state } = await read(lending, facilityId)
  // It may have been bound in the step that has ended its loan.
  const hasEnded = state !== 'APPROVED'
  if (waiting && (hasEnded ? termsVersion === waiting.version : !nextTerms)) {
    expect(waiting.at.getTime()).toBeLessThanOrEqual(lending.now().getTime())
    bindings.push({ at: lending.now(), version: waiting.version })
    waiting = undefined
  }
  if (hasEnded) return
  if (waiting && waiting.at <= lending.now()) expect(await isFree()).toBe(false)
  expect(nextTerms?.at).toEqual(waiting?.at)
  expect(termsVersion).toBe(bindings.at(-1)?.version ?? 0)
}

/** Each decision was made by a version that was bound then, and the last before it where no step came
 * between. */
async function expectOwnTerms(facilityId: string): Promise<void> {
  const { db, tenantId } = lending
  for (const { number } of await readWarnings(lending, facilityId)) {
    for (const { facts } of await listMarginDecisions(db, tenantId, facilityId, number)) {
      const { policy, ladder } = readDecisionFacts(facts)
      const before = bindings.filter(({ at }) => at < ladder.now).at(-1)?.version ?? 0
      const next = bindings.find(({ at }) => at >= ladder.now)?.version ?? before
      const names = [before, next].map((version) => (version === 0 ? '2026-11' : String(version)))
      expect(names).toContain(policy.version)
    }
  }
}

const ALWAYS = new Date('2999-01-01T00:00:00Z')

/** No worker is there from now on, until `comeBack`. */
async function leave(): Promise<void> {
  goneSince ??= lending.now()
  await lending.db.deleteFrom('worker_heartbeat').execute()
  await upsertHeartbeat(lending.db, goneSince)
}

async function comeBack(): Promise<void> {
  if (!goneSince) return
  await noteHeartbeat(lending.db, lending.now)
  played.push({ kind: 'outage', from: goneSince, until: lending.now() })
  goneSince = undefined
  await upsertHeartbeat(lending.db, ALWAYS)
}

/** A request about the facility that settles its deadline first. */
async function request(facilityId: string): Promise<void> {
  await inTransaction(lending.db, (tx) => changeFacility(lending.within(tx), facilityId))
}

async function hold(facilityId: string): Promise<void> {
  const why = { kind: 'dispute' as const, reason: 'letter of the borrower' }
  const { holdId } = await inTransaction(lending.db, (tx) =>
    holdFacility(lending.within(tx), facilityId, why),
  )
  const pause: Pause = { kind: 'hold', from: lending.now(), until: undefined }
  played.push(pause)
  holds.push({ holdId, pause })
}

async function lift(facilityId: string): Promise<void> {
  const first = holds.shift()
  if (!first) return
  await inTransaction(lending.db, (tx) =>
    releaseFacility(lending.within(tx), facilityId, first.holdId),
  )
  first.pause.until = lending.now()
}

/** While a hold lies nothing new is sent: each call that moves money or collateral cancels one. */
function watchHeld(): void {
  const { custodian, payments } = lending.context
  const { sell, releaseLien } = custodian
  const { payOut } = payments
  const watch =
    <Call extends { callId: string }, Answer>(send: (call: Call) => Promise<Answer>) =>
    async (call: Call) => {
      // What was done is only asked about.
      const isDone = lending.payments.effects.has(call.callId)
      if (holds.length > 0 && !isDone) sentWhileHeld.push(call.callId)
      return await send(call)
    }
  custodian.sell = watch(sell)
  custodian.releaseLien = watch(releaseLien)
  payments.payOut = watch(payOut)
}

async function forbear(facilityId: string, ms: number): Promise<void> {
  const [from, until] = [lending.now(), addMs(lending.now(), ms)]
  await correct(lending, facilityId, { kind: 'forbearance', until })
  played.push({ kind: 'forbearance', from, until })
}

/** What was played, and when prices were stale by the record. */
async function listPauses(facilityId: string): Promise<Pause[]> {
  const { db, tenantId } = lending
  const isPlayed = new Set(played.map(({ from }) => from.getTime()))
  const rows = await selectPauses(db, tenantId, [facilityId])
  const stale = rows.filter(({ kind, started_at: from }) => {
    return kind === 'outage' && !isPlayed.has(from.getTime())
  })
  return [
    ...played,
    ...(goneSince ? [{ kind: 'outage' as const, from: goneSince, until: undefined }] : []),
    ...stale.map(({ kind, started_at: from, ended_at }) => {
      return { kind, from, until: ended_at ?? undefined }
    }),
  ]
}

/**
 * What is left at an instant of the windows of the tiers that a warning has passed through: a clock
 * that stands still in every pause. Negative once it has run out, which only the end of a hold or of a
 * forbearance takes back.
 */
function timeLeftMs(steps: readonly DecisionFacts[], pauses: readonly Pause[], now: Date): number {
  const spans = pauses
    .map(({ kind, from, until }) => {
      const end = until && until < now ? until : now
      return { kind, from: from.getTime(), until: end.getTime() }
    })
    .filter(({ kind, from, until }) => kind !== 'outage' || until - from > MINUTE_MS)
    .filter(({ from }) => from <= now.getTime())
  const windows = steps.flatMap(({ ladder, policy, decision }) => {
    if (decision.kind !== 'raise' && decision.kind !== 'worsen') return []
    const { tier, kind } = decision
    const { lastCure } = ladder
    let ms = policy.tiers.find((one) => one.tier === tier)?.windowMs ?? 0
    const isRelapse = lastCure && +ladder.now - +lastCure.curedAt <= policy.relapseMs
    if (kind === 'raise' && isRelapse) {
      ms = Math.min(ms, Math.max(lastCure.leftMs, policy.relapseLeastMs))
    }
    return [{ at: ladder.now.getTime(), ms }]
  })
  const edges = [...windows.map(({ at }) => at), now.getTime()]
  for (const { from, until } of spans) edges.push(from, until)
  const instants = [...new Set(edges)].filter((at) => at <= now.getTime()).sort((a, b) => a - b)
  let leftMs: number | undefined
  for (const [index, at] of instants.entries()) {
    const isEnd = spans.some(({ kind, until }) => kind !== 'outage' && until === at)
    if (isEnd && leftMs !== undefined) leftMs = Math.max(leftMs, 2 * HOUR_MS)
    for (const window of windows) {
      if (window.at === at) leftMs = Math.min(leftMs ?? window.ms, window.ms)
    }
    const next = instants[index + 1] ?? at
    const stands = spans.some(({ from, until }) => from <= at && until >= next)
    const isOver = leftMs === undefined || leftMs < 0
    if (!isOver && !stands) leftMs = (leftMs ?? 0) - (next - at)
    // From its beginning on a pause gives back nothing of what has run out before.
  }
  return leftMs ?? 0
}

/** The published deadline is the model's, as if the pauses ended now. */
async function expectDeadline(facilityId: string, number: number): Promise<void> {
  const { db, tenantId } = lending
  const decisions = await listMarginDecisions(db, tenantId, facilityId, number)
  const steps = decisions.map(({ facts }) => readDecisionFacts(facts))
  const now = lending.now()
  const leftMs = timeLeftMs(steps, await listPauses(facilityId), now)
  const { windowDeadline } = await readWarning(lending, facilityId, number)
  if (leftMs < 0) expect(windowDeadline < now).toBe(true)
  else expect(windowDeadline).toEqual(addMs(now, leftMs))
}

type Warnings = Awaited<ReturnType<typeof readWarnings>>

/**
 * While a warning is open its tier never falls and, pauses aside, its deadline never rises; an ended
 * one stays.
 */
function expectMonotone(before: Warnings, after: Warnings): void {
  const isStill = new Map(after.map((warning) => [warning.number, warning]))
  for (const old of before) {
    const now = isStill.get(old.number)
    if (old.status !== 'OPEN') expect(now).toEqual(old)
    expect(now?.tier).toBeGreaterThanOrEqual(old.tier)
    const extendedMs = ((now?.extended_seconds ?? 0) - old.extended_seconds) * 1_000
    expect(now?.cure_deadline.getTime()).toBeLessThanOrEqual(
      old.cure_deadline.getTime() + extendedMs,
    )
    expect(now).toMatchObject({ raised_at: old.raised_at, ltv_at_raise: old.ltv_at_raise })
  }
}

/**
 * No push decides on its own: what was raised while one was in question was raised after a minute of
 * silence or by the last answer alone. What cures counts no more than the last answer, and than each
 * push since. What was decided by an answer counts nothing that was not held.
 */
async function expectConfirmed(facilityId: string, number: number): Promise<void> {
  const { db, tenantId } = lending
  for (const { kind, facts } of await listMarginDecisions(db, tenantId, facilityId, number)) {
    const { ladder, positions, held, decision, policy } = readDecisionFacts(facts)
    const { push, debt, now, values } = ladder
    if (!push) throw new Error('what is held was pushed')
    for (const { units, curingUnits = units } of positions) {
      expect(curingUnits).toBeLessThanOrEqual(units)
    }
    if (push.answeredAt) {
      const said = words.get(`${facilityId}/push`) ?? []
      const answers = [...said, ...(words.get(`${facilityId}/escalation`) ?? [])]
      // Less what was sold since.
      const mostOf = (asset: string) =>
        Math.max(0, ...answers.map((held) => Number(toUnits(held).get(asset) ?? 0n)))
      for (const { asset, units } of positions) {
        expect(Number(units)).toBeLessThanOrEqual(mostOf(asset))
      }
      continue
    }
    const debtCents = totalDebtCents(debt, now)
    if (kind === 'cure' && debtCents > 0n && ladder.trigger !== 'price') {
      expectCertain(positions, held, now)
    }
    if (!push.isNew && !push.askedSince) continue
    if (decision.kind !== 'raise' && decision.kind !== 'worsen') continue
    expect(values).toBeDefined()
    const isSilent = +now - +(push.askedSince ?? now) >= MINUTE_MS
    const byAnswer = tierAt(debtCents, values?.heldCents ?? 10n ** 18n, policy) ?? 0
    if (!isSilent) expect(byAnswer).toBeGreaterThanOrEqual(decision.tier)
  }
}

function expectCertain(
  positions: DecisionFacts['positions'],
  held: readonly Position[] | undefined,
  now: Date,
): void {
  const lastAnswerAt = answeredAt.findLast((at) => at <= now)
  const since = pushes.filter(({ at }) => at <= now && (!lastAnswerAt || at > lastAnswerAt))
  for (const { asset, units, curingUnits = units } of positions) {
    for (const push of since) expect(curingUnits).toBeLessThanOrEqual(push.units)
    if (held) expect(curingUnits).toBeLessThanOrEqual(toUnits(held).get(asset) ?? 0n)
  }
}

/** A push of more than there is hides no breach by what the custodian holds. */
async function expectNothingHidden(facilityId: string, borrowerId: string): Promise<void> {
  const units = lending.held.get(borrowerId)?.[0]?.units
  recover()
  const last = pushes.at(-1)?.units ?? ONE_BTC
  if (units === undefined || units >= last) return
  await tick(lending, MINUTE_MS)
  lending.advance(1)
  await pushPortfolio(lending, borrowerId, btc(last + 1n))
  for (let minutes = 0; minutes < 3; minutes += 1) await tick(lending, MINUTE_MS)
  const facility = await read(lending, facilityId)
  if (facility.state !== 'APPROVED') return
  const { context, tenantId } = lending
  const reading = { ...context, tenantId, now: lending.now() }
  const byCustodian = await loadCase(reading, facility, [...(lending.held.get(borrowerId) ?? [])])
  const debtCents = totalDebtCents(facility.debt, lending.now())
  const { values, latest } = byCustodian.collateral
  const isBreach =
    tierAt(debtCents, values?.highCents ?? 10n ** 18n, ownPolicy(facility)) !== undefined
  if (!isBreach || debtCents < 10_00n || latest.valueCents === 0n) return
  hidden += 1
  expect(byCustodian.warning ?? byCustodian.hasLiveCall).toBeTruthy()
}

const toUnits = (positions: readonly Position[]) =>
  new Map(positions.map(({ asset, units }) => [asset, units]))

/**
 * An escalated facility is below the floor by the last answer of the custodian, and is critical by it
 * or has used up the time of the tiers, as computed here from the steps of the warning alone.
 */
async function expectUpheld(facilityId: string, number: number): Promise<void> {
  const { db, tenantId } = lending
  const decisions = await listMarginDecisions(db, tenantId, facilityId, number)
  const steps = decisions.map(({ facts }) => readDecisionFacts(facts))
  const last = steps.at(-1)
  if (!last?.ladder.values) throw new Error('an escalation is decided last, with prices')
  const { ladder, positions, policy } = last
  const said = wordsOfStep.get(`${facilityId}/escalation`) ?? []
  // More than one where a sale has ended and another warning was asked about in the same step.
  expect(said.map(toUnits)).toContainEqual(toUnits(positions))
  const debtCents = totalDebtCents(ladder.debt, ladder.now)
  expect(last.ladder.values.latestCents).toBeLessThan(floorCents(debtCents, policy.cureLtvPpm))
  const without = debtWithoutBrought(debtCents, ladder.now)
  const isCritical = without * ONE_PPM > policy.criticalLtvPpm * last.ladder.values.highCents
  if (!isCritical)
    expect(timeLeftMs(steps, await listPauses(facilityId), ladder.now)).toBeLessThan(0)
}

function recover(borrowerId?: string): void {
  if (borrowerId) lending.held.delete(borrowerId)
  speech = { isLate: false, misread: [] }
  lending.custodian.isDown = false
  lending.payments.isDown = false
  lending.priceAgeMs = 0
  lending.fills = []
}

/** A deficit blocks the borrower's applications until its last cent is recovered. */
async function expectOwed(facilityId: string, borrowerId: string): Promise<void> {
  const { principalCents, interestCents } = deficitOf(await read(lending, facilityId))
  const cents = principalCents + interestCents
  if (cents === 0n) return
  lending.market.set('BTC', '100000')
  for (const part of [cents - 1n, 1n]) {
    await pushPortfolio(lending, borrowerId)
    const declined = await applyFor(lending, borrowerId)
    await tick(lending)
    expect(await read(lending, declined.id)).toMatchObject({
      state: 'DECLINED',
      declineReasons: ['deficit_owed'],
    })
    if (part > 0n) await repay(lending, facilityId, usd(part))
    await tick(lending, MINUTE_MS)
  }
  await pushPortfolio(lending, borrowerId)
  const { id } = await applyFor(lending, borrowerId)
  await tick(lending)
  expect(await read(lending, id)).toMatchObject({ state: 'APPROVED' })
  await expectSound(lending, id)
}

/** Time goes on at unchanged prices until nothing more happens, which it must at last. */
async function expectRest(facilityId: string): Promise<void> {
  for (let days = 0; days < 40; days += 4) {
    const before = await marginEvents(lending, facilityId)
    for (let hours = 0; hours < 96; hours += 24) await tick(lending, 24 * HOUR_MS)
    await tick(lending, 10 * MINUTE_MS)
    const after = await marginEvents(lending, facilityId)
    if (after.length === before.length) return
  }
  throw new Error(`no rest: ${(await marginEvents(lending, facilityId)).join(', ')}`)
}

test(
  'for any history, no clear facility is liquidated, and every warning and call comes to its end',
  async () => {
    const outcomes = new Set<MarginCall['outcome']>()
    await playHistories(
      fc.asyncProperty(history, async (steps) => {
        await using house = await openHouse()
        lending = house
        watchWords()
        watchSales()
        watchHeld()
        needless = []
        pushes = []
        answeredAt = []
        played = []
        goneSince = undefined
        holds = []
        sentWhileHeld = []
        brought = []
        await house.db.deleteFrom('worker_heartbeat').execute()
        await upsertHeartbeat(house.db, ALWAYS)
        recover()
        bindings = []
        waiting = undefined
        const { id, borrowerId } = await addBorrowed(lending)
        await openVersions()
        let warnings: Warnings = []
        for (const event of steps) {
          wordsOfStep.delete(`${id}/escalation`)
          if (event.kind !== 'gone') await comeBack()
          await take(id, borrowerId, event).catch((error) => {
            if (!(error instanceof Refusal)) throw error
          })
          await tick(lending, 1)
          await expectBound(id)
          await expectSound(lending, id)
          await expectExact(lending, id)
          const now = await readWarnings(lending, id)
          expectMonotone(warnings, now)
          for (const { number, status } of now) {
            const before = warnings.find((warning) => warning.number === number)
            if (status === 'ESCALATED' && before?.status !== status) {
              expect(holds).toEqual([])
              await expectUpheld(id, number)
            }
            if (status === 'OPEN') await expectDeadline(id, number)
          }
          warnings = now
          expect(needless).toEqual([])
          expect(sentWhileHeld).toEqual([])
        }
        while (holds.length > 0) await lift(id)
        await comeBack()
        await expectNothingHidden(id, borrowerId)
        recover(borrowerId)
        await tick(lending, HOUR_MS)
        await redirectAll(lending, id)
        await decideSuspense(lending, id, 'return')
        await expectRest(id)
        await expectSound(lending, id)
        await expectExact(lending, id)
        for (const { number } of await readWarnings(lending, id)) await expectConfirmed(id, number)
        for (const call of await readCalls(lending, id)) {
          expect(call.status).toBe('COMPLETED')
          outcomes.add(call.outcome)
        }
        expect(needless).toEqual([])
        await expectOwnTerms(id)
        await expectOwed(id, borrowerId)

        // Paid off, the last warning is cured.
        const { state, debt } = await read(lending, id)
        if (state !== 'APPROVED') return
        const owed = totalDebtCents(debt, lending.now())
        if (owed > 0n) await repay(lending, id, usd(owed))
        await tick(lending, 1)
        const open = (await readWarnings(lending, id)).filter(({ status }) => status === 'OPEN')
        expect(open).toEqual([])
      }),
      // One that ends in a debt charged off, so that this is always among them.
      // And one that a push without the collateral made critical, and the custodian did not.
      [
        [[{ kind: 'price', price: '20000', isHeld: true }]],
        // A false deposit, and the price falls.
        [
          [
            { kind: 'account', units: (ONE_BTC * 9n) / 10n, isLate: false, misread: [] },
            { kind: 'push', units: ONE_BTC },
            { kind: 'price', price: '75000', isHeld: true },
          ],
        ],
        // Pauses that overlap, and a hold whose end leaves two hours.
        [
          [
            { kind: 'price', price: '68000', isHeld: true },
            { kind: 'gone', ms: 3 * HOUR_MS, isRequested: true },
            { kind: 'forbear', ms: 3 * HOUR_MS },
            { kind: 'gone', ms: 10 * MINUTE_MS, isRequested: false },
            { kind: 'hold', isLifted: false },
            { kind: 'tick', ms: 49 * HOUR_MS },
            { kind: 'hold', isLifted: true },
            { kind: 'tick', ms: 12 * HOUR_MS },
          ],
        ],
        // A hold on a call under way, whose order the custodian does not answer.
        [
          [
            { kind: 'sell', fills: ['unanswered'] },
            { kind: 'price', price: '58000', isHeld: true },
            { kind: 'hold', isLifted: false },
            { kind: 'tick', ms: HOUR_MS },
            { kind: 'hold', isLifted: true },
          ],
        ],
        // A payment pays interest on what an undone credit has brought, and a sale leaves that out.
        [
          [
            { kind: 'price', price: '68000', isHeld: true },
            { kind: 'correct', what: 'credit', sharePpm: 500_000n, nth: 0, hoursAgo: 0 },
            { kind: 'tick', ms: HOUR_MS },
            { kind: 'correct', what: 'undo', sharePpm: 500_000n, nth: 0, hoursAgo: 0 },
            { kind: 'repay', cents: 5_000_00n, arrives: 'as claimed' },
            { kind: 'price', price: '20000', isHeld: true },
          ],
        ],
        [Object.values(days).flat()],
        [
          [
            { kind: 'price', price: '78000', isHeld: true },
            { kind: 'account', units: ONE_BTC, isLate: false, misread: [] },
            { kind: 'push', units: ONE_BTC / 10n },
            { kind: 'tick', ms: MINUTE_MS },
          ],
        ],
      ],
    )
    expect(outcomes).toContain('deficit')
    expect(hidden).toBeGreaterThan(0)
  },
  HISTORIES_MS,
)

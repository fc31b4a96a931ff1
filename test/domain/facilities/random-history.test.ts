import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCursorCodec } from '../../../src/core/cursor.ts'
import { Refusal } from '../../../src/core/errors.ts'
import type { Amount } from '../../../src/core/money.ts'
import { HOUR_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { inSnapshot } from '../../../src/db/transactions/snapshot.ts'
import { listDraws } from '../../../src/domain/facilities/draws/draws.ts'
import { settlePayout } from '../../../src/domain/facilities/draws/release-draw.ts'
import { getFacility } from '../../../src/domain/facilities/facilities.ts'
import { checkLedger } from '../../../src/domain/facilities/ledger/check-ledger.ts'
import { totalDebtCents } from '../../../src/domain/facilities/ledger/debt.ts'
import { readStatement } from '../../../src/domain/facilities/statements/statement.ts'
import { amendFacilities } from '../../../src/domain/margin/amendments/amend.ts'
import { listMarginCalls } from '../../../src/domain/margin/calls/calls.ts'
import { viewFacility } from '../../../src/domain/margin/facility-view.ts'
import { holdFacility, releaseFacility } from '../../../src/domain/margin/hold-facility.ts'
import { listMarginWarnings } from '../../../src/domain/margin/warnings/warnings.ts'
import { settleReceipt } from '../../../src/domain/repayments/confirm-repayment.ts'
import { listRepayments, type Repayment } from '../../../src/domain/repayments/repayments.ts'
import { expectExact } from '../../support/lending/exact-books.ts'
import {
  correctOne,
  decideSuspense,
  giveOneBack,
  hardDays,
  redirectAll,
} from '../../support/lending/hard-days.ts'
import { HISTORIES_MS, playHistories } from '../../support/lending/histories.ts'
import { houseForFile } from '../../support/lending/houses.ts'
import {
  addFacility,
  announce,
  draw,
  pass,
  pushPortfolio,
  read,
  report,
  requestClosing,
  settle,
  usd,
  usdc,
} from '../../support/lending/lending.ts'
import type { Behaviour } from '../../support/lending/lending-providers.ts'
import { readEvents } from '../../support/lending/onboarding.ts'
import { expectTape } from '../../support/lending/tape.ts'
import { testKey } from '../../support/stores/sealer.ts'

const cursors = createCursorCodec([testKey('test')])

const lending = houseForFile()

/** What one history has to do with. */
type Story = {
  facilityId: string
  borrowerId: string
  draws: string[]
  repayments: { repayment: Repayment; received: Amount | undefined }[]
  /** Those that lie. */
  holds: string[]
}

/** Payouts and releases that were sent, and not cancelled, while a hold lay. */
const sentWhileHeld: string[] = []

const cents = fc.bigInt(1n, 20_000_00n)
const behaviour = fc.constantFrom<Behaviour>('done', 'refused', 'denied', 'pending', 'down')
const nth = fc.nat({ max: 20 })

/** Things that happen, each with what it needs. */
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('draw' as const),
      cents,
      inUsdc: fc.boolean(),
      isAnswered: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('repay' as const),
      cents,
      inUsdc: fc.boolean(),
      arrives: fc.constantFrom(
        ...(['as claimed', 'less', 'more', 'a little more'] as const),
        ...(['not', 'in bitcoin', 'all', 'all'] as const),
      ),
      isAnswered: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      hours: fc.integer({ min: 1, max: 400 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay' as const), nth }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('misbehave' as const),
      next: fc.array(behaviour, { maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('price' as const),
      usdc: fc.constantFrom('0.97', '1', '1.03'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('hold' as const), isLifted: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rate' as const),
      ratePpm: fc.constantFrom(0n, 20_000n, 70_000n, 100_000n, 180_000n),
    }),
  },
  { weight: 4, arbitrary: hardDays.giveBack },
  { weight: 2, arbitrary: hardDays.decide },
  { weight: 1, arbitrary: hardDays.redirect },
  { weight: 5, arbitrary: hardDays.correct },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function take(story: Story, event: Step): Promise<void> {
  const { facilityId } = story
  switch (event.kind) {
    case 'draw': {
      await pushPortfolio(lending, story.borrowerId)
      const amount = event.inUsdc ? usdc(event.cents * 10_000n + 1n) : usd(event.cents)
      story.draws.push((await draw(lending, facilityId, amount)).id)
      return event.isAnswered ? await settle(lending) : undefined
    }
    case 'repay':
      await repayAs(story, event)
      return event.isAnswered ? await settle(lending) : undefined
    case 'pass':
      return await pass(lending, event.hours * HOUR_MS)
    case 'settle':
      return await settle(lending)
    case 'replay':
      return await replay(story, event.nth)
    case 'misbehave':
      lending.payments.next = [...event.next]
      lending.custodian.next = [...event.next].reverse()
      return
    case 'price':
      lending.market.set('USDC', event.usdc)
      return
    case 'close':
      await requestClosing(lending, facilityId)
      return
    case 'hold':
      return event.isLifted ? await lift(story) : await hold(story)
    case 'rate':
      return await amendRate(story, event.ratePpm)
    case 'give back':
      await giveOneBack(lending, facilityId, event)
      return
    case 'decide':
      return await decideSuspense(lending, facilityId, event.how)
    case 'redirect':
      return await redirectAll(lending, facilityId)
    case 'correct':
      await correctOne(lending, facilityId, event)
      return
    default: {
      const unreachable: never = event
      return unreachable
    }
  }
}

async function hold({ facilityId, holds }: Story): Promise<void> {
  const why = { kind: 'dispute' as const, reason: 'letter' }
  const { holdId } = await inTransaction(lending.db, (tx) =>
    holdFacility(lending.within(tx), facilityId, why),
  )
  holds.push(holdId)
}

async function lift({ facilityId, holds }: Story): Promise<void> {
  const holdId = holds.shift()
  if (holdId === undefined) return
  await inTransaction(lending.db, (tx) => releaseFacility(lending.within(tx), facilityId, holdId))
}

function watchHeld({ holds }: Story): Disposable {
  const { custodian, payments } = lending.context
  const { releaseLien } = custodian
  const { payOut } = payments
  const watch =
    <Call extends { callId: string }, Answer>(send: (call: Call) => Promise<Answer>) =>
    async (call: Call) => {
      // What was done is only asked about.
      const { effects } = lending.payments
      if (holds.length > 0 && !effects.has(call.callId)) sentWhileHeld.push(call.callId)
      return await send(call)
    }
  custodian.releaseLien = watch(releaseLien)
  payments.payOut = watch(payOut)
  return {
    [Symbol.dispose]() {
      custodian.releaseLien = releaseLien
      payments.payOut = payOut
    },
  }
}

/** Higher than the one in force, it waits for 30 days. */
async function amendRate({ facilityId }: Story, ratePpm: bigint): Promise<void> {
  const { tenantId } = lending
  const before = await read(lending, facilityId)
  const isStricter = ratePpm > before.debt.ratePpm
  const amendment = { version: undefined, ratePpm, from: undefined }
  await inTransaction(lending.db, async (tx) => {
    const tenantOf = async () => lending.within(tx)
    const compared = [{ tenantId, facilityId, isStricter }]
    await amendFacilities(
      { tx, now: lending.now(), tenantOf, askedBy: undefined },
      amendment,
      compared,
    )
  })
  const after = await read(lending, facilityId)
  const shown = isStricter ? after.nextTerms?.ratePpm : after.debt.ratePpm
  expect(shown).toBe(ratePpm)
}

async function repayAs(story: Story, event: Extract<Step, { kind: 'repay' }>): Promise<void> {
  const { debt } = await read(lending, story.facilityId)
  const total = totalDebtCents(debt, lending.now())
  const owed = event.arrives === 'all' && total > 0n ? total : event.cents
  const amount = event.inUsdc ? usdc(owed * 10_000n) : usd(owed)
  const announced = await announce(lending, story.facilityId, amount)
  const received = {
    'as claimed': amount,
    all: amount,
    less: { ...amount, units: amount.units / 2n + 1n },
    more: { ...amount, units: amount.units * 2n },
    'a little more': { ...amount, units: amount.units + (event.inUsdc ? 90_000_000n : 90_00n) },
    not: undefined,
    'in bitcoin': { asset: 'BTC', units: 1_000n },
  }[event.arrives]
  const reference = `wire-${announced.id}`
  lending.received.set(reference, received)
  story.repayments.push({ repayment: await report(lending, announced, reference), received })
}

/** A provider repeats its answer, or sends it before it is polled. */
async function replay(story: Story, index: number): Promise<void> {
  const { context, tenantId } = lending
  const reported = story.repayments[index % Math.max(1, story.repayments.length)]
  if (reported) {
    const { repayment, received } = reported
    const receipt = received && {
      transferId: `transfer-${tenantId}-wire-${repayment.id}`,
      amount: received,
    }
    await settleReceipt(context, tenantId, repayment, receipt)
  }
  const drawId = story.draws[index % Math.max(1, story.draws.length)]
  if (drawId === undefined || !lending.payments.effects.has(drawId)) return
  const done = { status: 'done', reference: `paid-${drawId}` } as const
  await settlePayout(context, tenantId, drawId, done)
}

/** Reads all that can be read of a facility, where the database lets nothing be written. */
async function readAll({ facilityId }: Story): Promise<void> {
  const { db, tenantId } = lending
  const view = { prices: lending.prices, termsOf: lending.context.termsOf }
  const page = { limit: 100 }
  const now = lending.now()
  await inSnapshot(db, {}, async (tx) => {
    const facility = await getFacility(tx, tenantId, facilityId)
    await viewFacility(tx, view, facility, now)
    if (facility.state === 'APPROVED') {
      const { closing } = await readStatement({ db: tx, now }, facility, { interest: 'period' })
      expect(closing.totalCents).toBe(totalDebtCents(facility.debt, now))
    }
    await listDraws(tx, { tenantId, facilityId }, page, cursors)
    await listRepayments(tx, { tenantId, facilityId }, page, cursors)
    await listMarginWarnings({ ...view, db: tx, tenantId, now }, facilityId, page, cursors)
    await listMarginCalls(tx, { tenantId, facilityId }, page, cursors)
  })
}

async function expectSound(story: Story): Promise<void> {
  const { db } = lending
  const failures = await db
    .selectFrom('work')
    .select(['topic', 'last_error'])
    .where('last_error', 'is not', null)
    .where('last_error', 'not like', '%lending-providers.ts%')
    .execute()
  expect(failures).toEqual([])
  expect(await checkLedger(db)).toEqual([])
  expect(sentWhileHeld).toEqual([])
  const facility = await read(lending, story.facilityId)
  const debt = totalDebtCents(facility.debt, lending.now())
  if (facility.state === 'CLOSED') {
    expect(debt).toBe(0n)
    const released = [...lending.custodian.effects.keys()].filter((id) =>
      id.startsWith(`${facility.id}/lien/`),
    )
    expect(released).toHaveLength(1)
  }
  const draws = await db
    .selectFrom('draws')
    .selectAll()
    .where('facility_id', '=', facility.id)
    .execute()
  for (const row of draws) {
    // Money has left for a draw exactly when it is owed, or about to be.
    const isPaid = lending.payments.effects.has(row.draw_id)
    if (row.status === 'COMPLETED' || row.status === 'RETURNED') expect(isPaid).toBe(true)
    if (row.status === 'FAILED') expect(isPaid).toBe(false)
  }
  const refunds = await db
    .selectFrom('refunds')
    .selectAll()
    .where('facility_id', '=', facility.id)
    .execute()
  for (const row of refunds) {
    const payments = [...lending.payments.effects.keys()].filter((id) =>
      id.startsWith(row.refund_id),
    )
    expect(payments.length).toBeLessThanOrEqual(1)
    if (row.status === 'PAID') expect(payments).toHaveLength(1)
  }
  await expectEvents(facility.id)
}

/** Each end that a draw, a repayment or a facility has come to has one event, and no other. */
async function expectEvents(facilityId: string): Promise<void> {
  const { db, tenantId } = lending
  const events = await readEvents(db, tenantId)
  const emitted = events
    .filter(({ data }) => data.facility_id === facilityId)
    .map(({ type, resource }) => `${type} ${resource.id}`)
    .filter((text) => /^(draw|repayment|facility\.closed)/.test(text))
  const ends: string[] = []
  const draws = await db
    .selectFrom('draws')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .execute()
  for (const row of draws) {
    if (row.status !== 'PENDING') ends.push(`draw.${row.status.toLowerCase()} ${row.draw_id}`)
    if (row.status === 'RETURNED') ends.push(`draw.completed ${row.draw_id}`)
  }
  const repayments = await db
    .selectFrom('repayments')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .execute()
  for (const { status, repayment_id: id } of repayments) {
    if (status === 'APPLIED' || status === 'REVERSED') ends.push(`repayment.applied ${id}`)
    if (status === 'REVERSED') ends.push(`repayment.reversed ${id}`)
    if (status === 'FAILED') ends.push(`repayment.failed ${id}`)
  }
  const { state } = await read(lending, facilityId)
  if (state === 'CLOSED') ends.push(`facility.closed ${facilityId}`)
  expect(emitted.sort()).toEqual(ends.sort())
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
}

const CREDITED_BEFORE_ITS_RECEIPT: Step[] = [
  { kind: 'pass', hours: 188 },
  { kind: 'give back', what: 'draws', nth: 11, hoursAgo: 0, isWhole: true },
  { kind: 'correct', what: 'write_off', sharePpm: 723_921n, nth: 9, hoursAgo: 342 },
  { kind: 'repay', cents: 13_908_91n, inUsdc: true, arrives: 'a little more', isAnswered: false },
  { kind: 'correct', what: 'waive_interest', sharePpm: 395_475n, nth: 6, hoursAgo: 1_367 },
  { kind: 'correct', what: 'waive_interest', sharePpm: 346_779n, nth: 13, hoursAgo: 1_170 },
  { kind: 'pass', hours: 1 },
]

test(
  'for any order of events, the books agree, nothing is reported or paid twice, and reads change nothing',
  async () => {
    await playHistories(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        lending.payments.next = []
        lending.custodian.next = []
        lending.market.set('USDC', '1')
        const { id, borrowerId } = await addFacility(lending, { limitCents: 45_000_00n })
        const story: Story = { facilityId: id, borrowerId, draws: [], repayments: [], holds: [] }
        using _watched = watchHeld(story)
        await take(story, { kind: 'draw', cents: 15_000_00n, inUsdc: false, isAnswered: true })
        for (const event of steps) {
          // What happens at one instant has no order of its own.
          lending.advance(1)
          await take(story, event).catch((error) => {
            if (!(error instanceof Refusal)) throw error
          })
          await readAll(story)
          await expectSound(story)
          await expectExact(lending, id)
        }
        await expectTape(lending, id)
        // Once everybody answers again and nothing is held, nothing stays under way.
        while (story.holds.length > 0) await lift(story)
        lending.payments.next = []
        lending.custodian.next = []
        await pass(lending, 2 * HOUR_MS, HOUR_MS / 4)
        await redirectAll(lending, id)
        await decideSuspense(lending, id, 'return')
        await pass(lending, 2 * HOUR_MS, HOUR_MS / 4)
        await expectSound(story)
        await expectExact(lending, id)
        await expectTape(lending, id)
        const facility = await read(lending, id)
        expect(facility).toMatchObject({ reservedCents: 0n, refundDueCents: 0n })
        expect(['APPROVED', 'CLOSED']).toContain(facility.state)
      }),
      // What is owed after a draw came back is charged off, credited and waived, and a receipt from
      // before that is confirmed after it.
      [[CREDITED_BEFORE_ITS_RECEIPT]],
    )
  },
  HISTORIES_MS,
)

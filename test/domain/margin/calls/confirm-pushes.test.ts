import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/time.ts'
import { createDatabase, inTransaction } from '../../../../src/db/database.ts'
import type { Snapshot } from '../../../../src/domain/collateral/portfolios.ts'
import type { Facility } from '../../../../src/domain/facilities/facilities.ts'
import { confirmPush, confirmPushes } from '../../../../src/domain/margin/calls/confirm-pushes.ts'
import { evaluateFacility } from '../../../../src/domain/margin/evaluation/evaluate.ts'
import { crashAtEachStep } from '../../../support/lending/crashes.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import {
  pass,
  pushPortfolio,
  pushWithin,
  repay,
  settle,
  usd,
} from '../../../support/lending/lending.ts'
import {
  addBorrowed,
  btc,
  expectSound,
  holdLock,
  marginEvents,
  ONE_BTC,
  readWarnings,
} from '../../../support/lending/margin.ts'
import { untilOneWaits } from '../../../support/stores/waiting-sessions.ts'

const lending = houseForEachTest()
/** Why batches ran one by one. */
let fallbacks: unknown[]
beforeEach(async () => {
  fallbacks = []
})

const DONE = { done: true }
const SHORT = btc((ONE_BTC * 7n) / 10n)

async function push({ borrowerId }: Facility, positions = SHORT): Promise<void> {
  lending.advance(1)
  await pushPortfolio(lending, borrowerId, positions)
}

const evaluate = ({ tenantId, id }: Facility) =>
  evaluateFacility(
    lending.db,
    lending.context,
    { tenantId, facilityId: id },
    { ...lending.instant(), trigger: 'collateral' },
  )

/** Facilities whose push would raise a warning, evaluated, and not answered. */
async function addAsked(count: number): Promise<Facility[]> {
  const facilities: Facility[] = []
  for (let at = 0; at < count; at += 1) facilities.push(await addBorrowed(lending))
  for (const facility of facilities) {
    await push(facility)
    await evaluate(facility)
  }
  lending.custodian.calls.length = 0
  return facilities
}

const confirm = (facilities: readonly Facility[]) =>
  confirmPushes(
    lending.context,
    lending.tenantId,
    facilities.map(({ id }) => id),
    (error) => fallbacks.push(error),
  )
const askedAlone = () => lending.custodian.calls.filter((call) => call.includes('/push/'))

async function confirmedOf({ borrowerId }: Facility) {
  return await lending.db
    .selectFrom('portfolios')
    .select(['confirmed', 'asked_since', 'is_new'])
    .where('borrower_id', '=', borrowerId)
    .executeTakeFirstOrThrow()
}
const CONFIRMED = { confirmed: { BTC: '70000000' }, asked_since: null, is_new: false }

async function expectWarned(facilities: readonly Facility[]): Promise<void> {
  await settle(lending)
  for (const { id } of facilities) {
    expect(await marginEvents(lending, id)).toEqual(['warning.raised 1'])
    await expectSound(lending, id)
  }
}

test('one call to the custodian answers about the pushes of many, each of which is then decided', async () => {
  const facilities = await addAsked(3)
  expect(await confirm(facilities)).toEqual([DONE, DONE, DONE])
  expect(askedAlone()).toEqual([])
  for (const facility of facilities) expect(await confirmedOf(facility)).toEqual(CONFIRMED)
  await expectWarned(facilities)
  expect(fallbacks).toEqual([])
})

test('an account that the call leaves unanswered is polled alone', async () => {
  const facilities = await addAsked(3)
  const { custodian } = lending.context
  const { readings } = custodian
  custodian.readings = async (call) => {
    const answers = new Map(await readings.call(custodian, call))
    answers.delete(facilities[0]?.id ?? '')
    return answers
  }
  expect(await confirm(facilities)).toEqual([DONE, DONE, DONE])
  expect(askedAlone()).toEqual([`${facilities[0]?.id}/push/1`])
  await expectWarned(facilities)
})

test('where the call fails each account is polled alone', async () => {
  const facilities = await addAsked(2)
  lending.context.custodian.readings = async () => {
    throw new Error('no such operation')
  }
  expect(await confirm(facilities)).toEqual([DONE, DONE])
  expect(askedAlone()).toHaveLength(2)
  expect(fallbacks).toEqual([new Error('no such operation')])
  await expectWarned(facilities)
})

test('an answer waits for a facility with a held lock, and keeps no other from its answer', async () => {
  const facilities = await addAsked(2)
  const [held, other] = facilities
  if (!held || !other) return expect.unreachable()
  const release = await holdLock(lending, held.id)
  const [waiting, answered] = await confirm(facilities)
  expect(waiting).toMatchObject({ done: false })
  expect(answered).toEqual(DONE)
  expect(await confirmedOf(other)).toEqual(CONFIRMED)
  await release()
  lending.advance(5 * SECOND_MS)
  await expectWarned(facilities)
})

test('an answer is not about what was pushed after the question, which goes on', async () => {
  const [facility] = await addAsked(1)
  if (!facility) return expect.unreachable()
  const { custodian } = lending.context
  const { positions } = custodian
  custodian.positions = async (call) => {
    const answer = await positions(call)
    custodian.positions = positions
    await push(facility, btc((ONE_BTC * 6n) / 10n))
    return answer
  }
  await confirmPush(lending.context, lending.tenantId, facility.id)
  const { asked_since: askedSince, ...kept } = await confirmedOf(facility)
  expect(askedSince).not.toBeNull()
  expect(kept).toEqual({ confirmed: CONFIRMED.confirmed, is_new: true })
  await settle(lending)
  expect(await confirmedOf(facility)).toMatchObject({ confirmed: { BTC: '60000000' } })
  expect(await readWarnings(lending, facility.id)).toMatchObject([{ tier: 3 }])
  await expectSound(lending, facility.id)
})

test('a push committed while the answer is being stored is asked about in turn', async () => {
  const [facility] = await addAsked(1)
  if (!facility) return expect.unreachable()
  const commit = await holdPush(facility, btc((ONE_BTC * 6n) / 10n))
  const confirming = confirm([facility])
  await untilOneWaits(lending.db)
  await commit()
  expect(await confirming).toMatchObject([{ done: false }])
  await settle(lending)
  expect(await confirmedOf(facility)).toMatchObject({
    confirmed: { BTC: '60000000' },
    asked_since: null,
  })
  await expectSound(lending, facility.id)
})

test('the same positions pushed again keep their answer; others are in question beside it', async () => {
  const [facility] = await addAsked(1)
  if (!facility) return expect.unreachable()
  await confirm([facility])
  await expectWarned([facility])
  await push(facility)
  expect(await confirmedOf(facility)).toEqual(CONFIRMED)
  await push(facility, btc(ONE_BTC))
  expect(await confirmedOf(facility)).toEqual({ ...CONFIRMED, is_new: true })
})

test('workers, requests and a price that race for one push raise one warning, reported once', async () => {
  for (let round = 0; round < 4; round += 1) {
    const facility = await addBorrowed(lending)
    await push(facility)
    const { context, tenantId } = lending
    const ask = () => confirmPush(context, tenantId, facility.id)
    await Promise.all([evaluate(facility), evaluate(facility), ask(), push(facility)])
    await Promise.all([ask(), ask(), evaluate(facility), evaluate(facility)])
    await expectWarned([facility])
    expect(await confirmedOf(facility)).toEqual(CONFIRMED)
  }
})

test('a worker that crashes between any two steps still has the custodian answer, and the push decided once', async () => {
  await crashAtEachStep(lending, async (crashing, crashAt) => {
    const facility = await addBorrowed(lending)
    await push(facility)
    await crashing(() => settle(lending).catch(() => undefined))
    await pass(lending, 3 * MINUTE_MS, 30 * SECOND_MS)
    const events = await marginEvents(lending, facility.id)
    expect(events, `crash at step ${crashAt}`).toEqual(['warning.raised 1'])
    expect(await confirmedOf(facility)).toEqual(CONFIRMED)
    await repay(lending, facility.id, usd(60_000_00n))
    await settle(lending)
    await expectSound(lending, facility.id)
  })
}, 90_000)

test('an answer is stored over one connection, which the tenant’s clock is read over too', async () => {
  const [first, second] = await addAsked(2)
  if (!first || !second) throw new Error('two facilities were expected')
  await using narrow = openNarrow()
  const context = { ...lending.context, db: narrow.db, instant: narrow.instant }
  const { tenantId } = lending
  expect(await confirmPushes(context, tenantId, [first.id], () => undefined)).toEqual([DONE])
  expect(await confirmPush(context, tenantId, second.id)).toEqual(DONE)
  await expectWarned([first, second])
})

/** Pushes in a transaction that stays open until the function is called. */
async function holdPush({ borrowerId }: Facility, positions: Snapshot['positions']) {
  const stored = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const asOfMicros = BigInt(lending.now().getTime() + 1) * 1_000n
  const pushing = inTransaction(lending.db, async (tx) => {
    await pushWithin(tx, lending, borrowerId, { asOfMicros, positions })
    stored.resolve()
    await release.promise
  })
  await Promise.race([stored.promise, pushing])
  return async () => {
    release.resolve()
    await pushing
  }
}

function openNarrow() {
  const db = createDatabase({ connectionString: lending.databaseUrl, maxConnections: 1 })
  const instant = async () => {
    await sql`SELECT 1`.execute(db)
    return lending.instant()
  }
  return { db, instant, [Symbol.asyncDispose]: () => db.destroy() }
}

import { expect, test } from 'vitest'
import { addMs, DAY_MS, MINUTE_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { requestWriteOffReading } from '../../src/domain/facilities/corrections/write-off-reading.ts'
import { getDraw } from '../../src/domain/facilities/draws/draws.ts'
import { amendFacilities } from '../../src/domain/margin/amendments/amend.ts'
import { holdFacility, releaseFacility } from '../../src/domain/margin/hold-facility.ts'
import {
  AMEND_FACILITIES,
  toStoredAmendment,
} from '../../src/domain/operators/acts/amendment-acts.ts'
import {
  CORRECT_FACILITY,
  type StoredCorrection,
} from '../../src/domain/operators/acts/correction-acts.ts'
import type { GuardedAct } from '../../src/domain/operators/acts/guarded-act.ts'
import { openDesk } from '../domain/operators/desk.ts'
import { correct } from '../support/lending/corrections.ts'
import { expectExact } from '../support/lending/exact-books.ts'
import {
  addDrawnFacility,
  addFacility,
  draw,
  eventsOf,
  type Lending,
  openHousesInOneDatabase,
  pass,
  pushPortfolio,
  read,
  repay,
  requestClosing,
  settle,
  usd,
} from '../support/lending/lending.ts'
import { addCritical, expectSound, ordersOf, readCalls, tick } from '../support/lending/margin.ts'
import { bringBack, callBack } from '../support/lending/returns.ts'
import { openProxied } from '../support/stores/proxied-database.ts'
import type { WireProxy } from '../support/stores/wire-proxy.ts'

let proxy: WireProxy
const openHouse = openHousesInOneDatabase(0, async () => {
  const { proxy: opened, database, db, owned } = await openProxied({ maxConnections: 4 })
  proxy = opened
  return { ...database, db, [Symbol.asyncDispose]: () => owned.disposeAsync() }
})

type When = 'before' | 'after'

/** Cuts the connection at the COMMIT of the transaction with that statement: PostgreSQL does not get it, or
 * has carried it out and the answer is lost. */
async function cutAt(at: RegExp, when: When, act: () => Promise<unknown>): Promise<void> {
  const struck = proxy.arm({ at, isItsCommit: true, when, effect: 'cut' }).then(() => 'cut')
  const ended = act().then(
    () => 'done',
    () => 'failed',
  )
  await ended
  expect(await Promise.race([struck, ended]), `${at} is committed`).toBe('cut')
}

/** What has failed is tried again by the worker. */
const goOn = (lending: Lending) => pass(lending, 10 * MINUTE_MS, 5 * MINUTE_MS)

async function expectBooked(lending: Lending, facilityId: string): Promise<void> {
  await expectExact(lending, facilityId)
  await expectSound(lending, facilityId)
}

async function addRepaid(lending: Lending, cents: bigint) {
  const { id, borrowerId } = await addDrawnFacility(lending, usd(10_000_00n))
  await pass(lending, 30 * DAY_MS)
  const { id: paid } = await repay(lending, id, usd(cents))
  await settle(lending)
  return { id, borrowerId, paid }
}

const refundsOf = async ({ db }: Lending, id: string) =>
  await db
    .selectFrom('refunds')
    .selectAll()
    .where('facility_id', '=', id)
    .orderBy('refund_id')
    .execute()

const CASES = (['before', 'after'] as const).map((when) => ({ when }))

const RECEIPT = /update "repayments" set.*"return_code"/
const DRAW = /update "draws" set.*"return_code"/
const REFUND = /update "refunds" set.*"return_code"/

test.each(CASES)(
  'a returned receipt is booked once though the connection is cut $when its COMMIT: its refund is recalled',
  async ({ when }) => {
    await using lending = await openHouse()
    const { id } = await addDrawnFacility(lending, usd(10_000_00n))
    lending.payments.next = ['done', 'pending', 'pending', 'pending', 'pending']
    const { id: paid } = await repay(lending, id, usd(12_000_00n))
    await settle(lending)
    const [ordered] = await refundsOf(lending, id)
    expect(ordered).toMatchObject({ status: 'PENDING', ordered: 0 })
    await bringBack(lending, paid)
    await cutAt(RECEIPT, when, () => callBack(lending, paid))
    lending.payments.next = []
    await goOn(lending)
    await callBack(lending, paid)
    expect(await refundsOf(lending, id)).toMatchObject([{ status: 'CANCELLED' }])
    expect([...lending.payments.effects.keys()].filter((key) => key.startsWith('rfd'))).toEqual([])
    const reversed = (await eventsOf(lending, paid)).filter((one) => one.includes('reversed'))
    expect(reversed).toEqual(['repayment.reversed recalled'])
    expect((await read(lending, id)).debt.principalCents).toBe(10_000_00n)
    await expectBooked(lending, id)
  },
)

test.each(CASES)(
  'a receipt that undoes a closing is booked once though the connection is cut $when its COMMIT: the release is recalled',
  async ({ when }) => {
    await using lending = await openHouse()
    const { id, paid } = await addRepaid(lending, 20_000_00n)
    await requestClosing(lending, id)
    lending.custodian.next = ['pending']
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSING' })
    await bringBack(lending, paid)
    await cutAt(RECEIPT, when, () => callBack(lending, paid))
    lending.custodian.next = []
    await goOn(lending)
    const { state, closeReason } = await read(lending, id)
    const isReleased = [...lending.custodian.effects.keys()].some((key) =>
      key.startsWith(`${id}/lien/`),
    )
    expect([state, closeReason]).toEqual(
      isReleased ? ['CLOSED', 'charged_off'] : ['APPROVED', undefined],
    )
    const closed = (await eventsOf(lending, id)).filter((type) => type === 'facility.closed')
    expect(closed).toHaveLength(isReleased ? 1 : 0)
    await expectBooked(lending, id)
  },
)

test.each(CASES)(
  'a draw and a refund that come back are booked once though the connection is cut $when its COMMIT',
  async ({ when }) => {
    await using lending = await openHouse()
    const { id, borrowerId } = await addRepaid(lending, 20_000_00n)
    // What happens at one instant has no order of its own.
    lending.advance(1)
    await pushPortfolio(lending, borrowerId)
    const [refund] = await refundsOf(lending, id)
    const drawn = await draw(lending, id, usd(5_000_00n))
    await settle(lending)
    for (const [at, subject] of [
      [REFUND, refund?.refund_id ?? ''],
      [DRAW, drawn.id],
    ] as const) {
      await bringBack(lending, subject)
      await cutAt(at, when, () => callBack(lending, subject))
      await goOn(lending)
      await callBack(lending, subject)
    }
    expect((await eventsOf(lending, drawn.id)).filter((one) => one.includes('returned'))).toEqual([
      'draw.returned recalled',
    ])
    const refunds = await refundsOf(lending, id)
    expect(refunds.filter(({ status }) => status === 'RETURNED')).toHaveLength(1)
    const owed = refunds.filter(({ awaits_redirect: waits }) => waits)
    expect(owed.map(({ cents, taken_cents: taken }) => cents - taken)).toContain(refund?.cents)
    await expectBooked(lending, id)
  },
)

type Correcting = {
  kind: StoredCorrection['kind']
  stored?: object
  at?: RegExp
  paidCents?: bigint
}
const CORRECTIONS: Correcting[] = [
  { kind: 'waive_interest', stored: { cents: '1000' } },
  { kind: 'credit', stored: { cents: '1000' } },
  { kind: 'rate', stored: { ratePpm: 50_000 } },
  { kind: 'forbearance' },
  { kind: 'undo', at: /update "facility_corrections"/ },
  { kind: 'write_off' },
  { kind: 'close', paidCents: 20_000_00n },
]

test.each(CORRECTIONS.flatMap((one) => CASES.map((two) => ({ ...one, ...two }))))(
  'a correction ($kind) is booked once though the connection of its confirmation is cut $when its COMMIT',
  async ({ kind, stored, at = /insert into "facility_corrections"/, paidCents, when }) => {
    await using lending = await openHouse()
    const { id, borrowerId } = await addRepaid(lending, paidCents ?? 2_000_00n)
    await pass(lending, 10 * DAY_MS)
    const known = kind === 'undo' && (await correct(lending, id, { kind: 'credit', cents: 5n }))
    if (kind === 'write_off') await loseCollateral(lending, id, borrowerId)
    const from = (await read(lending, id)).createdAt.toISOString()
    const correction = {
      ...{ kind, ...stored },
      ...(kind === 'rate' && { from }),
      ...(kind === 'forbearance' && { until: addMs(lending.now(), DAY_MS).toISOString() }),
      ...(known && { correctionId: known.correctionId }),
    }
    const request = { tenantId: lending.tenantId, facilityId: id, correction }
    await confirmThroughCut(lending, { act: CORRECT_FACILITY, request, at, when })
    const events = await eventsOf(lending, id)
    expect(events.filter((type) => type === 'facility.corrected')).toHaveLength(known ? 2 : 1)
    expect(events.filter((type) => type === 'facility.closed')).toHaveLength(
      kind === 'write_off' || kind === 'close' ? 1 : 0,
    )
    expect(await actionsOn(lending, id)).toEqual([
      'approvals.confirm',
      'approvals.propose',
      'facilities.correct',
    ])
    await expectBooked(lending, id)
  },
)

/** Confirmed by a second operator, whose connection is cut, and who confirms again. */
async function confirmThroughCut<Request extends object>(
  lending: Lending,
  {
    act,
    request,
    at,
    when,
  }: { act: GuardedAct<Request, unknown>; request: Request; at: RegExp; when: When },
): Promise<void> {
  const desk = openDesk(lending)
  const proposer = await desk.addOperator(`a-${lending.tenantId}`, 'risk')
  const confirmer = await desk.addOperator(`b-${lending.tenantId}`, 'risk')
  const approval = await desk.propose(proposer, act, request)
  await cutAt(at, when, () => desk.confirm(confirmer, approval))
  const again = desk.confirm(confirmer, approval)
  if (when === 'before') await again
  else await expect(again).rejects.toMatchObject({ code: 'approval_not_open' })
  await settle(lending)
}

const actionsOn = async (lending: Lending, id: string) =>
  (await openDesk(lending).actionsOn(id)).map(({ action }) => action).sort()

/** The custodian has answered that there is nothing. */
async function loseCollateral(lending: Lending, id: string, borrowerId: string): Promise<void> {
  const { db, tenantId } = lending
  lending.held.set(borrowerId, [])
  await inTransaction(db, (tx) =>
    requestWriteOffReading({ tx, tenantId, realNow: lending.now() }, id),
  )
  await settle(lending)
}

const AMENDMENTS = [
  {
    name: 'lower',
    ratePpm: 80_000n,
    isStricter: false,
    at: /update "facilities" set.*"terms_version"/,
  },
  {
    name: 'higher',
    ratePpm: 120_000n,
    isStricter: true,
    at: /update "facilities" set.*"next_terms_at"/,
  },
]

test.each(AMENDMENTS.flatMap((one) => CASES.map((two) => ({ ...one, ...two }))))(
  'a $name rate is agreed once though the connection of its confirmation is cut $when its COMMIT',
  async ({ ratePpm, isStricter, at, when }) => {
    await using lending = await openHouse()
    const { id } = await addRepaid(lending, 2_000_00n)
    const stored = { ratePpm, version: undefined, from: undefined }
    const request = toStoredAmendment(stored, [
      { tenantId: lending.tenantId, facilityId: id, isStricter },
    ])
    await confirmThroughCut(lending, { act: AMEND_FACILITIES, request, at, when })
    expect((await read(lending, id)).debt.ratePpm).toBe(isStricter ? 100_000n : ratePpm)
    await pass(lending, 31 * DAY_MS, DAY_MS)
    expect((await read(lending, id)).debt.ratePpm).toBe(ratePpm)
    const events = await eventsOf(lending, id)
    expect(events.filter((type) => type === 'facility.terms_changed')).toHaveLength(1)
    await expectBooked(lending, id)
  },
)

test.each(CASES)(
  'an amendment that waited binds once though the connection is cut $when its COMMIT',
  async ({ when }) => {
    await using lending = await openHouse()
    const { id } = await addRepaid(lending, 2_000_00n)
    const amendment = { ratePpm: 120_000n, version: undefined, from: undefined }
    const proposed = [{ tenantId: lending.tenantId, facilityId: id, isStricter: true }]
    await inTransaction(lending.db, (tx) => {
      const tenant = lending.within(tx)
      const tenantOf = async () => tenant
      return amendFacilities(
        { tx, now: lending.now(), tenantOf, askedBy: undefined },
        amendment,
        proposed,
      )
    })
    lending.advance(30 * DAY_MS)
    await cutAt(/update "facilities" set.*"terms_version"/, when, () => settle(lending))
    await goOn(lending)
    expect(await read(lending, id)).toMatchObject({
      debt: { ratePpm: 120_000n },
      nextTerms: undefined,
    })
    await expectBooked(lending, id)
  },
)

const hold = (lending: Lending, id: string) =>
  inTransaction(lending.db, (tx) =>
    holdFacility(lending.within(tx), id, { kind: 'dispute', reason: 'letter' }),
  )

/** A hold arrives after the cut; it is lifted once all has been recalled. */
async function holdAndLift(lending: Lending, id: string): Promise<void> {
  const { holdId } = await hold(lending, id)
  await goOn(lending)
  await inTransaction(lending.db, (tx) => releaseFacility(lending.within(tx), id, holdId))
  await goOn(lending)
}

test.each(CASES)(
  'a payout whose sending is cut $when its COMMIT is recalled by a hold, and happens if it is booked',
  async ({ when }) => {
    await using lending = await openHouse()
    const { id } = await addFacility(lending)
    const drawn = await draw(lending, id, usd(5_000_00n))
    await cutAt(/update "draws" set.*"payout_sent_at"/, when, () => settle(lending))
    await holdAndLift(lending, id)
    const { status } = await getDraw(lending.db, lending.tenantId, id, drawn.id)
    expect(status).toBe(lending.payments.effects.has(drawn.id) ? 'COMPLETED' : 'FAILED')
    expect((await read(lending, id)).reservedCents).toBe(0n)
    await expectBooked(lending, id)
  },
)

test.each(CASES)(
  'a refund whose order is cut $when its COMMIT is recalled by a hold, and is paid once after it',
  async ({ when }) => {
    await using lending = await openHouse()
    const { id } = await addDrawnFacility(lending, usd(1_000_00n))
    await repay(lending, id, usd(1_500_00n))
    await cutAt(/UPDATE refunds x SET ordered/, when, () => settle(lending))
    await holdAndLift(lending, id)
    expect(await refundsOf(lending, id)).toMatchObject([{ status: 'PAID' }])
    const paid = [...lending.payments.effects.keys()].filter((key) => key.startsWith('rfd'))
    expect(paid).toHaveLength(1)
    await expectBooked(lending, id)
  },
)

test.each(CASES)(
  'a release whose sending is cut $when its COMMIT is recalled by a hold, and closes the facility once after it',
  async ({ when }) => {
    await using lending = await openHouse()
    const { id } = await addRepaid(lending, 20_000_00n)
    await requestClosing(lending, id)
    await cutAt(/update "facilities" set.*"release_sent_at"/, when, () => settle(lending))
    await holdAndLift(lending, id)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', closeReason: 'repaid' })
    const closed = (await eventsOf(lending, id)).filter((type) => type === 'facility.closed')
    expect(closed).toHaveLength(1)
    await expectBooked(lending, id)
  },
)

test.each(CASES)(
  'an order whose storing is cut $when its COMMIT is recalled by a hold, and the call ends after it',
  async ({ when }) => {
    await using lending = await openHouse()
    const { id } = await addCritical(lending)
    await cutAt(/insert into "margin_sales"/, when, () => tick(lending))
    await holdAndLift(lending, id)
    for (let minutes = 0; minutes < 10; minutes += 5) await tick(lending, 5 * MINUTE_MS)
    const filled = await lending.db
      .selectFrom('margin_sales')
      .select('number')
      .where('facility_id', '=', id)
      .where('status', '=', 'FILLED')
      .execute()
    expect(ordersOf(lending, id)).toHaveLength(filled.length)
    expect(await readCalls(lending, id)).toMatchObject([
      { status: 'COMPLETED', outcome: 'partial' },
    ])
    await expectBooked(lending, id)
  },
)

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  addMs,
  DAY_MS,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  SECOND_MS,
} from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { loadHoldings } from '../../../src/domain/facilities/custody/holdings.ts'
import { decideFloor } from '../../../src/domain/facilities/floors/decide-floor.ts'
import { pushFloor } from '../../../src/domain/facilities/floors/floors.ts'
import { lockFacility } from '../../../src/domain/facilities/locked-facility.ts'
import { selectMarginState } from '../../../src/domain/facilities/queries.ts'
import { escalateWarning } from '../../../src/domain/margin/calls/escalate.ts'
import { sellCollateral } from '../../../src/domain/margin/calls/sell-collateral.ts'
import { evaluateFacility, evaluateTenant } from '../../../src/domain/margin/evaluation/evaluate.ts'
import { houseForEachTest } from '../../support/lending/houses.ts'
import { read, repay, settle, usd } from '../../support/lending/lending.ts'
import {
  addBorrowed,
  addCritical,
  expectSound,
  ONE_BTC,
  readCalls,
  readWarnings,
} from '../../support/lending/margin.ts'

const lending = houseForEachTest({ isSandbox: true })

/** As by a process that has read the clock at `now`. */
const actingAt = ({ now, realNow }: Instant) => ({
  ...lending.context,
  instant: async () => ({ now, realNow }),
})

test('a sale whose instant was read before the escalation is dated after it, and what it sold counts no more', async () => {
  const { id, borrowerId } = await addCritical(lending)
  const { db, context, tenantId } = lending
  const before = lending.instant()
  const after = { now: addMs(before.now, 40), realNow: before.realNow }
  const key = { tenantId, facilityId: id }
  await evaluateFacility(db, context, key, { ...before, trigger: 'price' })
  // A worker escalates by a clock that runs on, while a leap works at the instant it has arrived at.
  await escalateWarning(actingAt(after), tenantId, id)
  await sellCollateral(actingAt(before), tenantId, id)

  const [call] = await readCalls(lending, id)
  expect(call).toMatchObject({ status: 'COMPLETED', startedAt: after.now, completedAt: after.now })
  const [sale] = await db.selectFrom('margin_sales').selectAll().execute()
  expect(sale?.ordered_at).toEqual(after.now)
  const held = (await loadHoldings(db, tenantId, [borrowerId])).get(borrowerId)
  expect(held?.positions).toEqual([{ asset: 'BTC', units: ONE_BTC - (sale?.filled_units ?? 0n) }])
  lending.advance(MINUTE_MS)
  await expectSound(lending, id)
})

test('a repayment whose instant was read before the warning cures it after it was raised', async () => {
  const { id } = await addBorrowed(lending)
  const { db, context, tenantId } = lending
  lending.market.set('BTC', '68000')
  lending.advance(MINUTE_MS)
  const before = lending.instant()
  const after = { now: addMs(before.now, 40), realNow: before.realNow }
  await evaluateFacility(db, context, { tenantId, facilityId: id }, { ...after, trigger: 'price' })
  await repay(lending, id, usd(20_000_00n))
  await settle(lending)
  expect(lending.now()).toEqual(before.now)
  expect(await readWarnings(lending, id)).toMatchObject([
    { status: 'CURED', raised_at: after.now, cured_at: after.now },
  ])
  const { rows } = await sql<{ at: Date }>`
    SELECT occurred_at AS at FROM events WHERE facility_id = ${id} ORDER BY sequence`.execute(db)
  expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).toSorted((a, b) => +a - +b))
})

test('a facility that has acted later than the round dates nothing of the others', async () => {
  const [ahead, other] = [await addBorrowed(lending), await addBorrowed(lending)]
  const { db, context, tenantId } = lending
  lending.market.set('BTC', '68000')
  lending.advance(MINUTE_MS)
  const { now } = lending.instant()
  const late = addMs(now, SECOND_MS)
  await db
    .updateTable('facilities')
    .set({ acted_at: late })
    .where('facility_id', '=', ahead.id)
    .execute()
  await evaluateTenant(db, context, tenantId, lending.instant())
  expect(await readWarnings(lending, ahead.id)).toMatchObject([{ raised_at: late }])
  expect(await readWarnings(lending, other.id)).toMatchObject([{ raised_at: now }])
})

test('whoever locks a facility acts not before its last act', async () => {
  const { id } = await addBorrowed(lending)
  const { db, tenantId } = lending
  const late = addMs(lending.now(), HOUR_MS)
  const lockAt = (now: Date) =>
    inTransaction(db, async (tx) => {
      const locked = await lockFacility({ tx, tenantId, now, realNow: now }, id)
      return locked.now
    })
  expect(await lockAt(late)).toEqual(late)
  expect(await lockAt(lending.now())).toEqual(late)
  const later = addMs(late, 1)
  expect(await lockAt(later)).toEqual(later)
})

test('whoever opens a facility has acted: its decision is not before it', async () => {
  const { db, tenantId } = lending
  const { id } = await addBorrowed(lending)
  const created = await read(lending, id)
  await db.updateTable('facilities').set({ acted_at: created.createdAt }).execute()
  const early = addMs(created.createdAt, -MINUTE_MS)
  const now = await inTransaction(db, async (tx) => {
    const locked = await lockFacility({ tx, tenantId, now: early, realNow: early }, id)
    return locked.now
  })
  expect(now).toEqual(created.createdAt)
})

test('the database refuses a facility, a draw, a warning, a call and a sale whose instants go back', async () => {
  const { id } = await addCritical(lending)
  const { db } = lending
  await evaluateFacility(
    db,
    lending.context,
    { tenantId: lending.tenantId, facilityId: id },
    { ...lending.instant(), trigger: 'price' },
  )
  await settle(lending)
  const early = addMs(lending.now(), -DAY_MS)
  type Table = 'facilities' | 'draws' | 'margin_warnings' | 'margin_calls' | 'margin_sales'
  const refused = async (table: Table, set: object) =>
    await expect(
      db.updateTable(table).set(set).where('facility_id', '=', id).execute(),
    ).rejects.toThrow(`${table}_in_order`)
  await refused('facilities', { acted_at: addMs(early, -DAY_MS) })
  await refused('draws', { completed_at: addMs(early, -DAY_MS) })
  await refused('margin_warnings', { escalated_at: early })
  await refused('margin_calls', { started_at: early })
  await refused('margin_calls', { completed_at: early })
  await refused('margin_sales', { executed_at: early })
})

test('a floor that the clock leapt over on its way to the custodian is refreshed after the leap', async () => {
  const { id } = await addCritical(lending)
  const { db, context, tenantId } = lending
  const key = { tenantId, facilityId: id }
  await evaluateFacility(db, context, key, { ...lending.instant(), trigger: 'price' })
  await settle(lending)
  expect(await readCalls(lending, id)).toMatchObject([{ status: 'COMPLETED' }])
  await db.updateTable('facilities').set({ custodian_floor_cents: 1n }).execute()
  const instants = [lending.now(), addMs(lending.now(), 30 * DAY_MS)]
  const instant = async () => ({ now: instants.shift() ?? lending.now(), realNow: lending.now() })
  lending.advance(30 * DAY_MS)
  await pushFloor({ ...context, instant }, tenantId, id, 'update')

  await settle(lending)
  const facility = await read(lending, id)
  const margin = await selectMarginState(db, tenantId, id)
  const { isDue } = decideFloor(facility, margin, lending.policy, lending.now())
  expect(isDue).toBe(false)
})

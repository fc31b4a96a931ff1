import { beforeEach, expect, test } from 'vitest'
import { addMs, SECOND_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import { loadPositionSources } from '../../../../src/domain/collateral/position-sources.ts'
import {
  applyPortfolioSource,
  choosePortfolioSource,
} from '../../../../src/domain/facilities/custody/change-source.ts'
import { readManyPositions } from '../../../../src/domain/facilities/custody/read-many-positions.ts'
import type { AccountReading, Custodian } from '../../../../src/domain/facilities/ports.ts'
import { lockFacilityRow } from '../../../../src/domain/facilities/queries.ts'
import {
  EVALUATE_AFTER,
  READ_ALONE,
  READ_POSITIONS,
} from '../../../../src/domain/facilities/topics.ts'
import { insertFacilities } from '../../../support/lending/facility-rows.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import { read } from '../../../support/lending/lending.ts'
import { openTenant } from '../../../support/lending/onboarding.ts'

const BTC = 10n ** 8n
const PERIODS = { custodianReadSeconds: 60, custodianCalmReadSeconds: 600 }

const lending = houseForEachTest()
let calls: Parameters<Custodian['readings']>[0][]
/** What the custodian answers about a facility; one bitcoin where nothing is set. */
let answers: Map<string, AccountReading>
beforeEach(async () => {
  calls = []
  answers = new Map()
  const { context } = lending
  const readings: Custodian['readings'] = async (call) => {
    calls.push(call)
    const usual = holding(BTC)
    return new Map(call.accounts.map(({ facilityId: id }) => [id, answers.get(id) ?? usual]))
  }
  Object.assign(context, { config: PERIODS, custodian: { ...context.custodian, readings } })
  lending.market.set('BTC', '100000')
})

const holding = (units: bigint): AccountReading => {
  return { status: 'done', positions: [{ asset: 'BTC', units }] }
}

/** Approved facilities over one bitcoin each that owe so much, in cents. */
async function addOwing(...principals: bigint[]): Promise<string[]> {
  const rows = principals.map((principalCents) => {
    return { positions: { BTC }, principalCents, accruedAt: lending.now() }
  })
  return await insertFacilities(lending.db, lending.tenantId, rows)
}

async function choose(mode: 'push' | 'custodian'): Promise<void> {
  const { db, tenantId } = lending
  await inTransaction(db, (tx) => choosePortfolioSource(tx, tenantId, mode, lending.instant()))
}

async function readUnits(facilityId: string): Promise<bigint | undefined> {
  const { borrowerId } = await read(lending, facilityId)
  const sources = await loadPositionSources(lending.db, lending.tenantId, [borrowerId])
  return sources.get(borrowerId)?.custodian?.units.get('BTC')
}

async function worksOf(topic: string): Promise<{ subjectId: string; dueAt: Date }[]> {
  const rows = await lending.db
    .selectFrom('work')
    .select(['subject_id as subjectId', 'due_at as dueAt'])
    .where('topic', '=', topic)
    .orderBy('due_at')
    .orderBy('subject_id')
    .execute()
  return rows
}

/** Makes the custodian answer only after `meanwhile`. */
function answerAfter(meanwhile: () => Promise<unknown>): void {
  const { readings } = lending.context.custodian
  lending.context.custodian.readings = async (call) => {
    await meanwhile()
    return await readings(call)
  }
}

const readAll = (ids: readonly string[]) =>
  readManyPositions(lending.context, lending.tenantId, ids)

test('many facilities are read in one call that names each with its borrower', async () => {
  const ids = await addOwing(0n, 0n, 0n)
  await choose('custodian')
  await readAll(ids)
  expect(calls).toHaveLength(1)
  expect(calls[0]?.callId).toMatch(/^rdg_/)
  expect(calls[0]?.accounts.map(({ facilityId }) => facilityId).sort()).toEqual([...ids].sort())
  for (const id of ids) expect(await readUnits(id)).toBe(BTC)
})

test('the nearer a facility is to its floor, the sooner it is read again', async () => {
  const [calm = '', halfway = '', near = ''] = await addOwing(10_000_00n, 48_500_00n, 60_000_00n)
  await choose('custodian')
  const results = await readAll([calm, halfway, near])
  const secondsOf = (id: string) => {
    const result = results.get(id)
    if (!result || result.done) throw new Error('not read again')
    return (result.retryAt.getTime() - lending.now().getTime()) / SECOND_MS
  }
  expect(secondsOf(near)).toBeGreaterThan(0)
  expect(secondsOf(near)).toBeLessThanOrEqual(60)
  expect(secondsOf(halfway)).toBeCloseTo(secondsOf(near) + 240)
  expect(secondsOf(calm)).toBeCloseTo(secondsOf(near) + 540)
})

test('only a facility with collateral that a reading changes is evaluated', async () => {
  const ids = await addOwing(10_000_00n, 10_000_00n)
  await choose('custodian')
  await readAll(ids)
  await lending.db.deleteFrom('work').execute()
  answers.set(ids[1] ?? '', holding(BTC / 2n))
  lending.advance(60 * SECOND_MS)
  await readAll(ids)
  const evaluated = await worksOf(EVALUATE_AFTER.collateral)
  expect(evaluated.map(({ subjectId }) => subjectId)).toEqual([ids[1]])
})

test('an account that is refused or left unanswered affects no other, and the latter is polled alone', async () => {
  const [refused = '', silent = '', answered = ''] = await addOwing(0n, 0n, 0n)
  await choose('custodian')
  answers.set(refused, { status: 'refused' })
  answers.set(silent, { status: 'unanswered' })
  const results = await readAll([refused, silent, answered])
  expect(await readUnits(answered)).toBe(BTC)
  expect(await readUnits(refused)).toBeUndefined()
  expect((await worksOf(READ_ALONE)).map(({ subjectId }) => subjectId)).toEqual([silent])
  for (const id of [refused, silent, answered]) expect(results.get(id)?.done).toBe(false)
})

test('a facility that has ended is not in the request and not read again', async () => {
  const [id = '', ended = ''] = await addOwing(0n, 0n)
  await choose('custodian')
  await lending.db
    .updateTable('facilities')
    .set({ state: 'CLOSING', close_reason: 'repaid' })
    .where('facility_id', '=', ended)
    .execute()
  const results = await readAll([id, ended])
  expect(calls[0]?.accounts.map(({ facilityId }) => facilityId)).toEqual([id])
  expect(results.get(ended)).toEqual({ done: true })
})

test('an answer that comes after the tenant went back to push is not stored', async () => {
  const ids = await addOwing(0n)
  await choose('custodian')
  answerAfter(() => choose('push'))
  await readAll(ids)
  expect(await readUnits(ids[0] ?? '')).toBeUndefined()
})

test('a facility that another transaction holds is read again soon, and the others are stored', async () => {
  const [held = '', free = ''] = await addOwing(0n, 0n)
  await choose('custodian')
  await inTransaction(lending.db, async (tx) => {
    await lockFacilityRow(tx, lending.tenantId, held, lending.now())
    const results = await readAll([held, free])
    expect(results.get(held)).toEqual({
      done: false,
      retryAt: addMs(lending.now(), 5 * SECOND_MS),
    })
  })
  expect(await readUnits(free)).toBe(BTC)
  expect(await readUnits(held)).toBeUndefined()
})

test('of two calls at once the one that was asked last counts, whichever is answered first', async () => {
  const ids = await addOwing(0n)
  await choose('custodian')
  const late = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const readings: Custodian['readings'] = async ({ accounts }) => {
    asked.resolve()
    await late.promise
    return new Map(accounts.map(({ facilityId }) => [facilityId, holding(BTC)]))
  }
  const custodian = { ...lending.context.custodian, readings }
  const first = readManyPositions({ ...lending.context, custodian }, lending.tenantId, ids)
  await asked.promise
  lending.advance(SECOND_MS)
  answers.set(ids[0] ?? '', holding(BTC / 2n))
  await readAll(ids)
  late.resolve()
  await first
  expect(await readUnits(ids[0] ?? '')).toBe(BTC / 2n)
})

test('a facility that ends while the custodian is asked is not stored', async () => {
  const [ended = '', open = ''] = await addOwing(0n, 0n)
  await choose('custodian')
  answerAfter(() =>
    lending.db
      .updateTable('facilities')
      .set({ state: 'CLOSING', close_reason: 'repaid' })
      .where('facility_id', '=', ended)
      .execute(),
  )
  await readAll([ended, open])
  expect(await readUnits(ended)).toBeUndefined()
  expect(await readUnits(open)).toBe(BTC)
})

test('another tenant’s facility is not in the request, nor read again for this one', async () => {
  const [own = '', foreign = ''] = await addOwing(0n, 0n)
  await choose('custodian')
  const other = await openTenant(lending.db)
  await inTransaction(lending.db, (tx) =>
    choosePortfolioSource(tx, other, 'custodian', lending.instant()),
  )
  const results = await readManyPositions(lending.context, other, [own, foreign])
  expect(calls).toEqual([])
  expect([...results.values()]).toEqual([{ done: true }, { done: true }])
})

test('a choice of source is applied to 500 facilities at a time, and their readings are spread', async () => {
  await addOwing(...Array.from({ length: 1_001 }, () => 0n))
  await choose('custodian')
  await applyPortfolioSource(lending.context, lending.tenantId)
  const due = (await worksOf(READ_POSITIONS)).map(({ dueAt }) => dueAt.getTime())
  const start = lending.now()
  const countAt = (ms: number) => due.filter((at) => at === addMs(start, ms).getTime()).length
  expect([countAt(0), countAt(300), countAt(600)]).toEqual([500, 500, 1])
})

test('back at push every reading is deleted and its facility evaluated, however many there are', async () => {
  const ids = await addOwing(...Array.from({ length: 501 }, () => 1_000_00n))
  await choose('custodian')
  for (let at = 0; at < ids.length; at += 500) await readAll(ids.slice(at, at + 500))
  await lending.db.deleteFrom('work').execute()
  await choose('push')
  await applyPortfolioSource(lending.context, lending.tenantId)
  const left = await lending.db
    .selectFrom('custodian_positions')
    .selectAll()
    .where('tenant_id', '=', lending.tenantId)
    .execute()
  expect(left).toEqual([])
  expect(await worksOf(EVALUATE_AFTER.collateral)).toHaveLength(501)
})

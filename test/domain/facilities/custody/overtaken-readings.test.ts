import { beforeEach, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import { loadPositionSources } from '../../../../src/domain/collateral/position-sources.ts'
import { choosePortfolioSource } from '../../../../src/domain/facilities/custody/change-source.ts'
import { loadHoldings } from '../../../../src/domain/facilities/custody/holdings.ts'
import { readManyPositions } from '../../../../src/domain/facilities/custody/read-many-positions.ts'
import { takeReading } from '../../../../src/domain/facilities/custody/read-positions.ts'
import type { Facility } from '../../../../src/domain/facilities/facilities.ts'
import { EVALUATE_AFTER } from '../../../../src/domain/facilities/topics.ts'
import { sellCollateral } from '../../../../src/domain/margin/calls/sell-collateral.ts'
import { updateQuestions } from '../../../../src/domain/margin/evaluation/question-queries.ts'
import { findWorkOn } from '../../../../src/domain/work/work.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import { pass, read, settle } from '../../../support/lending/lending.ts'
import {
  addBorrowed,
  holdPrice,
  marginEvents,
  ONE_BTC,
  readCalls,
  tick,
} from '../../../support/lending/margin.ts'

const lending = houseForEachTest()
beforeEach(async () => {
  Object.assign(lending.context, {
    config: { custodianReadSeconds: 60, custodianCalmReadSeconds: 60 },
  })
})

async function chooseCustodian(): Promise<void> {
  const { db, tenantId } = lending
  await inTransaction(db, (tx) =>
    choosePortfolioSource(tx, tenantId, 'custodian', lending.instant()),
  )
  await settle(lending)
}

/** A facility with a call that continues in 30 s, read from the custodian. */
async function addCalled(): Promise<Facility> {
  const facility = await addBorrowed(lending)
  await holdPrice(lending, '68000')
  lending.fills = ['refused']
  await pass(lending, 48 * HOUR_MS)
  await tick(lending, 1)
  await chooseCustodian()
  lending.advance(31 * SECOND_MS)
  return facility
}

/** Reads while the call sells what it has to. */
async function readDuringSale({ id }: Facility): Promise<{ isTaken: boolean; againAt: Date }> {
  const { context, tenantId } = lending
  const { custodian } = context
  const positions: typeof custodian.positions = async (call) => {
    lending.advance(SECOND_MS)
    await sellCollateral(context, tenantId, id)
    return await custodian.positions(call)
  }
  const slow = { ...context, custodian: { ...custodian, positions } }
  return await takeReading(slow, await read(lending, id))
}

/** Reads in a call about many while the call sells what it has to; gives when to read again. */
async function readManyDuringSale({ id }: Facility): Promise<Date | undefined> {
  const { context, tenantId } = lending
  const { custodian } = context
  const readings: typeof custodian.readings = async (call) => {
    const before = await custodian.readings(call)
    lending.advance(SECOND_MS)
    await sellCollateral(context, tenantId, id)
    return before
  }
  const slow = { ...context, custodian: { ...custodian, readings } }
  const result = (await readManyPositions(slow, tenantId, [id])).get(id)
  return result?.done === false ? result.retryAt : undefined
}

async function countedOf({ borrowerId }: Facility): Promise<bigint> {
  const holdings = await loadHoldings(lending.db, lending.tenantId, [borrowerId])
  return holdings.get(borrowerId)?.positions[0]?.units ?? 0n
}

test('a reading that a sale overtakes is not stored, and requested again soon: the sale counts once', async () => {
  const facility = await addCalled()
  const startedAt = lending.now().getTime()
  const { isTaken, againAt } = await readDuringSale(facility)
  expect(isTaken).toBe(false)
  expect(againAt.getTime()).toBeLessThan(startedAt + 10 * SECOND_MS)
  const [call] = await readCalls(lending, facility.id)
  const sold = call?.sold[0]?.units ?? 0n
  expect(sold).toBeGreaterThan(0n)
  expect(await countedOf(facility)).toBe(ONE_BTC - sold)
  await pass(lending, 3 * MINUTE_MS, 10 * SECOND_MS)
  expect(await countedOf(facility)).toBe(ONE_BTC - sold)
  expect(await marginEvents(lending, facility.id)).not.toContain('warning.raised 2')
})

test('an answer about many accounts that a sale overtakes is not stored, and requested again soon', async () => {
  const facility = await addCalled()
  const startedAt = lending.now().getTime()
  const againAt = await readManyDuringSale(facility)
  expect(againAt?.getTime()).toBeLessThan(startedAt + 10 * SECOND_MS)
  const [call] = await readCalls(lending, facility.id)
  const sold = call?.sold[0]?.units ?? 0n
  expect(sold).toBeGreaterThan(0n)
  expect(await countedOf(facility)).toBe(ONE_BTC - sold)
})

test('a reading is not kept while an order is under way: it may or may not be in the answer', async () => {
  const facility = await addCalled()
  lending.fills = ['pending', 'pending', 'pending']
  const readAt = async () => {
    const sources = await loadPositionSources(lending.db, lending.tenantId, [facility.borrowerId])
    return sources.get(facility.borrowerId)?.custodian?.readAt
  }
  const before = await readAt()
  await settle(lending)
  expect(await readCalls(lending, facility.id)).toMatchObject([{ status: 'SELLING', sold: [] }])
  await takeReading(lending.context, await read(lending, facility.id))
  expect(await readAt()).toEqual(before)
})

test('a facility is evaluated when a reading makes a sale count no longer, though it is the same as before', async () => {
  const facility = await addCalled()
  // Newer than the answer that the call began on, which would count otherwise.
  await takeReading(lending.context, await read(lending, facility.id))
  lending.advance(SECOND_MS)
  await settle(lending)
  const { db, tenantId } = lending
  const { borrowerId } = facility
  const left = await countedOf(facility)
  lending.advance(SECOND_MS)
  // The custodian's list knew of the sale before the sale had, by its own clock, happened.
  await db
    .updateTable('custodian_positions')
    .set({ positions: JSON.stringify({ BTC: String(left) }) as never })
    .where('borrower_id', '=', borrowerId)
    .execute()
  expect(await countedOf(facility)).toBeLessThan(left)
  expect((await takeReading(lending.context, await read(lending, facility.id))).isTaken).toBe(true)
  expect(await findWorkOn(db, tenantId, [EVALUATE_AFTER.collateral], [facility.id])).toHaveLength(1)
  expect(await countedOf(facility)).toBe(left)
})

test('a facility is evaluated when a reading takes the place of the answer about its push, though it is the same as before', async () => {
  const facility = await addBorrowed(lending)
  const { borrowerId } = facility
  await chooseCustodian()
  const { db, tenantId } = lending
  const sources = await loadPositionSources(db, tenantId, [borrowerId])
  const digest = sources.get(borrowerId)?.question.digest ?? Buffer.alloc(0)
  lending.advance(SECOND_MS)
  const held = [{ asset: 'BTC', units: ONE_BTC / 2n }]
  const answer = { positions: held, askedAt: lending.now() }
  await inTransaction(db, (tx) =>
    updateQuestions(tx, tenantId, [
      { borrowerId, digest, askedSince: undefined, checkingSince: undefined, answer },
    ]),
  )
  expect(await countedOf(facility)).toBe(ONE_BTC / 2n)
  lending.advance(SECOND_MS)
  expect((await takeReading(lending.context, await read(lending, facility.id))).isTaken).toBe(true)
  expect(await countedOf(facility)).toBe(ONE_BTC)
  expect(await findWorkOn(db, tenantId, [EVALUATE_AFTER.collateral], [facility.id])).toHaveLength(1)
})

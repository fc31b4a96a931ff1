import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMs, DAY_MS, SECOND_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import type { PortfolioSource } from '../../../src/db/schema.ts'
import {
  getPortfolioSource,
  setPortfolioSource,
} from '../../../src/domain/collateral/portfolio-source.ts'
import {
  countPositions,
  loadPositionSources,
} from '../../../src/domain/collateral/position-sources.ts'
import type { Position } from '../../../src/domain/collateral/valuation.ts'
import { loadCollateral } from '../../../src/domain/facilities/collateral-of.ts'
import type { Facility } from '../../../src/domain/facilities/facilities.ts'
import type { CallAnswer } from '../../../src/domain/facilities/ports.ts'
import { beginReadingAll } from '../../../src/domain/facilities/read-positions.ts'
import { READ_POSITIONS } from '../../../src/domain/facilities/topics.ts'
import { findWorkAtHand } from '../../../src/domain/outbox/outbox.ts'
import {
  addEligibleBorrower,
  addFacility,
  applyFor,
  type Lending,
  openLending,
  settle,
} from '../../support/lending.ts'

type Answer = CallAnswer<{ positions: readonly Position[] }>

const BTC = 10n ** 8n
const holding = (units: bigint): Answer => ({
  status: 'done',
  positions: [{ asset: 'BTC', units }],
})

let lending: Lending
/** What the custodian answers, call by call; then the last for good. */
let answers: (Answer | Error)[]
let calls: string[]
beforeEach(async () => {
  lending = await openLending()
  answers = [holding(BTC / 2n)]
  calls = []
  const { context } = lending
  Object.assign(context, {
    config: { custodianReadSeconds: 60 },
    custodian: {
      ...context.custodian,
      positions: async ({ callId }: { callId: string }) => {
        calls.push(callId)
        const answer = answers.length > 1 ? answers.shift() : answers[0]
        if (!answer || answer instanceof Error) throw answer
        return answer
      },
    },
  })
})
afterEach(() => lending[Symbol.asyncDispose]())

async function choose(mode: PortfolioSource): Promise<void> {
  const { db, tenantId } = lending
  await inTransaction(db, async (tx) => {
    await setPortfolioSource(tx, tenantId, mode, lending.now())
    if (mode === 'custodian') await beginReadingAll(tx, tenantId, lending.now())
  })
  await settle(lending)
}

async function countedOf({ borrowerId }: Facility): Promise<Position[]> {
  const { db, tenantId } = lending
  const sources = (await loadPositionSources(db, tenantId, [borrowerId])).get(borrowerId)
  return sources ? countPositions(sources) : []
}

async function wait(seconds: number): Promise<void> {
  lending.advance(seconds * SECOND_MS)
  await settle(lending)
}

const pending = () =>
  findWorkAtHand(lending.db, lending.tenantId, READ_POSITIONS, addMs(lending.now(), DAY_MS))

test('a tenant is of mode push until it chooses, and nothing is read for it', async () => {
  const facility = await addFacility(lending)
  expect(await getPortfolioSource(lending.db, lending.tenantId)).toBe('push')
  await wait(600)
  expect(calls).toEqual([])
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC }])
})

test('with the custodian as source the smaller counts, in valuations too', async () => {
  const facility = await addFacility(lending)
  await choose('custodian')
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC / 2n }])
  const { db, prices, tenantId } = lending
  const { borrowerId } = facility
  const { valuation } = await loadCollateral(db, prices, tenantId, borrowerId, lending.now())
  expect(valuation.valueCents).toBe(48_500_00n)
  answers = [holding(3n * BTC)]
  await wait(60)
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC }])
})

test('positions are read once a period, each under a call of its own', async () => {
  await addFacility(lending)
  await choose('custodian')
  await wait(59)
  expect(calls).toHaveLength(1)
  await wait(1)
  await wait(60)
  expect(new Set(calls).size).toBe(3)
})

test('a custodian that is down is asked again, and the last reading stays', async () => {
  const facility = await addFacility(lending)
  await choose('custodian')
  answers = [new Error('down'), new Error('down'), holding(BTC / 4n)]
  await wait(60)
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC / 2n }])
  await wait(2)
  await wait(4)
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC / 4n }])
})

test('an answer that takes its time is asked for under the same call', async () => {
  const facility = await addFacility(lending)
  const askAgainAt = new Date(lending.now().getTime() + 5_000)
  answers = [{ status: 'pending', askAgainAt }, holding(BTC / 2n)]
  await choose('custodian')
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC }])
  await wait(5)
  expect(calls).toHaveLength(2)
  expect(new Set(calls).size).toBe(1)
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC / 2n }])
})

test('a facility approved later is read too', async () => {
  await choose('custodian')
  const facility = await addFacility(lending)
  await settle(lending)
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC / 2n }])
})

test('back at push the readings are forgotten and the reading ends', async () => {
  const facility = await addFacility(lending)
  await choose('custodian')
  await choose('push')
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC }])
  await wait(60)
  expect(calls).toHaveLength(1)
  expect(await pending()).toEqual([])
})

test('a reading that comes after the tenant went back to push is not kept', async () => {
  const facility = await addFacility(lending)
  const { db, tenantId, context } = lending
  const { positions } = context.custodian
  context.custodian.positions = async (call) => {
    await inTransaction(db, (tx) => setPortfolioSource(tx, tenantId, 'push', lending.now()))
    return await positions(call)
  }
  await choose('custodian')
  expect(calls).toHaveLength(1)
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC }])
})

test('nothing is read for a facility that is not approved', async () => {
  await applyFor(lending, await addEligibleBorrower(lending))
  await choose('custodian')
  expect(calls).toEqual([])
})

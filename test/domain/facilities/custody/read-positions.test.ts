import { beforeEach, describe, expect, test } from 'vitest'
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import type { PortfolioSource } from '../../../../src/db/schema/collateral.ts'
import { getPortfolioSource } from '../../../../src/domain/collateral/portfolio-source.ts'
import {
  countPositions,
  loadPositionSources,
} from '../../../../src/domain/collateral/position-sources.ts'
import type { Position } from '../../../../src/domain/collateral/valuation.ts'
import { releaseLien } from '../../../../src/domain/facilities/closing/close.ts'
import { choosePortfolioSource } from '../../../../src/domain/facilities/custody/change-source.ts'
import { loadCollateral } from '../../../../src/domain/facilities/custody/collateral-of.ts'
import { nextReadingAt } from '../../../../src/domain/facilities/custody/reading-period.ts'
import type { Facility } from '../../../../src/domain/facilities/facilities.ts'
import type { CallAnswer } from '../../../../src/domain/facilities/ports.ts'
import { READ_POSITIONS } from '../../../../src/domain/facilities/topics.ts'
import { setBorrowerBlock } from '../../../../src/domain/onboarding/borrowers.ts'
import { findRunningOrDue } from '../../../../src/domain/work/work.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import {
  addEligibleBorrower,
  addFacility,
  applyFor,
  pushPortfolio,
  read,
  requestClosing,
  settle,
} from '../../../support/lending/lending.ts'
import { slowPositions } from '../../../support/lending/slow-custodian.ts'
import { untilOneWaits } from '../../../support/stores/waiting-sessions.ts'

type Answer = CallAnswer<{ positions: readonly Position[] }>

const BTC = 10n ** 8n
const holding = (units: bigint): Answer => ({
  status: 'done',
  positions: [{ asset: 'BTC', units }],
})

const lending = houseForEachTest()
/** What the custodian answers, call by call; then the last for good. */
let answers: (Answer | Error)[]
let calls: string[]
beforeEach(async () => {
  answers = [holding(BTC / 2n)]
  calls = []
  const { context } = lending
  Object.assign(context, {
    config: { custodianReadSeconds: 60, custodianCalmReadSeconds: 60 },
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

async function choose(mode: PortfolioSource): Promise<void> {
  const { db, tenantId } = lending
  await inTransaction(db, (tx) => choosePortfolioSource(tx, tenantId, mode, lending.instant()))
  await settle(lending)
}

async function sourcesOf(borrowerId: string) {
  return (await loadPositionSources(lending.db, lending.tenantId, [borrowerId])).get(borrowerId)
}

async function countedOf({ borrowerId }: Facility): Promise<Position[]> {
  const sources = await sourcesOf(borrowerId)
  return sources ? countPositions(sources).positions : []
}

async function wait(seconds: number): Promise<void> {
  lending.advance(seconds * SECOND_MS)
  await settle(lending)
}

/** Sets the clock to one of the instants, a period from each other, at which the tenant is read. */
function toInstantOfTenant(): void {
  const { context, tenantId, now } = lending
  const instant = nextReadingAt(tenantId, now(), MINUTE_MS, context.config)
  lending.advance(instant.getTime() - now().getTime())
}

const pending = () =>
  findRunningOrDue(lending.db, lending.tenantId, READ_POSITIONS, addMs(lending.now(), DAY_MS))

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
  const { borrowerId } = facility
  const { valuation } = await inTransaction(lending.db, async (tx) => {
    const context = lending.within(tx)
    const prices = await context.prices.latest(tx, context.tenantId, context.now)
    return await loadCollateral(context, borrowerId, prices)
  })
  expect(valuation.valueCents).toBe(48_500_00n)
  answers = [holding(3n * BTC)]
  await wait(60)
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC }])
})

test('positions are read once a period, each under a call of its own', async () => {
  await addFacility(lending)
  await choose('custodian')
  expect(calls).toHaveLength(1)
  for (const count of [2, 3, 4]) {
    await wait(60)
    expect(new Set(calls).size).toBe(count)
    expect(calls).toHaveLength(count)
  }
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

/** The calls about one facility alone, after the call about many left it unanswered. */
const alone = (callIds: readonly string[]) =>
  callIds.filter((id) => /^fac_\w+\/reading\/\d+$/.test(id))

test('a facility that the call about many leaves unanswered is polled alone, under one call', async () => {
  const facility = await addFacility(lending)
  const askAgainAt = new Date(lending.now().getTime() + 5_000)
  const later: Answer = { status: 'pending', askAgainAt }
  answers = [later, later, holding(BTC / 2n)]
  await choose('custodian')
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC }])
  await wait(5)
  expect(alone(calls)).toHaveLength(2)
  expect(new Set(alone(calls)).size).toBe(1)
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC / 2n }])
})

test('an answer that takes longer than the period is stored, as of the time of its request', async () => {
  const facility = await addFacility(lending)
  answers = [holding(BTC / 4n)]
  const callIds = slowPositions(lending, 150 * SECOND_MS)
  // Periods end at 60, 120 and 180 s: one that ends as the answer comes asks again.
  toInstantOfTenant()
  const askedAt = lending.now()
  await choose('custodian')
  for (let seconds = 0; seconds < 150; seconds += 5) await wait(5)
  expect(new Set(alone(callIds)).size).toBe(1)
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC / 4n }])
  expect(await sourcesOf(facility.borrowerId)).toMatchObject({ custodian: { readAt: askedAt } })
})

test('chosen again later the custodian is asked again, whatever it still owes an answer to', async () => {
  await addFacility(lending)
  const callIds = slowPositions(lending, 30 * SECOND_MS)
  await choose('custodian')
  await choose('push')
  await wait(30)
  await choose('custodian')
  expect(new Set(alone(callIds)).size).toBe(2)
})

test('a facility approved later is read too', async () => {
  await choose('custodian')
  const facility = await addFacility(lending, { limitCents: 20_000_00n })
  await wait(60)
  expect(calls).toContainEqual(expect.stringContaining(facility.id))
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC / 2n }])
})

/** Its tenant chooses `mode` and does `meanwhile` while the application waits for a decision. */
async function applyAsChosen(mode: PortfolioSource, meanwhile?: (borrowerId: string) => unknown) {
  const borrowerId = await addEligibleBorrower(lending)
  await pushPortfolio(lending, borrowerId)
  const { id } = await applyFor(lending, borrowerId, 24_250_00n)
  const { db, tenantId } = lending
  const settled: Promise<unknown>[] = []
  await inTransaction(db, async (tx) => {
    await choosePortfolioSource(tx, tenantId, mode, lending.instant())
    settled.push(settle(lending))
    await Promise.race([untilOneWaits(db), ...settled])
    await meanwhile?.(borrowerId)
  })
  await Promise.all(settled)
  return id
}

test('a facility that is approved while its tenant chooses the custodian is read too', async () => {
  const id = await applyAsChosen('custodian')
  await wait(60)
  const facility = await read(lending, id)
  expect(facility.state).toBe('APPROVED')
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC / 2n }])
})

test('an application is decided by what is true once its tenant has chosen', async () => {
  const { db } = lending
  const id = await applyAsChosen('push', (borrowerId) =>
    inTransaction(db, (tx) => setBorrowerBlock(lending.within(tx), borrowerId, 'fraud')),
  )
  expect(await read(lending, id)).toMatchObject({ state: 'DECLINED' })
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
    await inTransaction(db, (tx) => choosePortfolioSource(tx, tenantId, 'push', lending.instant()))
    return await positions(call)
  }
  await choose('custodian')
  expect(calls).toHaveLength(1)
  expect(await countedOf(facility)).toEqual([{ asset: 'BTC', units: BTC }])
})

describe('underwriting with the custodian as source', () => {
  const apply = async (limitCents: bigint) => {
    const borrowerId = await addEligibleBorrower(lending)
    await pushPortfolio(lending, borrowerId)
    const { id } = await applyFor(lending, borrowerId, limitCents)
    await settle(lending)
    return id
  }
  beforeEach(() => choose('custodian'))

  test('underwriting with the custodian as source goes by the smaller of both, half a bitcoin of the one that was pushed', async () => {
    expect(await read(lending, await apply(24_250_00n))).toMatchObject({ state: 'APPROVED' })
    expect(await read(lending, await apply(24_250_01n))).toMatchObject({
      state: 'DECLINED',
      declineReasons: ['insufficient_collateral'],
    })
  })

  test.each<[string, (Answer | Error)[]]>([
    ['is down', [new Error('down'), holding(BTC)]],
    ['takes its time', [{ status: 'pending', askAgainAt: new Date('2026-11-20T12:00:02Z') }]],
    ['refuses for now', [{ status: 'refused', code: 'test', retryable: true }]],
  ])(
    'underwriting with the custodian as source waits for its answer while it %s',
    async (_, first) => {
      answers = [...first, holding(BTC)]
      const id = await apply(40_000_00n)
      expect(await read(lending, id)).toMatchObject({ state: 'PENDING' })
      await wait(60)
      expect(await read(lending, id)).toMatchObject({ state: 'APPROVED' })
    },
  )

  test('underwriting with the custodian as source asks again where the answer took so long that it is too old', async () => {
    answers = [holding(BTC)]
    const { custodian } = lending.context
    const { positions } = custodian
    const callIds = slowPositions(lending, 16 * 60 * SECOND_MS)
    const id = await apply(40_000_00n)
    await wait(15 * 60)
    await pushPortfolio(lending, (await read(lending, id)).borrowerId)
    await wait(60)
    expect(await read(lending, id)).toMatchObject({ state: 'PENDING' })
    custodian.positions = positions
    await wait(60)
    expect(new Set(callIds).size).toBe(1)
    expect(await read(lending, id)).toMatchObject({ state: 'APPROVED' })
  })

  test('underwriting with the custodian as source declines as stale when it has not answered for a day', async () => {
    answers = [new Error('down')]
    const id = await apply(40_000_00n)
    await wait(24 * 3_600)
    expect(await read(lending, id)).toMatchObject({
      state: 'DECLINED',
      declineReasons: ['portfolio_stale'],
    })
  })

  test("underwriting with the custodian as source counts nothing that was read for the borrower's last facility", async () => {
    answers = [holding(BTC)]
    const first = await addFacility(lending)
    await wait(60)
    await requestClosing(lending, first.id)
    await settle(lending)
    expect(await read(lending, first.id)).toMatchObject({ state: 'CLOSED' })
    expect(await sourcesOf(first.borrowerId)).toMatchObject({ custodian: undefined })

    // Little was left when it closed; now there is enough again, which has not been read yet.
    await pushPortfolio(lending, first.borrowerId, [{ asset: 'BTC', units: 2n * BTC }])
    answers = [new Error('down'), holding(2n * BTC)]
    const second = await applyFor(lending, first.borrowerId, 90_000_00n)
    await settle(lending)
    expect(await read(lending, second.id)).toMatchObject({ state: 'PENDING' })
    await wait(60)
    expect(await read(lending, second.id)).toMatchObject({ state: 'APPROVED' })
  })
})

test('a reading under way when its facility ends is not kept', async () => {
  const facility = await addFacility(lending)
  const { tenantId, context } = lending
  const { positions } = context.custodian
  context.custodian.positions = async (call) => {
    const { id } = facility
    await requestClosing(lending, id)
    await releaseLien(context, tenantId, id)
    return await positions(call)
  }
  await choose('custodian')
  expect(calls).toHaveLength(1)
  expect(await read(lending, facility.id)).toMatchObject({ state: 'CLOSED' })
  expect(await sourcesOf(facility.borrowerId)).toMatchObject({ custodian: undefined })
})

test('what was read of an applicant who is declined, or cancels, is forgotten', async () => {
  await choose('custodian')
  const borrowerId = await addEligibleBorrower(lending)
  await pushPortfolio(lending, borrowerId)
  const declined = await applyFor(lending, borrowerId)
  await settle(lending)
  expect(await read(lending, declined.id)).toMatchObject({ state: 'DECLINED' })
  expect(await sourcesOf(borrowerId)).toMatchObject({ custodian: undefined })
})

test('nothing is read for a facility that waits for its first portfolio', async () => {
  await applyFor(lending, await addEligibleBorrower(lending))
  await settle(lending)
  await choose('custodian')
  expect(calls).toEqual([])
})

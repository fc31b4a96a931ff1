import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import { changeFacility } from '../../../../src/domain/margin/change-facility.ts'
import { upsertHeartbeat } from '../../../../src/domain/margin/outages/outage-queries.ts'
import { noteHeartbeat } from '../../../../src/domain/margin/outages/outages.ts'
import {
  announce,
  type Lending,
  openHousesInOneDatabase,
  pass,
  pushPortfolio,
  repay,
  report,
  settle,
  usdc,
} from '../../../support/lending/lending.ts'
import {
  addBorrowed,
  btc,
  expectSound,
  holdPrice,
  ONE_BTC,
  readCalls,
  readWarning,
  tick,
} from '../../../support/lending/margin.ts'

const openHouse = openHousesInOneDatabase()
let lending: Lending
afterEach(() => lending[Symbol.asyncDispose]())

/** A worker notes that it is there. */
const beat = () => noteHeartbeat(lending.db, lending.now)

/** A warning at tier 1, with 48 hours to cure, at the default price; a worker is there where any was ever seen. */
async function addWarned({ hasWorker = true, price = '68000' } = {}) {
  const facility = await addBorrowed(lending)
  await holdPrice(lending, price)
  if (hasWorker) await beat()
  const { cureDeadline } = await readWarning(lending, facility.id)
  return { ...facility, cureDeadline }
}

/** A request about the facility that settles its deadline first. */
async function request(facilityId: string): Promise<void> {
  await inTransaction(lending.db, (tx) => changeFacility(lending.within(tx), facilityId))
}

describe.each([
  ['on the sandbox', { isSandbox: true }],
  ['where rounds come one by one', { hasRounds: true }],
])('%s, time in which no worker was there', (_, options) => {
  beforeEach(async () => {
    lending = await openHouse(options)
  })

  test('an outage moves the deadlines of open warnings by as long as it lasted, on the record', async () => {
    const { id, cureDeadline } = await addWarned()
    lending.advance(2 * MINUTE_MS)
    // Other houses of the database may be warned too.
    expect(await beat()).toMatchObject({ lostMs: 2 * MINUTE_MS })
    expect(await readWarning(lending, id)).toMatchObject({
      cureDeadline: addMs(cureDeadline, 2 * MINUTE_MS),
      extendedSeconds: 120,
    })
    await tick(lending)
    expect(await readWarning(lending, id)).toMatchObject({ extendedSeconds: 120 })
    await expectSound(lending, id)
  })

  test('an outage of up to a minute moves nothing, however often', async () => {
    const { id, cureDeadline } = await addWarned()
    for (let beats = 0; beats < 5; beats += 1) {
      lending.advance(MINUTE_MS)
      expect(await beat()).toBeUndefined()
      await tick(lending)
    }
    expect(await readWarning(lending, id)).toMatchObject({ cureDeadline, extendedSeconds: 0 })
  })

  test('there is no outage while another worker runs', async () => {
    const { id, cureDeadline } = await addWarned()
    // One beats as before, the other is gone and comes back after ten minutes.
    for (let beats = 0; beats < 60; beats += 1) {
      lending.advance(10_000)
      expect(await beat()).toBeUndefined()
    }
    await Promise.all([beat(), beat()])
    expect(await readWarning(lending, id)).toMatchObject({ cureDeadline, extendedSeconds: 0 })
  })

  test('an outage counts once for workers that come back together', async () => {
    const { id, cureDeadline } = await addWarned()
    lending.advance(10 * MINUTE_MS)
    await Promise.all([beat(), tick(lending), beat(), beat()])
    await tick(lending)
    expect(await readWarning(lending, id)).toMatchObject({
      cureDeadline: addMs(cureDeadline, 10 * MINUTE_MS),
      extendedSeconds: 600,
    })
    await expectSound(lending, id)
  })

  test('an outage counts also before a worker is back: a deadline that passed in it does not escalate', async () => {
    const { id, cureDeadline } = await addWarned()
    lending.advance(48 * HOUR_MS + 1)
    await request(id)
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'OPEN',
      cureDeadline: addMs(cureDeadline, 48 * HOUR_MS + 1),
    })
    // Nor is it counted again by the worker, which adds only what came after.
    lending.advance(5_000)
    await beat()
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'OPEN',
      cureDeadline: addMs(cureDeadline, 48 * HOUR_MS + 5_001),
    })
    await expectSound(lending, id)
  })

  test('an outage counts whole however often facilities are evaluated during it', async () => {
    const { id, cureDeadline } = await addWarned()
    // The deadline passes 10 s into the outage; from then on each evaluation finds it passed again.
    lending.advance(48 * HOUR_MS - 10_000)
    await upsertHeartbeat(lending.db, lending.now())
    for (const seconds of [61, 39, 11, 30]) {
      lending.advance(seconds * 1_000)
      await request(id)
      await settle(lending)
      expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    }
    await beat()
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'OPEN',
      cureDeadline: addMs(cureDeadline, 141_000),
      extendedSeconds: 141,
    })
    await expectSound(lending, id)
  })

  test('an outage is not given to a warning for the part before it was raised', async () => {
    const { id } = await addBorrowed(lending)
    await beat()
    lending.market.set('BTC', '68000')
    lending.advance(3 * MINUTE_MS)
    await tick(lending)
    const { cureDeadline } = await readWarning(lending, id)
    lending.advance(30_000)
    await beat()
    expect(await readWarning(lending, id)).toMatchObject({
      cureDeadline: addMs(cureDeadline, 30_000),
      extendedSeconds: 30,
    })
  })

  test('the time that was left runs on to its end once an outage has passed', async () => {
    // Tier 3: two hours.
    const { id } = await addWarned({ price: '61000' })
    lending.advance(50 * HOUR_MS)
    await beat()
    for (let beats = 0; beats < 60; beats += 1) {
      lending.advance(MINUTE_MS)
      await beat()
    }
    await tick(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    for (let beats = 0; beats < 61; beats += 1) {
      lending.advance(MINUTE_MS)
      await beat()
    }
    await tick(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    expect(await readCalls(lending, id)).toHaveLength(1)
    await expectSound(lending, id)
  })

  test('a stack on which no worker ever ran has no outage', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await pass(lending, 48 * HOUR_MS + MINUTE_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
  })
})

describe('time in which no worker was there to ask the treasury', () => {
  beforeEach(async () => {
    lending = await openHouse()
  })

  /** A warning that has a minute left, and a treasury that does not answer. */
  async function addNearlyOverdue(): Promise<string> {
    const { id } = await addWarned({ hasWorker: false })
    await pass(lending, 48 * HOUR_MS - MINUTE_MS, HOUR_MS)
    await beat()
    lending.payments.isDown = true
    return id
  }

  /** A worker is there all the time; it asks the treasury every ten minutes, and at the end. */
  async function goOn(ms: number): Promise<void> {
    for (let gone = 0; gone < ms; gone += MINUTE_MS) {
      lending.advance(Math.min(MINUTE_MS, ms - gone))
      await beat()
      if (gone % (10 * MINUTE_MS) === 0) await tick(lending)
    }
    await tick(lending)
  }

  async function expectHeldFor(facilityId: string, ms: number): Promise<void> {
    await goOn(ms - 1)
    expect(await readWarning(lending, facilityId)).toMatchObject({ status: 'OPEN' })
    await goOn(1)
    expect(await readWarning(lending, facilityId)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, facilityId)
  }

  test('time in which no worker was there to ask the treasury does not count against what a report holds; all other time does', async () => {
    const id = await addNearlyOverdue()
    await repay(lending, id, usdc(9_000_000_000n))
    await goOn(10 * MINUTE_MS)
    lending.advance(2 * HOUR_MS)
    await Promise.all([beat(), tick(lending), beat()])
    await expectHeldFor(id, 50 * MINUTE_MS)
  })

  test('time in which no worker was there to ask the treasury is not counted for a report that came after it in the place of another', async () => {
    const id = await addNearlyOverdue()
    const announced = await announce(lending, id, usdc(9_000_000_000n))
    lending.received.set('first', undefined)
    await report(lending, announced, 'first')
    lending.advance(2 * HOUR_MS)
    await beat()
    lending.payments.isDown = false
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    lending.payments.isDown = true
    await report(lending, announced, 'second')
    await expectHeldFor(id, HOUR_MS)
  })

  test('time in which no worker was there to ask the treasury counts for a report that came in it only from then on, and before a worker is back', async () => {
    const id = await addNearlyOverdue()
    lending.advance(HOUR_MS)
    await repay(lending, id, usdc(9_000_000_000n))
    lending.advance(2 * HOUR_MS)
    await tick(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await beat()
    await expectHeldFor(id, HOUR_MS)
  })
})

describe('time in which prices were stale', () => {
  test.each([[true], [false]])(
    'time in which prices were stale does not run (rounds: %s)',
    async (hasRounds) => {
      lending = await openHouse({ hasRounds })
      const { id, cureDeadline } = await addWarned({ hasWorker: false })
      lending.priceAgeMs = 301_000
      for (let ticks = 0; ticks < 30; ticks += 1) await tick(lending, 10_000)
      // As if it ended now: it began with the first evaluation.
      expect(await readWarning(lending, id)).toMatchObject({
        cureDeadline: addMs(cureDeadline, 290_000),
        extendedSeconds: 290,
      })
      lending.priceAgeMs = 0
      await tick(lending, 10_000)
      expect(await readWarning(lending, id)).toMatchObject({
        cureDeadline: addMs(cureDeadline, 300_000),
        extendedSeconds: 300,
      })
      await expectSound(lending, id)
    },
  )

  test('time in which prices were stale runs for up to a minute', async () => {
    lending = await openHouse()
    const { id, cureDeadline } = await addWarned({ hasWorker: false })
    lending.priceAgeMs = 301_000
    await tick(lending)
    lending.priceAgeMs = 0
    await tick(lending, MINUTE_MS)
    expect(await readWarning(lending, id)).toMatchObject({ cureDeadline, extendedSeconds: 0 })
  })

  test('time in which prices were stale and no worker ran counts once', async () => {
    lending = await openHouse()
    const { id, cureDeadline } = await addWarned()
    lending.priceAgeMs = 301_000
    await tick(lending)
    lending.advance(10 * MINUTE_MS)
    await beat()
    lending.priceAgeMs = 0
    await tick(lending, MINUTE_MS)
    await beat()
    expect(await readWarning(lending, id)).toMatchObject({
      cureDeadline: addMs(cureDeadline, 11 * MINUTE_MS),
      extendedSeconds: 660,
    })
  })

  test('time without a price for an asset that is held ends with the push that takes the asset away', async () => {
    lending = await openHouse({ isSandbox: true })
    const { id, borrowerId, cureDeadline } = await addWarned({ hasWorker: false })
    lending.market.delete('ETH')
    const unpriced = [...btc(ONE_BTC), { asset: 'ETH', units: 1n }]
    lending.advance(1)
    await pushPortfolio(lending, borrowerId, unpriced)
    await settle(lending)
    await pass(lending, 50 * HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await pushPortfolio(lending, borrowerId, btc(ONE_BTC))
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'OPEN',
      cureDeadline: addMs(cureDeadline, 50 * HOUR_MS),
      extendedSeconds: 180_000,
    })
    await expectSound(lending, id)
  })
})

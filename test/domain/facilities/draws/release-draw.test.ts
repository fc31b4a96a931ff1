import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import { getDraw } from '../../../../src/domain/facilities/draws/draws.ts'
import { releaseDraw, settlePayout } from '../../../../src/domain/facilities/draws/release-draw.ts'
import { checkLedger } from '../../../../src/domain/facilities/ledger/check-ledger.ts'
import { setBorrowerBlock } from '../../../../src/domain/onboarding/borrowers.ts'
import { crashAtEachStep } from '../../../support/lending/crashes.ts'
import { houseForFile } from '../../../support/lending/houses.ts'
import {
  addFacility,
  draw,
  eventsOf,
  pass,
  read,
  settle,
  usd,
  usdc,
} from '../../../support/lending/lending.ts'
import { readEvents } from '../../../support/lending/onboarding.ts'

const lending = houseForFile()
beforeEach(() => {
  lending.market.set('BTC', '100000')
  lending.market.set('USDC', '1')
  lending.onStep = () => undefined
})

const readDraw = (facilityId: string, drawId: string) =>
  getDraw(lending.db, lending.tenantId, facilityId, drawId)

describe('the way of a draw', () => {
  test('a draw is reserved at once, the floor raised, then the money paid and owed', async () => {
    const facility = await addFacility(lending)
    const asked = await draw(lending, facility.id, usd(20_000_00n))
    expect(asked.status).toBe('PENDING')
    expect(await read(lending, facility.id)).toMatchObject({
      reservedCents: 20_000_00n,
      debt: { principalCents: 0n },
    })
    await settle(lending)
    expect(await readDraw(facility.id, asked.id)).toMatchObject({
      status: 'COMPLETED',
      reference: `paid-${asked.id}`,
    })
    const after = await read(lending, facility.id)
    expect(after).toMatchObject({ reservedCents: 0n, debt: { principalCents: 20_000_00n } })
    // 20,000.00 and two days of 10 % (10.9590 → 10.96), over 0.70, up to the cent.
    expect(after.custodianFloorCents).toBe(28_587_09n)
    expect(await eventsOf(lending, asked.id)).toEqual(['draw.completed'])
    expect(await eventsOf(lending, facility.id)).toEqual([
      'facility.decisioned',
      'facility.floor_updated',
    ])
    expect(lending.payments.effects.get(asked.id)).toEqual({
      amount: usd(20_000_00n),
      destination: 'account-4711',
    })
  })

  test('a floor that the custodian refuses fails the draw, and nothing is paid', async () => {
    const facility = await addFacility(lending)
    lending.custodian.next = ['refused']
    const asked = await draw(lending, facility.id, usd(20_000_00n))
    await settle(lending)
    expect(await eventsOf(lending, asked.id)).toEqual(['draw.failed floor_refused'])
    expect(lending.payments.effects.has(asked.id)).toBe(false)
    expect(await read(lending, facility.id)).toMatchObject({ reservedCents: 0n })
  })

  test('a price that fell between request and payout fails the draw', async () => {
    const facility = await addFacility(lending)
    const asked = await draw(lending, facility.id, usd(40_000_00n))
    lending.market.set('BTC', '80000')
    await settle(lending)
    expect(await eventsOf(lending, asked.id)).toEqual(['draw.failed margin'])
    expect(lending.payments.effects.has(asked.id)).toBe(false)
    expect(await read(lending, facility.id)).toMatchObject({ reservedCents: 0n })
  })

  test('a borrower who was blocked between request and payout is not paid', async () => {
    const facility = await addFacility(lending)
    const asked = await draw(lending, facility.id, usd(20_000_00n))
    const { db } = lending
    await inTransaction(db, (tx) =>
      setBorrowerBlock(lending.within(tx), facility.borrowerId, 'court order'),
    )
    await settle(lending)
    expect(await eventsOf(lending, asked.id)).toEqual(['draw.failed borrower_not_eligible'])
    expect(lending.payments.effects.has(asked.id)).toBe(false)
    expect(await read(lending, facility.id)).toMatchObject({ reservedCents: 0n })
  })

  test('a price too old to decide by holds the payout until there is one', async () => {
    const facility = await addFacility(lending)
    const asked = await draw(lending, facility.id, usd(20_000_00n))
    lending.priceAgeMs = 61_000
    await settle(lending)
    expect(await readDraw(facility.id, asked.id)).toMatchObject({ status: 'PENDING' })
    lending.priceAgeMs = 0
    await pass(lending, 5_000)
    expect(await readDraw(facility.id, asked.id)).toMatchObject({ status: 'COMPLETED' })
  })

  test('a draw in USDC that lost its dollar before the payout fails, one in USD is paid', async () => {
    const facility = await addFacility(lending)
    const inUsdc = await draw(lending, facility.id, usdc(20_000_000_000n))
    const inUsd = await draw(lending, facility.id, usd(10_000_00n))
    lending.market.set('USDC', '0.98999999')
    await settle(lending)
    expect(await eventsOf(lending, inUsdc.id)).toEqual(['draw.failed margin'])
    expect(lending.payments.effects.has(inUsdc.id)).toBe(false)
    expect(await eventsOf(lending, inUsd.id)).toEqual(['draw.completed'])
    expect(await read(lending, facility.id)).toMatchObject({
      reservedCents: 0n,
      debt: { principalCents: 10_000_00n },
    })
  })

  test('a payment that is refused fails the draw, which owes nothing', async () => {
    const facility = await addFacility(lending)
    lending.payments.next = ['refused']
    const asked = await draw(lending, facility.id, usd(20_000_00n))
    await settle(lending)
    expect(await eventsOf(lending, asked.id)).toEqual(['draw.failed test_refused'])
    expect(await read(lending, facility.id)).toMatchObject({
      reservedCents: 0n,
      debt: { principalCents: 0n },
    })
  })
})

describe('what providers may do', () => {
  test('a draw waits while providers are down for an hour, and is paid once they are back', async () => {
    const facility = await addFacility(lending)
    lending.custodian.isDown = true
    const asked = await draw(lending, facility.id, usd(20_000_00n))
    await pass(lending, HOUR_MS, HOUR_MS / 12)
    expect(await readDraw(facility.id, asked.id)).toMatchObject({ status: 'PENDING' })
    lending.custodian.isDown = false
    lending.payments.isDown = true
    await pass(lending, HOUR_MS, HOUR_MS / 12)
    expect(await readDraw(facility.id, asked.id)).toMatchObject({ status: 'PENDING' })
    lending.payments.isDown = false
    await pass(lending, HOUR_MS / 2, HOUR_MS / 12)
    expect(await readDraw(facility.id, asked.id)).toMatchObject({ status: 'COMPLETED' })
    expect(await eventsOf(lending, asked.id)).toEqual(['draw.completed'])
  })

  test('a draw with pending answers is done once the providers are', async () => {
    const facility = await addFacility(lending)
    lending.custodian.next = ['pending']
    lending.payments.next = ['pending', 'pending']
    const asked = await draw(lending, facility.id, usd(20_000_00n))
    await pass(lending, 30_000, 5_000)
    expect(await eventsOf(lending, asked.id)).toEqual(['draw.completed'])
    expect(lending.payments.calls.filter((id) => id === asked.id)).toHaveLength(3)
  })

  test('answers that come twice, late or contradicting each other change nothing about a draw after the first', async () => {
    const facility = await addFacility(lending)
    const asked = await draw(lending, facility.id, usd(20_000_00n))
    await settle(lending)
    const before = await read(lending, facility.id)
    const { tenantId, context } = lending
    const refused = { status: 'refused', code: 'late', retryable: false } as const
    await settlePayout(context, tenantId, asked.id, { status: 'done', reference: 'other' })
    await settlePayout(context, tenantId, asked.id, refused)
    expect(await read(lending, facility.id)).toEqual(before)
    expect(await eventsOf(lending, asked.id)).toEqual(['draw.completed'])
  })
})

describe('two workers on one draw', () => {
  test('two workers on one draw at once pay and book it once', async () => {
    const facility = await addFacility(lending)
    const asked = await draw(lending, facility.id, usd(20_000_00n))
    const { context, tenantId } = lending
    await Promise.all([1, 2, 3].map(() => releaseDraw(context, tenantId, asked.id)))
    expect(await eventsOf(lending, asked.id)).toEqual(['draw.completed'])
    expect(await read(lending, facility.id)).toMatchObject({
      reservedCents: 0n,
      debt: { principalCents: 20_000_00n },
    })
  })

  test('a payment that was ordered is never cancelled by a second evaluation of the margin', async () => {
    const facility = await addFacility(lending)
    const asked = await draw(lending, facility.id, usd(40_000_00n))
    const { context, tenantId } = lending
    // The second worker has read the draw before the first ordered its payment, and goes on after.
    const asSecondSaw = Promise.withResolvers<void>()
    let calls = 0
    const slow = {
      ...context,
      custodian: {
        ...context.custodian,
        setFloor: async (call: Parameters<typeof context.custodian.setFloor>[0]) => {
          calls += 1
          await asSecondSaw.promise
          return await context.custodian.setFloor(call)
        },
      },
    }
    const second = releaseDraw(slow, tenantId, asked.id)
    await expect.poll(() => calls).toBe(1)
    lending.payments.next = ['pending']
    await releaseDraw(context, tenantId, asked.id)
    lending.market.set('BTC', '50000')
    asSecondSaw.resolve()
    await second
    await pass(lending, 30_000, 5_000)
    expect(lending.payments.effects.has(asked.id)).toBe(true)
    expect(await eventsOf(lending, asked.id)).toEqual(['draw.completed'])
    expect(await read(lending, facility.id)).toMatchObject({ debt: { principalCents: 40_000_00n } })
  })
})

test('a crash between any two steps: the draw is paid, booked and reported once', async () => {
  await crashAtEachStep(lending, async (crashing) => {
    const facility = await addFacility(lending)
    const asked = await draw(lending, facility.id, usd(20_000_00n))
    await crashing(() => settle(lending))
    await pass(lending, 60_000, 10_000)
    expect(await eventsOf(lending, asked.id)).toEqual(['draw.completed'])
    expect(await read(lending, facility.id)).toMatchObject({
      reservedCents: 0n,
      debt: { principalCents: 20_000_00n },
    })
    expect([...lending.payments.effects.keys()].filter((id) => id === asked.id)).toHaveLength(1)
  })
  expect(await checkLedger(lending.db)).toEqual([])
})

test('20 draws that race never exceed the limit', async () => {
  const facility = await addFacility(lending, { limitCents: 40_000_00n })
  const asked = await Promise.allSettled(
    Array.from({ length: 20 }, () => draw(lending, facility.id, usd(3_000_00n))),
  )
  const accepted = asked.filter(({ status }) => status === 'fulfilled')
  const refusals = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  expect(accepted).toHaveLength(13)
  expect(new Set(refusals)).toEqual(new Set(['credit_limit_exceeded']))
  await settle(lending)
  expect(await read(lending, facility.id)).toMatchObject({
    reservedCents: 0n,
    debt: { principalCents: 39_000_00n },
  })
})

test('20 draws that race never leave the loan-to-value above its maximum', async () => {
  const facility = await addFacility(lending, { limitCents: 48_000_00n })
  lending.market.set('BTC', '50000') // 48,500.00 counts, half of it can be drawn
  const asked = await Promise.allSettled(
    Array.from({ length: 20 }, () => draw(lending, facility.id, usd(3_000_00n))),
  )
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
  const refusals = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  expect(new Set(refusals)).toEqual(new Set(['draws_blocked']))
})

test('no event of the log is out of its sequence', async () => {
  const events = await readEvents(lending.db, lending.tenantId)
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  expect(await checkLedger(lending.db)).toEqual([])
})

import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../../src/core/time.ts'
import { releaseLien } from '../../../../src/domain/facilities/closing/close.ts'
import { settlePayout } from '../../../../src/domain/facilities/draws/release-draw.ts'
import { pushFloor } from '../../../../src/domain/facilities/floors/floors.ts'
import type { Custodian } from '../../../../src/domain/facilities/ports.ts'
import { confirmRepayment } from '../../../../src/domain/repayments/confirm-repayment.ts'
import { createSandboxCustodian } from '../../../../src/providers/sandbox/custodian-sandbox.ts'
import { crashAtEachStep } from '../../../support/lending/crashes.ts'
import { houseForFile } from '../../../support/lending/houses.ts'
import {
  addDrawnFacility,
  addFacility,
  draw,
  eventsOf,
  pass,
  pushPortfolio,
  read,
  repay,
  requestClosing,
  settle,
  usd,
} from '../../../support/lending/lending.ts'

const lending = houseForFile()
beforeEach(() => {
  lending.custodian.next = []
  lending.payments.next = []
})

test('a floor covers the debt as it will be in two days', async () => {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  // 20,000.00 and two days of 10 % (10.9590 → 10.96), over 0.70, up to the cent.
  expect(await read(lending, id)).toMatchObject({ custodianFloorCents: 28_587_09n })
})

test('the floor of a first draw counts interest from the draw, not from the application', async () => {
  const facility = await addFacility(lending)
  await pass(lending, 100 * DAY_MS, 50 * DAY_MS)
  await pushPortfolio(lending, facility.borrowerId)
  await draw(lending, facility.id, usd(20_000_00n))
  await settle(lending)
  expect(await read(lending, facility.id)).toMatchObject({ custodianFloorCents: 28_587_09n })
})

test('a floor is pushed every day, as interest grows, and no more often', async () => {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  const before = await read(lending, id)
  await pass(lending, 40 * DAY_MS, DAY_MS)
  const after = await read(lending, id)
  expect(after.custodianFloorCents).toBeGreaterThan(before.custodianFloorCents)
  // Debt after 40 days: 20,000.00 and 219.18 of interest (20,000 · 0.10 · 40 / 365 = 219.178…).
  expect(after.custodianFloorCents).toBeGreaterThanOrEqual((20_219_18n * 10n) / 7n)
  const pushes = await eventsOf(lending, id)
  expect(pushes).toHaveLength(1 + 1 + 40)
})

test('a floor follows every draw and repayment, however small', async () => {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  await draw(lending, id, usd(1_00n))
  await settle(lending)
  // 20,001.00 and two days of 10 % (10.9595… → 10.96), over 0.70, up to the cent.
  expect(await read(lending, id)).toMatchObject({ custodianFloorCents: 28_588_52n })
  await repay(lending, id, usd(1_00n))
  await settle(lending)
  expect(await read(lending, id)).toMatchObject({ custodianFloorCents: 28_587_09n })
})

test('a floor is not pushed again by evaluations, nor by a draw that is retried', async () => {
  const facility = await addFacility(lending)
  const { id } = facility
  await draw(lending, id, usd(20_000_00n))
  lending.priceAgeMs = 61_000
  await pass(lending, 60_000, 5_000)
  const waiting = await read(lending, id)
  expect(waiting).toMatchObject({ reservedCents: 20_000_00n, floorSequence: 1n })
  lending.priceAgeMs = 0
  await pass(lending, 5_000)
  for (let round = 0; round < 5; round += 1) {
    lending.advance(HOUR_MS)
    const answer = await pushFloor(lending.context, lending.tenantId, id, 'update')
    expect(answer).toEqual({ status: 'done' })
  }
  expect(await read(lending, id)).toMatchObject({ reservedCents: 0n, floorSequence: 2n })
})

test('a floor is not evaluated forever once nothing is owed', async () => {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  await repay(lending, id, usd(20_000_00n))
  await settle(lending)
  expect(await read(lending, id)).toMatchObject({ custodianFloorCents: 0n })
  await pass(lending, 2 * DAY_MS, DAY_MS)
  const deadlines = await lending.db
    .selectFrom('work')
    .select('topic')
    .where('subject_id', '=', id)
    .execute()
  expect(deadlines).toEqual([])
})

test('the floor of a draw that failed is lowered without waiting a day', async () => {
  const facility = await addFacility(lending)
  lending.payments.next = ['refused']
  await draw(lending, facility.id, usd(20_000_00n))
  await settle(lending)
  expect(await read(lending, facility.id)).toMatchObject({ custodianFloorCents: 0n })
})

test('a floor follows a push that was answered late, so that none stays higher than the debt needs', async () => {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  lending.custodian.next = ['pending', 'pending']
  const second = await draw(lending, id, usd(10_000_00n))
  await settle(lending) // the raised floor is under way
  const refused = { status: 'refused', code: 'test', retryable: false } as const
  await settlePayout(lending.context, lending.tenantId, second.id, refused)
  await pass(lending, 30_000, 5_000)
  expect((await read(lending, id)).custodianFloorCents).toBeLessThan(28_590_00n)
  expect(await read(lending, id)).toMatchObject({ reservedCents: 0n })
})

test('a floor is not pushed once the facility is closed, though a push was in progress', async () => {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  lending.custodian.next = ['pending']
  await repay(lending, id, usd(20_000_00n))
  await settle(lending)
  await requestClosing(lending, id)
  await settle(lending)
  await pass(lending, 60_000, 10_000)
  expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', custodianFloorCents: 0n })
  expect((await eventsOf(lending, id)).at(-1)).toBe('facility.closed')
  expect(lending.custodian.calls.filter((call) => call.startsWith(id)).at(-1)).toContain('/lien/')
})

describe('that reaches the custodian late', () => {
  /** Begins a push that does not arrive before it is released. */
  function beginLatePush(facilityId: string, custodian: Custodian) {
    const arrival = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const slow: Custodian = {
      ...custodian,
      async setFloor(call) {
        begun.resolve()
        await arrival.promise
        return await custodian.setFloor(call)
      },
    }
    const context = { ...lending.context, custodian: slow }
    const pushed = pushFloor(context, lending.tenantId, facilityId, 'update')
    return { begun: begun.promise, arrive: arrival.resolve, pushed }
  }

  /** Owes half, with its floor being pushed, then nothing, and closes. */
  async function closeDuringPush(custodian: Custodian) {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const context = { ...lending.context, custodian }
    const { tenantId } = lending
    const half = await repay(lending, id, usd(10_000_00n))
    await confirmRepayment(context, tenantId, half.id)
    const late = beginLatePush(id, custodian)
    await late.begun
    const rest = await repay(lending, id, usd(10_000_00n))
    await confirmRepayment(context, tenantId, rest.id)
    await requestClosing(lending, id)
    await releaseLien(context, tenantId, id)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED' })
    late.arrive()
    await late.pushed
    return id
  }

  test('a floor that reaches the custodian late never restores a lien that was released meanwhile', async () => {
    const id = await closeDuringPush(lending.context.custodian)
    expect(lending.liens.get(id)).toEqual({ sequence: 3n, floorCents: undefined })
    expect(await read(lending, id)).toMatchObject({
      custodianFloorCents: 0n,
      custodianSequence: 3n,
    })
    expect((await eventsOf(lending, id)).at(-1)).toBe('facility.closed')
  })

  test("a late floor is refused by the sandbox's custodian once the lien is released", async () => {
    const { db, prices, context } = lending
    const id = await closeDuringPush(createSandboxCustodian(db, prices, context.clockFor))
    const lien = await db
      .selectFrom('sandbox_liens')
      .select(['sequence', 'floor_cents'])
      .where('facility_id', '=', id)
      .executeTakeFirst()
    expect(lien).toEqual({ sequence: 3n, floor_cents: null })
  })

  test('a late floor fails no draw where a newer one holds more', async () => {
    const { id } = await addDrawnFacility(lending, usd(10_000_00n))
    const first = await draw(lending, id, usd(5_000_00n))
    const late = beginLatePush(id, lending.context.custodian)
    await late.begun
    const second = await draw(lending, id, usd(5_000_00n))
    await settle(lending)
    late.arrive()
    expect(await late.pushed).toEqual({ status: 'done' })
    for (const { id: drawId } of [first, second]) {
      expect(await eventsOf(lending, drawId)).toEqual(['draw.completed'])
    }
    expect(lending.liens.get(id)).toMatchObject({ sequence: 3n })
  })
})

test('a floor that is refused for now is requested again under a new number', async () => {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  lending.custodian.next = ['refused']
  await repay(lending, id, usd(10_000_00n))
  await settle(lending)
  expect(await read(lending, id)).toMatchObject({ custodianFloorCents: 28_587_09n })
  await pass(lending, 60_000)
  // 10,000.00 with 5.48 of interest in two days.
  expect((await read(lending, id)).custodianFloorCents).toBeLessThan(14_300_00n)
  expect(lending.custodian.calls.filter((call) => call.startsWith(id))).toEqual([
    `${id}/floor/1`,
    `${id}/floor/2`,
    `${id}/floor/3`,
  ])
})

test('a crash between any two steps of a push leaves one event for each floor', async () => {
  await crashAtEachStep(lending, async (crashing) => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    await repay(lending, id, usd(10_000_00n))
    await crashing(() => settle(lending))
    await pass(lending, 60_000, 10_000)
    expect(await eventsOf(lending, id)).toEqual([
      'facility.decisioned',
      'facility.floor_updated',
      'facility.floor_updated',
    ])
  })
})

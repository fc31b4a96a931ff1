import { beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../src/core/time.ts'
import { releaseLien } from '../../../src/domain/facilities/closing/close.ts'
import { pushFloor } from '../../../src/domain/facilities/floors/floors.ts'
import { checkLedger } from '../../../src/domain/facilities/ledger/check-ledger.ts'
import { payRefund } from '../../../src/domain/facilities/refunds/pay-refund.ts'
import { underwriteFacility } from '../../../src/domain/facilities/underwriting/underwriting.ts'
import type { JobContext } from '../../../src/jobs/job-context.ts'
import { crashAtEachStep } from '../../support/lending/crashes.ts'
import { houseForFile } from '../../support/lending/houses.ts'
import {
  addEligibleBorrower,
  applyFor,
  draw,
  eventsOf,
  pass,
  pushPortfolio,
  read,
  repay,
  requestClosing,
  settle,
  usd,
} from '../../support/lending/lending.ts'

const lending = houseForFile({ policy: { requireControl: true } })
beforeEach(() => {
  lending.custodian.next = []
  lending.payments.next = []
})

type Ask = (call: unknown) => Promise<unknown>

/** Providers that answer at once, with answers that arrive when they are released. */
function holdAnswers() {
  const arrivals: (() => void)[] = []
  const hold = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, name) => async (call: unknown) => {
        const answer = await Reflect.apply(Reflect.get(target, name) as Ask, target, [call])
        const arrival = Promise.withResolvers<void>()
        arrivals.push(arrival.resolve)
        await arrival.promise
        return answer
      },
    })
  const { context } = lending
  const { custodian, payments } = context
  const held = { ...context, custodian: hold(custodian), payments: hold(payments) } as JobContext
  return { held, arrivals }
}

/**
 * Has three workers ask the same of a provider, and everything end by a fourth while their answers
 * are on the way. They arrive afterwards, the last first, and change nothing.
 */
async function expectLateAnswersIgnored(
  facilityId: string,
  run: (context: JobContext) => Promise<unknown>,
  goOn: () => Promise<void>,
): Promise<void> {
  const { held, arrivals } = holdAnswers()
  const runs = [run(held), run(held), run(held)]
  await expect.poll(() => arrivals.length).toBe(3)
  await goOn()
  const before = await stateOf(facilityId)
  for (const arrive of arrivals.toReversed()) arrive()
  await Promise.all(runs)
  expect(await stateOf(facilityId)).toEqual(before)
}

/** All that an answer could change: the facility, its events, and what was moved. */
async function stateOf(facilityId: string) {
  const refunds = await lending.db
    .selectFrom('refunds')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .orderBy('refund_id')
    .execute()
  return {
    facility: await read(lending, facilityId),
    events: await eventsOf(lending, facilityId),
    refunds,
    lien: lending.liens.get(facilityId),
    paid: lending.payments.effects.size,
    disagreements: await checkLedger(lending.db),
  }
}

async function apply(): Promise<string> {
  const borrowerId = await addEligibleBorrower(lending)
  await pushPortfolio(lending, borrowerId)
  return (await applyFor(lending, borrowerId, 40_000_00n, 'custody-1')).id
}

async function addDrawn(cents: bigint): Promise<string> {
  const id = await apply()
  await settle(lending)
  await draw(lending, id, usd(cents))
  await settle(lending)
  return id
}

const close = async (id: string) => await requestClosing(lending, id)

describe('answers that come twice, late and out of order change nothing', () => {
  test('late and repeated answers about a floor change nothing, acknowledged or overtaken', async () => {
    const id = await addDrawn(20_000_00n)
    await repay(lending, id, usd(5_000_00n))
    lending.custodian.isDown = true
    await settle(lending)
    lending.custodian.isDown = false
    await expectLateAnswersIgnored(
      id,
      (context) => pushFloor(context, lending.tenantId, id, 'update'),
      async () => {
        await pass(lending, MINUTE_MS)
        await repay(lending, id, usd(5_000_00n))
        await settle(lending)
      },
    )
    expect(lending.liens.get(id)?.sequence).toBe(3n)
  })

  test('late and repeated answers about a floor that was refused and requested again change nothing', async () => {
    const id = await addDrawn(20_000_00n)
    await repay(lending, id, usd(5_000_00n))
    lending.custodian.isDown = true
    await settle(lending)
    lending.custodian.isDown = false
    lending.custodian.next = ['refused']
    await expectLateAnswersIgnored(
      id,
      (context) => pushFloor(context, lending.tenantId, id, 'update'),
      () => pass(lending, 5 * MINUTE_MS, MINUTE_MS),
    )
    expect(lending.liens.get(id)?.sequence).toBe(3n)
  })

  test.each([
    ['done', []],
    ['refused', ['refused'] as const],
  ])(
    'late and repeated answers about the release of a lien that was %s at first change nothing',
    async (_, next) => {
      const id = await addDrawn(1_000_00n)
      await repay(lending, id, usd(1_000_00n))
      await settle(lending)
      await close(id)
      lending.custodian.next = [...next]
      await expectLateAnswersIgnored(
        id,
        (context) => releaseLien(context, lending.tenantId, id),
        () => pass(lending, 2 * MINUTE_MS, MINUTE_MS),
      )
      expect(await read(lending, id)).toMatchObject({ state: 'CLOSED' })
    },
  )

  test.each([
    ['confirmed', [], 'APPROVED'],
    ['denied', ['denied'] as const, 'DECLINED'],
  ])(
    'late and repeated answers about the control of an account that is %s change nothing',
    async (_, next, state) => {
      const id = await apply()
      lending.custodian.next = [...next]
      await expectLateAnswersIgnored(
        id,
        (context) => underwriteFacility(context, lending.tenantId, id),
        () => settle(lending),
      )
      expect(await read(lending, id)).toMatchObject({ state })
      expect(await eventsOf(lending, id)).toEqual(['facility.decisioned'])
    },
  )

  test.each([
    ['done', []],
    ['refused', ['refused'] as const],
  ])(
    'late and repeated answers about the payment of a refund that was %s at first change nothing',
    async (_, next) => {
      const { id } = await addOwingBack()
      const { refund_id: refundId } = await lending.db
        .selectFrom('refunds')
        .select('refund_id')
        .where('facility_id', '=', id)
        .executeTakeFirstOrThrow()
      lending.payments.next = [...next]
      await expectLateAnswersIgnored(
        id,
        (context) => payRefund(context, lending.tenantId, refundId),
        () => pass(lending, 5 * MINUTE_MS, MINUTE_MS),
      )
      expect(await read(lending, id)).toMatchObject({ refundDueCents: 0n })
      const paid = [...lending.payments.effects.keys()].filter((call) => call.startsWith(refundId))
      expect(paid).toHaveLength(1)
    },
  )

  /** Owes 500.00 back, which the treasury has been too busy to pay. */
  async function addOwingBack() {
    const id = await addDrawn(1_000_00n)
    lending.payments.next = ['done', 'down']
    await repay(lending, id, usd(1_500_00n))
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ refundDueCents: 500_00n })
    return { id }
  }
})

test('a crash between any two steps of underwriting decides it once', async () => {
  await crashAtEachStep(lending, async (crashing) => {
    const id = await apply()
    await crashing(() => settle(lending))
    await pass(lending, MINUTE_MS, 10_000)
    expect(await read(lending, id)).toMatchObject({ state: 'APPROVED' })
    expect(await eventsOf(lending, id)).toEqual(['facility.decisioned'])
  })
})

import { describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { lockFacility } from '../../../src/domain/facilities/locked-facility.ts'
import { escalateWarning } from '../../../src/domain/margin/calls/escalate.ts'
import { sellCollateral } from '../../../src/domain/margin/calls/sell-collateral.ts'
import { changeFacility } from '../../../src/domain/margin/change-facility.ts'
import { evaluateFacility, evaluateTenant } from '../../../src/domain/margin/evaluation/evaluate.ts'
import { confirmRepayment } from '../../../src/domain/repayments/confirm-repayment.ts'
import { houseForEachTest } from '../../support/lending/houses.ts'
import { pass, pushPortfolio, repay, settle, usd } from '../../support/lending/lending.ts'
import {
  addBorrowed,
  addCritical,
  expectSound,
  holdPrice,
  marginEvents,
  ONE_BTC,
  ordersOf,
  readCalls,
  readWarning,
} from '../../support/lending/margin.ts'

const lending = houseForEachTest({ maxConnections: 20 })

const ROUNDS = 6

const evaluate = (id: string, trigger: 'price' | 'collateral' | 'repayment' = 'price') =>
  evaluateFacility(
    lending.db,
    lending.context,
    { tenantId: lending.tenantId, facilityId: id },
    { ...lending.instant(), trigger },
  )
const evaluateAll = () =>
  evaluateTenant(lending.db, lending.context, lending.tenantId, lending.instant())
const escalate = (id: string) => escalateWarning(lending.context, lending.tenantId, id)
const sell = (id: string) => sellCollateral(lending.context, lending.tenantId, id)

test('a facility with a held lock keeps no other from being warned', async () => {
  const [one, other] = [await addBorrowed(lending), await addBorrowed(lending)]
  lending.market.set('BTC', '68000')
  lending.advance(MINUTE_MS)
  const locked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = inTransaction(lending.db, async (tx) => {
    await lockFacility(lending.within(tx), one.id)
    locked.resolve()
    await held.promise
  })
  await locked.promise
  await expect(evaluateAll()).rejects.toThrow(`1 not evaluated: ${one.id}`)
  expect(await marginEvents(lending, other.id)).toEqual(['warning.raised 1'])
  held.resolve()
  await holding
  await evaluateAll()
  expect(await marginEvents(lending, one.id)).toEqual(['warning.raised 1'])
})

describe('concurrent workers and requests have one outcome', () => {
  test('workers that evaluate one facility at once raise one warning, reported once', async () => {
    const { id } = await addBorrowed(lending)
    lending.market.set('BTC', '68000')
    lending.advance(MINUTE_MS)
    await Promise.all(Array.from({ length: 8 }, (_, at) => (at % 2 ? evaluate(id) : evaluateAll())))
    await settle(lending)
    expect(await marginEvents(lending, id)).toEqual(['warning.raised 1'])
    await expectSound(lending, id)
  })

  test('workers that escalate and sell at once make one call, and sell each order once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await addCritical(lending)
      await evaluate(id)
      await Promise.all([escalate(id), escalate(id), escalate(id), evaluate(id)])
      expect(await readCalls(lending, id)).toHaveLength(1)
      await Promise.all([sell(id), sell(id), sell(id), evaluate(id)])
      await settle(lending)
      await pass(lending, MINUTE_MS, 20_000)
      const [call] = await readCalls(lending, id)
      expect(call).toMatchObject({ status: 'COMPLETED', outcome: 'partial' })
      expect(ordersOf(lending, id)).toHaveLength(1)
      expect(await marginEvents(lending, id)).toEqual([
        'warning.raised 1',
        'warning.escalated 1',
        'call.started 1',
        'call.completed 1',
      ])
      await expectSound(lending, id)
    }
  })

  test('a cure in time that races the deadline cures', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await addBorrowed(lending)
      await holdPrice(lending, '68000')
      await pass(lending, 48 * HOUR_MS)
      const reported = await repay(lending, id, usd(9_000_00n))
      lending.advance(1)
      const { context, tenantId } = lending
      await Promise.all([
        confirmRepayment(context, tenantId, reported.id),
        evaluate(id),
        escalate(id),
        evaluateAll(),
      ])
      await settle(lending)
      expect(await readWarning(lending, id)).toMatchObject({
        status: 'CURED',
        curedBy: 'repayment',
      })
      await expectSound(lending, id)
    }
  })

  test('a repayment reported after the deadline that races the escalation is escalated first or cures, never both', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await addBorrowed(lending)
      await holdPrice(lending, '68000')
      lending.advance(48 * HOUR_MS + 1)
      await Promise.all([
        evaluate(id).then(() => escalate(id)),
        repay(lending, id, usd(9_000_00n)).then(() => settle(lending)),
      ])
      await settle(lending)
      await pass(lending, MINUTE_MS, 20_000)
      const { status } = await readWarning(lending, id)
      const calls = await readCalls(lending, id)
      if (status === 'CURED') expect(calls).toEqual([])
      else expect(calls).toMatchObject([{ status: 'COMPLETED' }])
      await expectSound(lending, id)
    }
  })

  test('a push that races a tick counts, and what they find is reported once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, borrowerId } = await addBorrowed(lending)
      await holdPrice(lending, '68000')
      lending.advance(1)
      await Promise.all([
        pushPortfolio(lending, borrowerId, [{ asset: 'BTC', units: 2n * ONE_BTC }]).then(() =>
          evaluate(id, 'collateral'),
        ),
        evaluateAll(),
        evaluate(id),
      ])
      await settle(lending)
      expect(await marginEvents(lending, id)).toEqual(['warning.raised 1', 'warning.cured 1'])
      await expectSound(lending, id)
    }
  })

  test('requests that settle a passed deadline and the handler of that deadline make one escalation', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    lending.advance(48 * HOUR_MS + 1)
    const request = () => inTransaction(lending.db, (tx) => changeFacility(lending.within(tx), id))
    await Promise.all([
      request(),
      pushPortfolio(lending, borrowerId),
      evaluate(id),
      settle(lending),
    ])
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    expect(await readCalls(lending, id)).toHaveLength(1)
    await expectSound(lending, id)
  })
})

import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../../src/core/time.ts'
import { totalDebtCents } from '../../../../src/domain/facilities/ledger/debt.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import {
  dataOf,
  pass,
  pushPortfolio,
  read,
  repay,
  settle,
  usd,
} from '../../../support/lending/lending.ts'
import {
  addBorrowed,
  btc,
  expectSound,
  holdPrice,
  readWarning,
  readWarnings,
} from '../../../support/lending/margin.ts'

const lending = houseForEachTest({ hasRounds: false })
/** No rounds of prices come by: what interest alone does is seen in time, or not at all. */

test('a debt in breach that is too small to be warned about is warned about as soon as it has grown to ten dollars', async () => {
  const { id, borrowerId } = await addBorrowed(lending)
  await repay(lending, id, usd(47_990_03n))
  await settle(lending)
  lending.advance(1)
  // Worth 13.58, on which 9.97 is a breach.
  await pushPortfolio(lending, borrowerId, btc(14_000n))
  await settle(lending)
  await pass(lending, 7 * DAY_MS, DAY_MS)
  expect(await readWarnings(lending, id)).toEqual([])
  await pass(lending, 12 * HOUR_MS, HOUR_MS)
  const { status, raisedAt } = await readWarning(lending, id)
  expect(status).toBe('OPEN')
  const { debt } = await read(lending, id)
  expect(totalDebtCents(debt, raisedAt)).toBe(10_00n)
  await expectSound(lending, id)
})

describe('a reported repayment that holds the escalation', () => {
  test('a reported repayment that holds the escalation holds no longer when interest alone carries the debt above critical', async () => {
    const { id } = await addBorrowed(lending)
    // Critical from 48,004.09 on, which is some seven hours away.
    await holdPrice(lending, '59625')
    lending.payments.isDown = true
    await repay(lending, id, usd(20_000_00n))
    await pass(lending, 6 * HOUR_MS, HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN', tier: 3 })
    await pass(lending, 3 * HOUR_MS, HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    expect(await dataOf(lending, 'margin_warning.escalated', id)).toMatchObject({
      reason: 'critical',
    })
    await expectSound(lending, id)
  })

  test('a reported repayment that holds the escalation holds no longer when interest alone has made it too little to clear the floor', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await pass(lending, 48 * HOUR_MS)
    // 39,574.82 would be left, and 39,576.00 clears the floor: some two hours of interest.
    lending.payments.isDown = true
    await repay(lending, id, usd(8_451_50n))
    await pass(lending, HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await pass(lending, 3 * HOUR_MS, HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    expect(await dataOf(lending, 'margin_warning.escalated', id)).toMatchObject({
      reason: 'deadline',
    })
    await expectSound(lending, id)
  })
})

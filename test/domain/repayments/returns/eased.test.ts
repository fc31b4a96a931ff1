import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import { read, repay, settle, usd } from '../../../support/lending/lending.ts'
import {
  addBorrowed,
  expectSound,
  holdPrice,
  marginEvents,
  ordersOf,
  readCalls,
  readWarning,
  tick,
} from '../../../support/lending/margin.ts'
import { bringBack, callBack, giveBack } from '../../../support/lending/returns.ts'

const lending = houseForEachTest()

/** 48,000.00 over one bitcoin, of which so much is repaid. */
async function addRepaid(cents: bigint): Promise<{ id: string; receipt: string }> {
  const { id } = await addBorrowed(lending)
  const { id: receipt } = await repay(lending, id, usd(cents))
  await settle(lending)
  return { id, receipt }
}

test('a warning that a return raises has two hours, though it is critical at once, and escalates then', async () => {
  const { id, receipt } = await addRepaid(20_000_00n)
  await holdPrice(lending, '55000')
  expect(await marginEvents(lending, id)).toEqual([])
  const bookedAt = lending.now()
  await giveBack(lending, receipt)
  const warning = await readWarning(lending, id, 1)
  expect(warning).toMatchObject({ status: 'OPEN', tier: 3 })
  expect(warning.cureDeadline.getTime() - bookedAt.getTime()).toBeGreaterThanOrEqual(2 * HOUR_MS)
  await tick(lending, 2 * HOUR_MS - 2 * MINUTE_MS)
  expect(await readWarning(lending, id, 1)).toMatchObject({ status: 'OPEN' })
  expect(ordersOf(lending, id)).toEqual([])
  await expectSound(lending, id)
  await tick(lending, 4 * MINUTE_MS)
  await tick(lending, MINUTE_MS)
  expect(await readWarning(lending, id, 1)).toMatchObject({ status: 'ESCALATED' })
  expect((await readCalls(lending, id)).length).toBe(1)
  await expectSound(lending, id)
})

test('a call under way sells nothing for a return: what it leaves is for the next warning', async () => {
  const { id, receipt } = await addRepaid(5_000_00n)
  lending.fills = ['pending']
  await holdPrice(lending, '50000')
  const [first] = await readCalls(lending, id)
  expect(first?.status).not.toBe('COMPLETED')
  await bringBack(lending, receipt)
  await callBack(lending, receipt)
  await tick(lending, MINUTE_MS)
  await tick(lending, MINUTE_MS)
  expect((await readCalls(lending, id))[0]).toMatchObject({ status: 'COMPLETED' })
  // The order that was placed before is enough for the debt without it.
  expect(ordersOf(lending, id)).toHaveLength(1)
  expect((await read(lending, id)).debt.principalCents).toBeGreaterThan(0n)
  await tick(lending, MINUTE_MS)
  expect(await readWarning(lending, id, 2)).toMatchObject({ status: 'OPEN' })
  await expectSound(lending, id)
})

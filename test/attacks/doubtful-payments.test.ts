import { expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS } from '../../src/core/time.ts'
import { measurePayments } from '../../src/domain/facilities/doubts/doubts.ts'
import { houseForEachTest } from '../support/lending/houses.ts'
import {
  addDrawnFacility,
  addFacility,
  announce,
  draw,
  pass,
  report,
  settle,
  usd,
} from '../support/lending/lending.ts'
import { callBack, giveBack } from '../support/lending/returns.ts'

const lending = houseForEachTest()

const measured = () => measurePayments(lending.db, lending.now())

test('a payout, a refund and a receipt past its date that get no final answer are measured from their instant', async () => {
  const { id } = await addFacility(lending)
  const { payments } = lending.context
  const { payOut, confirmReceipt } = payments
  const pending = async () => ({
    status: 'pending' as const,
    askAgainAt: addMs(lending.now(), HOUR_MS),
  })
  payments.payOut = pending
  await draw(lending, id, usd(1_000_00n))
  await settle(lending)
  expect(await measured()).toEqual({ doubt: 0, payment: 0 })
  await pass(lending, DAY_MS, 12 * HOUR_MS)
  expect(await measured()).toEqual({ doubt: 0, payment: DAY_MS })
  payments.payOut = payOut
  await pass(lending, HOUR_MS)
  expect(await measured()).toEqual({ doubt: 0, payment: 0 })

  payments.payOut = pending
  const announced = await announce(lending, id, usd(2_000_00n))
  lending.finalAt.set('wire', addMs(lending.now(), 10 * DAY_MS))
  await report(lending, announced, 'wire')
  await settle(lending)
  payments.confirmReceipt = pending
  await pass(lending, 9 * DAY_MS, DAY_MS)
  expect(await measured()).toEqual({ doubt: 0, payment: 0 })
  await pass(lending, 3 * DAY_MS, HOUR_MS * 12)
  expect(await measured()).toEqual({ doubt: 0, payment: 2 * DAY_MS })
  // Final at last, its refund is ordered, and gets no answer.
  payments.confirmReceipt = confirmReceipt
  await pass(lending, HOUR_MS)
  const { payment } = await measured()
  expect(payment).toBe(2 * DAY_MS + HOUR_MS)
  payments.payOut = payOut
  await pass(lending, HOUR_MS)
  expect(await measured()).toEqual({ doubt: 0, payment: 0 })
})

test('an answer that does not balance is measured until a later one clears it', async () => {
  const { id } = await addDrawnFacility(lending, usd(1_000_00n))
  const { id: paid } = await report(lending, await announce(lending, id, usd(500_00n)))
  await settle(lending)
  await giveBack(lending, paid, { amount: usd(400_00n) })
  await pass(lending, 2 * HOUR_MS)
  expect(await measured()).toEqual({ doubt: 2 * HOUR_MS, payment: 0 })
  lending.returned.clear()
  await callBack(lending, paid)
  expect(await measured()).toEqual({ doubt: 0, payment: 0 })
})

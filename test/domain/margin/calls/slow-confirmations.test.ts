import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../../../src/core/time.ts'
import { sellCollateral } from '../../../../src/domain/margin/calls/sell-collateral.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import { pass, pushPortfolio, settle } from '../../../support/lending/lending.ts'
import {
  addCritical,
  btc,
  expectSound,
  holdPrice,
  ONE_BTC,
  readCalls,
  readWarning,
  tick,
} from '../../../support/lending/margin.ts'
import { slowPositions } from '../../../support/lending/slow-custodian.ts'

const lending = houseForEachTest()

test('a custodian that takes its time over every question is heard: the warning escalates and the collateral is sold', async () => {
  const { id } = await addCritical(lending)
  const callIds = slowPositions(lending, 20_000)
  await tick(lending)
  await pass(lending, 5 * MINUTE_MS, 5_000)
  expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
  expect(await readCalls(lending, id)).toMatchObject([{ status: 'COMPLETED', outcome: 'partial' }])
  // Of the escalation, and before and after the order: each asked until it was answered.
  expect(new Set(callIds)).toEqual(new Set([`${id}/escalation/1`, `${id}/sale/1`, `${id}/sale/2`]))
  await expectSound(lending, id)
})

test('a question that could not be put, and one that was answered, have different ids', async () => {
  const { id } = await addCritical(lending)
  const { custodian } = lending.context
  const { positions } = custodian
  const callIds: string[] = []
  const answers = ['down', 'down', 'refused', 'done']
  custodian.positions = async (call) => {
    callIds.push(call.callId)
    const answer = answers.shift()
    if (answer === 'down') throw new Error('down')
    if (answer === 'refused') return { status: 'refused', code: 'test_refused', retryable: true }
    return await positions(call)
  }
  await tick(lending)
  await pass(lending, MINUTE_MS, 1_000)
  expect(callIds.slice(0, 4)).toEqual([
    `${id}/escalation/1`,
    `${id}/escalation/1`,
    `${id}/escalation/1`,
    `${id}/escalation/2`,
  ])
})

test('a request to the custodian about one warning answers nothing about the next', async () => {
  const { id, borrowerId } = await addCritical(lending)
  const callIds = slowPositions(lending, 30 * MINUTE_MS)
  await tick(lending)
  expect(callIds).toEqual([`${id}/escalation/1`])
  await pushPortfolio(lending, borrowerId, btc(2n * ONE_BTC))
  await pass(lending, 31 * MINUTE_MS, MINUTE_MS)
  expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED' })
  lending.advance(MINUTE_MS)
  await pushPortfolio(lending, borrowerId, btc(ONE_BTC))
  await settle(lending)
  await holdPrice(lending, '59000')
  expect(await readWarning(lending, id, 2)).toMatchObject({ tier: 3, status: 'OPEN' })
  expect(callIds).toContain(`${id}/escalation/2`)
})

test('a worker past its lease does not plan by positions of before a fill', async () => {
  const { id } = await addCritical(lending)
  lending.fills = ['down', { units: (ONE_BTC * 2_348n) / 10_000n }]
  await tick(lending)
  expect(await readCalls(lending, id)).toMatchObject([{ status: 'SELLING', sold: [] }])
  lending.advance(5_000)
  const { context, tenantId } = lending
  const { custodian } = context
  let hasBeenHeldUp = false
  const positions: typeof custodian.positions = async (call) => {
    const answer = await custodian.positions(call)
    if (hasBeenHeldUp) return answer
    hasBeenHeldUp = true
    // Meanwhile another worker has the order filled and books it, and dies as it asks what is left.
    let asked = 0
    const dying: typeof custodian.positions = async (again) => {
      asked += 1
      if (asked > 1) throw new Error('killed')
      return await custodian.positions(again)
    }
    const other = { ...context, custodian: { ...custodian, positions: dying } }
    await expect(sellCollateral(other, tenantId, id)).rejects.toThrow('killed')
    return answer
  }
  await sellCollateral({ ...context, custodian: { ...custodian, positions } }, tenantId, id)
  await pass(lending, 2 * MINUTE_MS, 5_000)
  const [call] = await readCalls(lending, id)
  expect(call).toMatchObject({ status: 'COMPLETED', outcome: 'partial' })
  const sold = call?.sold.reduce((sum, { units }) => sum + units, 0n) ?? 0n
  // One order more than the one that was filled in part: what was left by then did not clear.
  expect(sold).toBeGreaterThan((ONE_BTC * 2_348n) / 10_000n)
  await expectSound(lending, id)
})

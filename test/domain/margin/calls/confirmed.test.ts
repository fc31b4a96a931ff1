import { describe, expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import type { PortfolioSource } from '../../../../src/db/schema/collateral.ts'
import { choosePortfolioSource } from '../../../../src/domain/facilities/custody/change-source.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import { dataOf, pass, pushPortfolio, settle } from '../../../support/lending/lending.ts'
import {
  addBorrowed,
  btc,
  expectSound,
  holdPrice,
  marginEvents,
  ONE_BTC,
  readCalls,
  readWarning,
  readWarnings,
  tick,
} from '../../../support/lending/margin.ts'

const lending = houseForEachTest()

/** One push in which nine tenths of what the custodian holds are missing. */
async function pushTooLittle(borrowerId: string): Promise<void> {
  lending.held.set(borrowerId, btc(ONE_BTC))
  lending.advance(1)
  await pushPortfolio(lending, borrowerId, btc(ONE_BTC / 10n))
  await settle(lending)
}

/** The same, about which the custodian is silent for the minute after which it stands. */
async function pushInSilence(borrowerId: string): Promise<void> {
  lending.custodian.isDown = true
  await pushTooLittle(borrowerId)
  await pass(lending, MINUTE_MS)
  lending.custodian.isDown = false
}

/** How often the custodian is asked what an account holds. */
function countQuestions(): () => number {
  const { custodian } = lending.context
  const { positions } = custodian
  let asked = 0
  custodian.positions = async (call) => {
    asked += 1
    return await positions(call)
  }
  return () => asked
}

describe('one push that lacks the collateral', () => {
  test.each(['78000', '71000', '61900'])(
    'one push that lacks the collateral sells no collateral, at %s a bitcoin',
    async (price) => {
      const { id, borrowerId } = await addBorrowed(lending)
      await holdPrice(lending, price)
      await pushTooLittle(borrowerId)
      for (let ticks = 0; ticks < 6; ticks += 1) await tick(lending, 10_000)
      lending.advance(1)
      await pushPortfolio(lending, borrowerId, btc(ONE_BTC))
      await settle(lending)
      const warnings = price === '61900' ? [{ status: 'OPEN', tier: 2 }] : []
      expect(await readWarnings(lending, id)).toMatchObject(warnings)
      expect(await readCalls(lending, id)).toEqual([])
      await expectSound(lending, id)
    },
  )

  test('one push that lacks the collateral leaves an open warning the time of the worst tier, though it shows none left', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await pass(lending, HOUR_MS)
    await pushInSilence(borrowerId)
    const foundAt = lending.now()
    expect(await readWarning(lending, id)).toMatchObject({ tier: 3, cureDeadline: foundAt })
    await pass(lending, 2 * HOUR_MS, 10 * MINUTE_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN', cureDeadline: foundAt })
    expect(await marginEvents(lending, id)).toEqual(['warning.raised 1', 'warning.raised 1'])
    await expectSound(lending, id)
  })

  test('one push that lacks the collateral ends by the window, by itself, where what the custodian holds is short of the floor too', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await pushInSilence(borrowerId)
    await pass(lending, 2 * HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await pass(lending, 1)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    expect(await dataOf(lending, 'margin_warning.escalated', id)).toMatchObject({
      reason: 'deadline',
    })
    await expectSound(lending, id)
  })

  test('one push that lacks the collateral escalates at once when the custodian has it above critical too', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await pushTooLittle(borrowerId)
    await tick(lending, 10_000)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await holdPrice(lending, '59000')
    expect(await dataOf(lending, 'margin_warning.escalated', id)).toMatchObject({
      reason: 'critical',
    })
    await expectSound(lending, id)
  })

  test('one push that lacks the collateral has the custodian asked once', async () => {
    const { borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '71000')
    const questions = countQuestions()
    await pushTooLittle(borrowerId)
    expect(questions()).toBe(1)
    for (let ticks = 0; ticks < 5; ticks += 1) await tick(lending, 10_000)
    await pass(lending, HOUR_MS - 2 * MINUTE_MS, MINUTE_MS)
    expect(questions()).toBe(1)
  })
})

test('a wrong reading of the custodian sells no collateral where its answer corrects it', async () => {
  const { context, db, tenantId } = lending
  Object.assign(context, { config: { custodianReadSeconds: 60, custodianCalmReadSeconds: 60 } })
  const { id, borrowerId } = await addBorrowed(lending)
  await holdPrice(lending, '78000')
  lending.held.set(borrowerId, btc(ONE_BTC / 10n))
  await inTransaction(db, (tx) =>
    choosePortfolioSource(tx, tenantId, 'custodian', lending.instant()),
  )
  const { custodian } = context
  const { positions } = custodian
  let asked = 0
  custodian.positions = async (call) => {
    asked += 1
    if (asked > 1) lending.held.set(borrowerId, btc(ONE_BTC))
    return await positions(call)
  }
  await settle(lending)
  for (let ticks = 0; ticks < 3; ticks += 1) await tick(lending, 10_000)
  expect(await marginEvents(lending, id)).toEqual(['warning.raised 1', 'warning.cured 1'])
  expect(await readWarning(lending, id)).toMatchObject({ curedBy: 'correction' })
  expect(await readCalls(lending, id)).toEqual([])
  await expectSound(lending, id)
})

test.each([
  { what: 'is cured as collateral', answers: false },
  { what: 'that an answer supports stays open', answers: true },
])(
  'a warning that a reading alone raised $what once the tenant goes back to push',
  async ({ answers }) => {
    const { context, db, tenantId } = lending
    Object.assign(context, { config: { custodianReadSeconds: 60, custodianCalmReadSeconds: 60 } })
    const { id, borrowerId } = await addBorrowed(lending)
    const other = await addBorrowed(lending)
    await holdPrice(lending, '90000')
    lending.held.set(borrowerId, btc((7n * ONE_BTC) / 10n))
    const { positions } = context.custodian
    context.custodian.positions = async (call) => {
      const isSilent = !answers && call.callId.includes('/push/')
      return isSilent
        ? { status: 'pending', askAgainAt: addMs(call.realNow, HOUR_MS) }
        : positions(call)
    }
    const choose = async (mode: PortfolioSource) => {
      await inTransaction(db, (tx) => choosePortfolioSource(tx, tenantId, mode, lending.instant()))
      await settle(lending)
    }
    await choose('custodian')
    expect(await marginEvents(lending, id)).toEqual(['warning.raised 1'])
    await choose('push')
    expect(await readWarning(lending, id)).toMatchObject(
      answers ? { status: 'OPEN' } : { status: 'CURED', curedBy: 'collateral' },
    )
    expect(await marginEvents(lending, other.id)).toEqual([])
    await expectSound(lending, id)
  },
)

test('a request to the custodian about one warning takes no time from the next', async () => {
  const { id, borrowerId } = await addBorrowed(lending)
  await holdPrice(lending, '68000')
  lending.custodian.isDown = true
  await pass(lending, 49 * HOUR_MS, HOUR_MS)
  await holdPrice(lending, '90000')
  expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED' })
  await pass(lending, 25 * HOUR_MS, HOUR_MS)
  await pushPortfolio(lending, borrowerId, btc((105n * ONE_BTC) / 100n))
  await settle(lending)
  await holdPrice(lending, '67000')
  const { cureDeadline } = await readWarning(lending, id, 2)
  // It comes back, and has not booked the deposit.
  lending.held.set(borrowerId, btc(ONE_BTC))
  lending.custodian.isDown = false
  await pass(lending, 20 * MINUTE_MS, 10_000)
  expect(await readWarning(lending, id, 2)).toMatchObject({
    status: 'OPEN',
    tier: 1,
    cureDeadline,
  })
  await expectSound(lending, id)
})

test('an answer that nothing called for any more is none to what is asked later', async () => {
  const { id, borrowerId } = await addBorrowed(lending)
  await holdPrice(lending, '71000')
  const { custodian } = lending.context
  const asked = new Set<string>()
  custodian.positions = async ({ callId, realNow }) => {
    asked.add(callId)
    return { status: 'pending', askAgainAt: addMs(realNow, MINUTE_MS) }
  }
  await pushTooLittle(borrowerId)
  await pass(lending, 2 * MINUTE_MS, MINUTE_MS)
  const first = [`${id}/push/1`, `${id}/escalation/1`]
  expect([...asked]).toEqual(first)
  await pushPortfolio(lending, borrowerId, btc(ONE_BTC))
  await pass(lending, 2 * MINUTE_MS, MINUTE_MS)
  await pushTooLittle(borrowerId)
  // The question about the push may be put once more before the good push is evaluated.
  expect([...asked].slice(0, 2)).toEqual(first)
  expect([...asked].at(-1)).toBe(`${id}/escalation/2`)
})

import { describe, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/time.ts'
import { outstandingAt } from '../../../../src/domain/facilities/ledger/debt.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import {
  dataOf,
  pass,
  pushPortfolio,
  read,
  repay,
  requestClosing,
  settle,
  usd,
} from '../../../support/lending/lending.ts'
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

/** Pushes `units` of bitcoin while the custodian holds `held`. */
async function push(borrowerId: string, units: bigint | undefined, held?: bigint): Promise<void> {
  if (held !== undefined) lending.held.set(borrowerId, btc(held))
  lending.advance(1)
  await pushPortfolio(lending, borrowerId, units === undefined ? [] : btc(units))
  await settle(lending)
}

/** The custodian answers nothing; work that fails is due again within the hour. */
const silence = () => {
  lending.custodian.isDown = true
}
async function answer(): Promise<void> {
  lending.custodian.isDown = false
  for (let times = 0; times < 4; times += 1) await pass(lending, 20 * MINUTE_MS)
}
const asked = () => lending.custodian.calls.filter((call) => call.includes('/push/')).length

const { CITUS_URL } = process.env

/** A statement of a cluster takes several times as long. */
const FALL_LIMIT_MS = CITUS_URL ? 300_000 : 120_000

test(
  'an empty push hides no fall of the price: a loan of 29,000 is warned and sold in time, without a deficit',
  async () => {
    const { id, borrowerId } = await addBorrowed(lending, 29_000_00n)
    await holdPrice(lending, '60000')
    await push(borrowerId, undefined, ONE_BTC)
    expect(asked()).toBe(1)
    for (let day = 1; day <= 65; day += 1) {
      lending.market.set('BTC', String(60_000 - Math.round((50_000 * day) / 65)))
      await tick(lending, MINUTE_MS)
      await pass(lending, DAY_MS - MINUTE_MS, 12 * HOUR_MS)
    }
    const events = await marginEvents(lending, id)
    expect(events.slice(0, 4)).toEqual([
      'warning.raised 1',
      'warning.escalated 1',
      'call.started 1',
      'call.completed 1',
    ])
    for (const { outcome, deficitCents } of await readCalls(lending, id)) {
      expect(deficitCents).toBe(0n)
      expect(outcome).not.toBe('deficit')
    }
    await expectSound(lending, id)
  },
  FALL_LIMIT_MS,
)

describe('a push that would raise', () => {
  test.each([
    { what: 'nothing', units: undefined },
    { what: 'a tenth', units: ONE_BTC / 10n },
  ])('a push of $what of what the custodian holds raises no warning', async ({ units }) => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, units, ONE_BTC)
    expect(await readWarnings(lending, id)).toEqual([])
    for (let ticks = 0; ticks < 12; ticks += 1) await tick(lending, 10_000)
    expect(asked()).toBe(1)
    await pass(lending, DAY_MS, HOUR_MS)
    expect(await readWarnings(lending, id)).toEqual([])
    // Once an hour: it holds other than is pushed.
    expect(asked()).toBe(25)
    await expectSound(lending, id)
  })

  test('a push that the custodian confirms raises at once', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, (ONE_BTC * 7n) / 10n, (ONE_BTC * 7n) / 10n)
    expect(await readWarning(lending, id)).toMatchObject({ tier: 1, raisedAt: lending.now() })
    expect(asked()).toBe(1)
    await expectSound(lending, id)
  })

  test('a push that would raise is decided by what the custodian holds, whatever was pushed', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, ONE_BTC / 100n, (ONE_BTC * 7n) / 10n)
    expect(await readWarning(lending, id)).toMatchObject({ tier: 1, status: 'OPEN' })
    await expectSound(lending, id)
  })

  test('a push that would raise stands as pushed once the custodian has been silent for a minute', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    silence()
    await push(borrowerId, (ONE_BTC * 7n) / 10n)
    const askedAt = lending.now()
    await pass(lending, MINUTE_MS - 1)
    expect(await readWarnings(lending, id)).toEqual([])
    await pass(lending, 1)
    expect(await readWarning(lending, id)).toMatchObject({
      tier: 1,
      raisedAt: addMs(askedAt, MINUTE_MS),
    })
    await expectSound(lending, id)
  })

  test('an empty push stands as pushed once the custodian has been silent for a minute, and sells nothing', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    silence()
    await push(borrowerId, undefined)
    await pass(lending, MINUTE_MS)
    expect(await readWarning(lending, id)).toMatchObject({ tier: 3, status: 'OPEN' })
    await pass(lending, 6 * HOUR_MS, HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    expect(await readCalls(lending, id)).toEqual([])
    await expectSound(lending, id)
  })

  test('further pushes do not put off the minute of silence', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    silence()
    for (let pushes = 0; pushes < 7; pushes += 1) {
      await push(borrowerId, (ONE_BTC * 7n) / 10n - BigInt(pushes))
      await pass(lending, 10 * SECOND_MS)
    }
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await expectSound(lending, id)
  })

  test('a price raises at once, whatever was pushed before', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, ONE_BTC + 1n)
    await holdPrice(lending, '68000')
    await push(borrowerId, ONE_BTC + 1n)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await expectSound(lending, id)
  })

  test('a push that would worsen a warning worsens it by what the custodian holds alone', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await push(borrowerId, (ONE_BTC * 9n) / 10n, ONE_BTC)
    expect(await readWarning(lending, id)).toMatchObject({ tier: 1 })
    await push(borrowerId, (ONE_BTC * 89n) / 100n, (ONE_BTC * 89n) / 100n)
    expect(await readWarning(lending, id)).toMatchObject({ tier: 3 })
    await expectSound(lending, id)
  })
})

describe('a push that would cure', () => {
  test('a deposit that the custodian does not hold cures nothing, and the loan is sold in time', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await push(borrowerId, 5n * ONE_BTC, ONE_BTC)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await pass(lending, 49 * HOUR_MS, 7 * HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })

  test('of each asset the smaller of the push and the custodian counts', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    // 1.2133 would do.
    await push(borrowerId, (ONE_BTC * 121n) / 100n, (ONE_BTC * 124n) / 100n)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await push(borrowerId, (ONE_BTC * 124n) / 100n, (ONE_BTC * 121n) / 100n)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await push(borrowerId, (ONE_BTC * 122n) / 100n, (ONE_BTC * 124n) / 100n)
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'CURED',
      curedBy: 'collateral',
    })
    await expectSound(lending, id)
  })

  test('without an answer a cure waits, and nothing is sold; the answer then cures', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    silence()
    await pass(lending, 47 * HOUR_MS)
    await push(borrowerId, 2n * ONE_BTC, 2n * ONE_BTC)
    await pass(lending, 5 * HOUR_MS, 30 * MINUTE_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await answer()
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'CURED',
      curedBy: 'collateral',
    })
    await expectSound(lending, id)
  })

  test('a push before the deadline holds the escalation for an hour, one after it does not', async () => {
    for (const earlyMs of [MINUTE_MS, -1]) {
      const { id, borrowerId } = await addBorrowed(lending)
      await holdPrice(lending, '68000')
      const { cureDeadline } = await readWarning(lending, id)
      silence()
      lending.advance(+cureDeadline - +lending.now() - earlyMs - 1)
      await push(borrowerId, 2n * ONE_BTC)
      const isEscalating = () =>
        lending.custodian.calls.some((call) => call.startsWith(`${id}/escalation/`))
      if (earlyMs > 0) {
        await pass(lending, HOUR_MS - 1, HOUR_MS / 4)
        expect(isEscalating()).toBe(false)
        await pass(lending, 2)
      }
      expect(isEscalating()).toBe(true)
      expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
      await answer()
      expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED' })
      await expectSound(lending, id)
    }
  })

  test('what is paid off whole is cured without a question', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    silence()
    await push(borrowerId, 2n * ONE_BTC)
    await repay(lending, id, usd(49_000_00n))
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED' })
    await expectSound(lending, id)
  })
})

describe('a debt without sellable collateral', () => {
  test('by the answer of the custodian nothing is raised, and a day later it is asked again', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, undefined, 0n)
    expect(await readWarnings(lending, id)).toEqual([])
    await pass(lending, 23 * HOUR_MS, HOUR_MS)
    expect(asked()).toBe(1)
    await pass(lending, 2 * HOUR_MS, HOUR_MS)
    expect(asked()).toBe(2)
    lending.held.set(borrowerId, btc((ONE_BTC * 7n) / 10n))
    await pass(lending, 25 * HOUR_MS, HOUR_MS)
    expect(asked()).toBe(3)
    expect(await readWarning(lending, id)).toMatchObject({ tier: 1, status: 'OPEN' })
    await expectSound(lending, id)
  })

  test('on a debt under ten dollars nothing is asked', async () => {
    const { id, borrowerId } = await addBorrowed(lending, 1_000_00n)
    await repay(lending, id, usd(995_00n))
    await settle(lending)
    await push(borrowerId, undefined)
    expect(asked()).toBe(0)
  })
})

describe('a warning that should never have been', () => {
  test('a warning raised in silence ends as a correction once the custodian answers that all is there', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '71000')
    silence()
    await push(borrowerId, ONE_BTC / 10n, ONE_BTC)
    await pass(lending, MINUTE_MS)
    expect(await readWarning(lending, id)).toMatchObject({ tier: 3, status: 'OPEN' })
    await answer()
    // Clear at 0.70, not at 0.60.
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'CURED',
      curedBy: 'correction',
    })
    expect(await dataOf(lending, 'margin_warning.cured', id)).toMatchObject({
      cured_by: 'correction',
    })
    await pass(lending, 3 * DAY_MS, 6 * HOUR_MS)
    expect(await marginEvents(lending, id)).toEqual(['warning.raised 1', 'warning.cured 1'])
    await expectSound(lending, id)
  })

  test('a warning raised in silence ends as a correction after the tenant has pushed what is there', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '71000')
    silence()
    await push(borrowerId, ONE_BTC / 10n, ONE_BTC)
    await pass(lending, MINUTE_MS)
    await push(borrowerId, ONE_BTC)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    lending.custodian.isDown = false
    await pass(lending, 3 * HOUR_MS, 20 * MINUTE_MS)
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'CURED',
      curedBy: 'correction',
    })
    expect(await readCalls(lending, id)).toEqual([])
    await expectSound(lending, id)
  })

  test('a price warning on a push that lacked collateral ends as a correction after a long silence, never in a sale', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, (ONE_BTC * 95n) / 100n, ONE_BTC)
    silence()
    await holdPrice(lending, '71000')
    expect(await readWarning(lending, id)).toMatchObject({ tier: 1, status: 'OPEN' })
    await pass(lending, 49 * HOUR_MS, 7 * HOUR_MS)
    await answer()
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'CURED',
      curedBy: 'correction',
    })
    await pass(lending, 3 * DAY_MS, 6 * HOUR_MS)
    expect(await marginEvents(lending, id)).toEqual(['warning.raised 1', 'warning.cured 1'])
    await expectSound(lending, id)
  })

  test('what was deposited after the raise makes no mistake of it', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, (ONE_BTC * 95n) / 100n, (ONE_BTC * 95n) / 100n)
    await holdPrice(lending, '71000')
    await push(borrowerId, ONE_BTC, ONE_BTC)
    await pass(lending, 49 * HOUR_MS, 7 * HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })

  test('a warning that the custodian has upheld is no mistake, whatever is deposited later', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '71000')
    silence()
    await push(borrowerId, (ONE_BTC * 9n) / 10n, (ONE_BTC * 9n) / 10n)
    await pass(lending, MINUTE_MS)
    await answer()
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await push(borrowerId, ONE_BTC, ONE_BTC)
    await pass(lending, 49 * HOUR_MS, 7 * HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })

  test('a mistaken warning is none once the floor at 0.70 is not clear: it is sold by its window', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '71000')
    silence()
    await push(borrowerId, ONE_BTC / 10n, ONE_BTC)
    await pass(lending, MINUTE_MS)
    await holdPrice(lending, '69000')
    await answer()
    await pass(lending, 4 * HOUR_MS, HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })
})

test('a draw counts the smaller of the push and the custodian', async () => {
  const { id, borrowerId } = await addBorrowed(lending)
  await push(borrowerId, undefined, ONE_BTC)
  expect((await read(lending, id)).state).toBe('APPROVED')
})

test('a question to the custodian and its answer end with the facility they are about', async () => {
  const { id, borrowerId } = await addBorrowed(lending, 1_000_00n)
  await push(borrowerId, undefined, ONE_BTC)
  const questionOf = () =>
    lending.db
      .selectFrom('portfolios')
      .select(['is_new', 'asked_since', 'confirmed', 'confirmed_at'])
      .where('borrower_id', '=', borrowerId)
      .executeTakeFirstOrThrow()
  expect((await questionOf()).confirmed).not.toBeNull()
  const { totalCents } = outstandingAt((await read(lending, id)).debt, lending.now())
  await repay(lending, id, usd(totalCents))
  await settle(lending)
  await requestClosing(lending, id)
  await settle(lending)
  expect((await read(lending, id)).state).toBe('CLOSED')
  expect(await questionOf()).toEqual({
    is_new: false,
    asked_since: null,
    confirmed: null,
    confirmed_at: null,
  })
})

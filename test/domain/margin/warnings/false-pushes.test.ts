import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import {
  draw,
  type Lending,
  openHousesInOneDatabase,
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
  marginEvents,
  ONE_BTC,
  readCalls,
  readWarning,
  readWarnings,
} from '../../../support/lending/margin.ts'

const openHouse = openHousesInOneDatabase()
let lending: Lending
beforeEach(async () => {
  lending = await openHouse()
})
afterEach(() => lending[Symbol.asyncDispose]())

const percent = (share: bigint) => (ONE_BTC * share) / 100n

/** Pushes `units` of bitcoin while the custodian holds `held`. */
async function push(borrowerId: string, units: bigint, held?: bigint): Promise<void> {
  if (held !== undefined) lending.held.set(borrowerId, btc(held))
  lending.advance(1)
  await pushPortfolio(lending, borrowerId, btc(units))
  await settle(lending)
}

const silence = () => {
  lending.custodian.isDown = true
}
const asked = () => lending.custodian.calls.filter((call) => call.includes('/push/')).length

async function answerOf(borrowerId: string) {
  const { confirmed } = await lending.db
    .selectFrom('portfolios')
    .select('confirmed')
    .where('borrower_id', '=', borrowerId)
    .executeTakeFirstOrThrow()
  return confirmed
}

describe('a deposit that the custodian does not hold', () => {
  test('without a warning it is asked about, and hides no fall of the price', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, 5n * ONE_BTC, ONE_BTC)
    expect(asked()).toBe(1)
    await holdPrice(lending, '68000')
    expect(await readWarning(lending, id)).toMatchObject({ tier: 1, status: 'OPEN' })
    await expectSound(lending, id)
  })

  test('under a warning that it leaves open it is asked about, and cures nothing when the price rises', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    const before = asked()
    await push(borrowerId, percent(115n), ONE_BTC)
    expect(asked()).toBe(before + 1)
    // Clear by what was pushed, at 0.5737; by what is there it is at 0.6598.
    await holdPrice(lending, '75000')
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await expectSound(lending, id)
  })

  test('while the custodian is silent it cures nothing at a later price either', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    silence()
    await push(borrowerId, percent(115n), ONE_BTC)
    await holdPrice(lending, '75000')
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await expectSound(lending, id)
  })

  test('before there is a debt nothing is asked, and after the draw it is', async () => {
    const { id, borrowerId } = await addBorrowed(lending, 1_000_00n)
    await repay(lending, id, usd(1_000_00n))
    await settle(lending)
    await push(borrowerId, 5n * ONE_BTC, ONE_BTC)
    expect(asked()).toBe(0)

    await draw(lending, id, usd(1_000_00n))
    await settle(lending)
    expect(asked()).toBe(1)
    expect(await answerOf(borrowerId)).toEqual({ BTC: String(ONE_BTC) })
  })
})

describe('a deposit that nothing waits for', () => {
  test('holds neither the raise by a price nor the cure by a price or a repayment while it is unanswered', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    silence()
    await push(borrowerId, ONE_BTC + 1n)
    await holdPrice(lending, '68000')
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'OPEN',
      raisedAt: lending.now(),
    })
    await holdPrice(lending, '83000')
    expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED', curedBy: 'price' })
    await holdPrice(lending, '68000')
    await repay(lending, id, usd(20_000_00n))
    await settle(lending)
    expect(await readWarning(lending, id, 2)).toMatchObject({
      status: 'CURED',
      curedBy: 'repayment',
    })
    await expectSound(lending, id)
  })
})

describe('the first answer after a raise', () => {
  test('a deposit at the custodian that was not pushed makes no mistake of a real warning', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    expect(asked()).toBe(1)
    // At 0.6616: clear of 0.70, not of 0.60.
    lending.held.set(borrowerId, btc(percent(110n)))
    await pass(lending, 49 * HOUR_MS, 7 * HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })

  test('a warning that the first answer does not support ends as a correction at once', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, percent(95n), ONE_BTC)
    await holdPrice(lending, '71000')
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'CURED',
      curedBy: 'correction',
    })
    expect(await marginEvents(lending, id)).toEqual(['warning.raised 1', 'warning.cured 1'])
    await expectSound(lending, id)
  })

  test('an answer from long before the raise neither upholds the warning nor ends it', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, percent(95n) + 1n, percent(95n))
    await pass(lending, 30 * MINUTE_MS)
    // All is there again, and it was not asked since.
    lending.held.set(borrowerId, btc(ONE_BTC))
    await holdPrice(lending, '71000')
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'CURED',
      curedBy: 'correction',
    })
    await expectSound(lending, id)
  })

  test('without an answer at the raise a later one may still end it as a correction', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, percent(95n), ONE_BTC)
    silence()
    await holdPrice(lending, '71000')
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    lending.custodian.isDown = false
    await pass(lending, 2 * HOUR_MS, 20 * MINUTE_MS)
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'CURED',
      curedBy: 'correction',
    })
    await expectSound(lending, id)
  })
})

describe('pushes that change faster than the custodian answers', () => {
  /** Each answer of the custodian finds a newer push, of more collateral than there is. */
  function flood(borrowerId: string): void {
    const { custodian } = lending.context
    const { positions } = custodian
    let units = 5n * ONE_BTC
    custodian.positions = async (call) => {
      const answer = await positions(call)
      units += 1n
      lending.advance(1)
      await pushPortfolio(lending, borrowerId, btc(units))
      return answer
    }
  }

  test('the last answer still counts, and a critical loan is sold within minutes', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    lending.held.set(borrowerId, btc(ONE_BTC))
    flood(borrowerId)
    await push(borrowerId, 4n * ONE_BTC)
    await holdPrice(lending, '59000')
    await pass(lending, 5 * MINUTE_MS, MINUTE_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    expect(await readCalls(lending, id)).toMatchObject([{ status: 'COMPLETED' }])
  })

  test('without a warning they hide no fall of the price', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    lending.held.set(borrowerId, btc(ONE_BTC))
    flood(borrowerId)
    await push(borrowerId, 4n * ONE_BTC)
    await holdPrice(lending, '68000')
    expect(await readWarnings(lending, id)).toMatchObject([{ status: 'OPEN', tier: 1 }])
  })
})

describe('what the custodian holds other than is pushed', () => {
  test('is asked about again after an hour, and after each further one', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await push(borrowerId, percent(110n), ONE_BTC)
    expect(await answerOf(borrowerId)).toEqual({ BTC: String(ONE_BTC) })
    lending.held.set(borrowerId, btc(percent(105n)))
    await push(borrowerId, percent(110n))
    await pass(lending, HOUR_MS - MINUTE_MS)
    expect(asked()).toBe(1)
    await pass(lending, MINUTE_MS)
    expect(asked()).toBe(2)
    expect(await answerOf(borrowerId)).toEqual({ BTC: String(percent(105n)) })
    lending.held.set(borrowerId, btc(percent(110n)))
    await pass(lending, HOUR_MS)
    expect(await answerOf(borrowerId)).toEqual({ BTC: String(percent(110n)) })
    await pass(lending, 5 * HOUR_MS, HOUR_MS)
    expect(asked()).toBe(3)
    expect((await read(lending, id)).state).toBe('APPROVED')
  })
})

test('an answer to an earlier question is not about the same positions pushed again', async () => {
  const { id, borrowerId } = await addBorrowed(lending)
  const { custodian } = lending.context
  const { positions } = custodian
  custodian.positions = async (call) => {
    const answer = await positions(call)
    return call.callId.endsWith('/push/1')
      ? { status: 'pending', askAgainAt: new Date(call.realNow.getTime() + HOUR_MS) }
      : answer
  }
  await push(borrowerId, percent(70n), percent(70n))
  await push(borrowerId, ONE_BTC, ONE_BTC)
  custodian.positions = positions
  // An answer to the first question would be of before the same 0.7 were pushed again.
  await push(borrowerId, percent(70n), percent(65n))
  expect(await answerOf(borrowerId)).toEqual({ BTC: String(percent(65n)) })
  const { confirmed_at: at, changed_at: since } = await lending.db
    .selectFrom('portfolios')
    .select(['confirmed_at', 'changed_at'])
    .where('borrower_id', '=', borrowerId)
    .executeTakeFirstOrThrow()
  expect(Number(at)).toBeGreaterThanOrEqual(Number(since))
  await expectSound(lending, id)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMs, DAY_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { noticedLine } from '../../../../src/domain/margin/foresight/notice.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../../src/domain/margin/policy.ts'
import { runDeadlinesUntil } from '../../../../src/domain/work/deadlines.ts'
import {
  type Lending,
  openHousesInOneDatabase,
  pushPortfolio,
  read,
  repay,
  settle,
  usd,
} from '../../../support/lending/lending.ts'
import {
  addBorrowed,
  addCritical,
  btc,
  expectSound,
  holdPrice,
  ONE_BTC,
  tick,
} from '../../../support/lending/margin.ts'
import { readEvents } from '../../../support/lending/onboarding.ts'

const openHouse = openHousesInOneDatabase()

async function noticesOf({ db, tenantId }: Lending): Promise<string[]> {
  const events = await readEvents(db, tenantId)
  return events
    .filter(({ type }) => /^margin_(notice|warning)/.test(type))
    .map(({ type, data }) => `${type.replace('margin_', '')} ${data.line ?? data.number}`)
}

// 48,000.00 owed over one bitcoin: above 0.60 below 82,474, above 0.65 below 76,131.

test('a crossing is noticed once, and again after the loan was below the line for a minute', async () => {
  await using lending = await openHouse()
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '82000')
  await tick(lending, MINUTE_MS)
  expect(await noticesOf(lending)).toEqual(['notice.approaching 0.6'])
  await holdPrice(lending, '83000')
  await holdPrice(lending, '82000')
  await holdPrice(lending, '76000')
  await holdPrice(lending, '77000')
  await holdPrice(lending, '76000')
  expect(await noticesOf(lending)).toEqual([
    ...['notice.approaching 0.6', 'notice.approaching 0.6'],
    ...['notice.approaching 0.65', 'notice.approaching 0.65'],
  ])
  await expectSound(lending, id)
})

test('two lines crossed at once are one notice, of the higher line, with the levels', async () => {
  await using lending = await openHouse()
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '75000')
  const [event, ...more] = (await readEvents(lending.db, lending.tenantId)).filter(({ type }) =>
    type.startsWith('margin_'),
  )
  expect(more).toEqual([])
  expect(event).toMatchObject({
    type: 'margin_notice.approaching',
    resource: { type: 'facility', id },
    data: { facility_id: id, line: '0.65', ltv: '0.659794' },
  })
  const levels = event?.data.levels as { line: string; prices: unknown }[]
  expect(levels.map(({ line }) => line)).toEqual(['tier_1', 'tier_2', 'tier_3', 'critical', 'sale'])
  expect(levels[0]?.prices).toMatchObject([{ asset: 'BTC', price_usd: /^70692\./ }].map(toMatcher))
})

const toMatcher = ({ asset, price_usd }: { asset: string; price_usd: RegExp }) => ({
  asset,
  price_usd: expect.stringMatching(price_usd),
})

test('one bad price notices nothing', async () => {
  await using lending = await openHouse()
  await addBorrowed(lending)
  lending.market.set('BTC', '75000')
  await tick(lending)
  lending.advance(MINUTE_MS / 2)
  lending.market.set('BTC', '100000')
  await tick(lending, MINUTE_MS / 2)
  await tick(lending, MINUTE_MS)
  expect(await noticesOf(lending)).toEqual([])
})

test('a warning raised at once is noticed by itself, and its cure leaves nothing to notice', async () => {
  await using lending = await openHouse()
  const { id, borrowerId } = await addBorrowed(lending)
  await holdPrice(lending, '69000')
  await holdPrice(lending, '75000')
  expect(await noticesOf(lending)).toEqual(['warning.raised 1'])
  await pushPortfolio(lending, borrowerId, btc(ONE_BTC * 2n))
  await settle(lending)
  expect((await read(lending, id)).noticedLtvPpm).toBe(0n)
  await pushPortfolio(lending, borrowerId, btc(ONE_BTC), addMs(lending.now(), 1))
  await settle(lending)
  expect(await noticesOf(lending)).toEqual([
    ...['warning.raised 1', 'warning.cured 1'],
    'notice.approaching 0.65',
  ])
})

test('after a margin call a line counts afresh', async () => {
  await using lending = await openHouse()
  const { id } = await addCritical(lending)
  await tick(lending)
  expect(await noticesOf(lending)).toEqual(['warning.raised 1', 'warning.escalated 1'])
  expect(await read(lending, id)).toMatchObject({ state: 'APPROVED', noticedLtvPpm: 0n })
  await holdPrice(lending, '51000')
  expect((await noticesOf(lending)).at(-1)).toBe('notice.approaching 0.6')
})

test('a repaid loan has crossed no line', async () => {
  await using lending = await openHouse()
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '82000')
  expect((await read(lending, id)).noticedLtvPpm).toBe(600_000n)
  await repay(lending, id, usd(48_100_00n))
  await settle(lending)
  expect((await read(lending, id)).noticedLtvPpm).toBe(0n)
})

test('interest that crosses a line while a sandbox clock leaps is noticed at its instant', async () => {
  await using lending = await openHouse({ isSandbox: true })
  await addBorrowed(lending)
  await holdPrice(lending, '85000')
  const { db, tenantId, context } = lending
  const from = lending.now()
  const arriveAt = async (at: Date) => {
    lending.advance(at.getTime() - lending.now().getTime())
    return lending.instant()
  }
  const leap = { db, tenantId, handlers: context.deadlineHandlers, arriveAt }
  await runDeadlinesUntil(leap, { from, until: addMs(from, 400 * DAY_MS), isOver: () => false })
  const events = await readEvents(db, tenantId)
  const notices = events.filter(({ type }) => type === 'margin_notice.approaching')
  expect(notices.map(({ data }) => [data.line, data.ltv])).toEqual([['0.6', '0.600001']])
  const days = (Date.parse(notices[0]?.occurred_at ?? '') - from.getTime()) / DAY_MS
  // 49,470.00 are owed at 0.60: 1,470.00 of interest at 10 % of 48,000.00.
  expect(Math.round(days)).toBe(112)
})

const cents = fc.bigInt(0n, 100_000_00n)

test('the line of a notice rises only above it at every price, and falls only at or below it', () => {
  const policy = DEFAULT_MARGIN_POLICY
  const lines = [0n, ...policy.noticeLtvPpm]
  const each = fc.property(
    fc.bigInt(policy.leastCents, 70_000_00n),
    fc.tuple(cents, cents, cents),
    fc.constantFrom(...lines),
    (debtCents, [a, b, c], noticedPpm) => {
      const [lowCents = 0n, latestCents = 0n, highCents = 0n] = [a, b, c].sort((x, y) =>
        x < y ? -1 : 1,
      )
      const values = { lowCents, latestCents, highCents }
      const next = noticedLine({ debtCents, values, noticedPpm }, policy)
      const exceeds = (value: bigint, line: bigint) => debtCents * 1_000_000n > line * value
      if (next > noticedPpm) expect(exceeds(highCents, next)).toBe(true)
      if (next < noticedPpm) expect(exceeds(lowCents, noticedPpm)).toBe(false)
      for (const line of policy.noticeLtvPpm) {
        if (exceeds(highCents, line)) expect(next).toBeGreaterThanOrEqual(line)
        if (!exceeds(lowCents, line)) expect(next).toBeLessThan(line)
      }
    },
  )
  fc.assert(each, { numRuns: 1_000 })
})

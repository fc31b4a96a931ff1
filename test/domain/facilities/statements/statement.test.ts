import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { outstandingAt } from '../../../../src/domain/facilities/ledger/debt.ts'
import { payoffAt } from '../../../../src/domain/facilities/statements/payoff.ts'
import {
  readStatement,
  type Statement,
  type StatementTerms,
} from '../../../../src/domain/facilities/statements/statement.ts'
import { settleReceipt } from '../../../../src/domain/repayments/confirm-repayment.ts'
import { houseForFile } from '../../../support/lending/houses.ts'
import {
  addFacility,
  draw,
  pass,
  pushPortfolio,
  read,
  repay,
  requestClosing,
  settle,
  usd,
  usdc,
} from '../../../support/lending/lending.ts'
import { addBorrowed, holdPrice } from '../../../support/lending/margin.ts'

const lending = houseForFile()
beforeEach(() => {
  lending.market.set('BTC', '100000')
  lending.payments.next = []
})

async function statementOf(id: string, terms: Partial<StatementTerms> = {}): Promise<Statement> {
  const { db, now } = lending
  const facility = await read(lending, id)
  return await readStatement({ db, now: now() }, facility, { interest: 'period', ...terms })
}

const outstandingOf = async (id: string) =>
  outstandingAt((await read(lending, id)).debt, lending.now())

const typesOf = ({ lines }: Statement) => lines.map(({ type }) => type)

/** What the lines add up to. */
function sumOf({ lines }: Statement) {
  let [principal, interest] = [0n, 0n]
  for (const line of lines) {
    interest += line.interestCents
    if (line.type !== 'interest') principal += line.principalCents
  }
  return { principal, interest }
}

/** Opening and lines are the closing, and each line's balance follows from the one before. */
function expectAddsUp(statement: Statement): void {
  const { opening, closing, lines } = statement
  const { principal, interest } = sumOf(statement)
  expect(opening.principalCents + principal).toBe(closing.principalCents)
  expect(opening.interestCents + interest).toBe(closing.interestCents)
  expect(lines.at(-1)?.balance ?? opening).toEqual(closing)
  let before = opening.totalCents
  for (const line of lines) {
    const more = line.type === 'interest' ? 0n : line.principalCents
    expect(line.balance.totalCents).toBe(before + more + line.interestCents)
    before = line.balance.totalCents
  }
}

test('a loan of a month: a draw, its interest, a repayment, then the payoff', async () => {
  const { id } = await addFacility(lending)
  await draw(lending, id, usd(20_000_00n))
  await settle(lending)
  const drawnAt = lending.now()
  await pass(lending, 30 * DAY_MS)
  const first = await repay(lending, id, usd(5_000_00n))
  await settle(lending)
  await pass(lending, 10 * DAY_MS)
  const { totalCents } = await outstandingOf(id)
  const last = await repay(lending, id, usdc((totalCents + 100n) * 10_000n))
  await settle(lending)
  const statement = await statementOf(id)
  expectAddsUp(statement)
  expect(statement.opening.totalCents).toBe(0n)
  expect(statement.closing.totalCents).toBe(0n)
  expect(statement.lines).toMatchObject([
    { type: 'draw', valueAt: drawnAt, principalCents: 20_000_00n, money: usd(-20_000_00n) },
    { type: 'interest', interestCents: 164_39n, balance: { totalCents: 20_164_39n } },
    {
      type: 'repayment',
      sourceId: first.id,
      principalCents: -4_835_61n,
      interestCents: -164_39n,
      money: usd(5_000_00n),
      balance: { totalCents: 15_164_39n },
    },
    { type: 'interest', interestCents: 41_54n },
    { type: 'repayment', sourceId: last.id, refundDueCents: 100n },
    { type: 'refund', refundDueCents: -100n, money: usd(-100n) },
  ])
})

test('the interest of each day is that of its UTC day, and of all days that of the period', async () => {
  const { id } = await addBorrowed(lending)
  await pass(lending, 10 * DAY_MS)
  const whole = await statementOf(id)
  const daily = await statementOf(id, { interest: 'day' })
  expectAddsUp(daily)
  expect(daily.closing).toEqual(whole.closing)
  expect(sumOf(daily)).toEqual(sumOf(whole))
  const days = daily.lines.filter(({ type }) => type === 'interest')
  // 48,000.00 at 10 %: 13.1506 a day, after the first half.
  expect(days.length).toBe(11)
  for (const { interestCents } of days.slice(1, -1)) {
    expect([13_15n, 13_16n]).toContain(interestCents)
  }
  for (const { valueAt } of days.slice(0, -1)) expect(valueAt.getTime() % DAY_MS).toBe(0)
})

test('a sale, its charge-off and a recovery are in the statement, which ends at nothing', async () => {
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '40000')
  await repay(lending, id, usd(9_000_00n))
  await settle(lending)
  const statement = await statementOf(id)
  expectAddsUp(statement)
  expect(typesOf(statement)).toEqual([
    'draw',
    'interest',
    'sale',
    'charge_off',
    'recovery',
    'refund',
  ])
  expect(statement.lines).toMatchObject([
    {},
    {},
    { sourceId: 'sale/1/1', money: usd(39_600_00n) },
    { principalCents: -8_400_01n },
    { recoveredCents: 8_400_01n, refundDueCents: 599_99n, money: usd(9_000_00n) },
    { refundDueCents: -599_99n },
  ])
  expect(statement.closing.totalCents).toBe(0n)
})

test('a repayment that is confirmed late corrects a later one, whose line stays as it was reported', async () => {
  const { id } = await addFacility(lending)
  await draw(lending, id, usd(10_000_00n))
  await settle(lending)
  const early = await repay(lending, id, usd(5_000_00n))
  lending.advance(73 * DAY_MS)
  const later = await repay(lending, id, usd(1_000_00n))
  const { context, tenantId } = lending
  await settleReceipt(context, tenantId, later, { transferId: 'first', amount: usd(1_000_00n) })
  const paid = { principalCents: -800_00n, interestCents: -200_00n }
  expect((await statementOf(id)).lines).toMatchObject([{}, {}, { sourceId: later.id, ...paid }])
  await settle(lending)
  const statement = await statementOf(id)
  expectAddsUp(statement)
  expect(statement.lines).toMatchObject([
    { type: 'draw' },
    { type: 'repayment', sourceId: early.id, principalCents: -5_000_00n, interestCents: 0n },
    { type: 'interest', interestCents: 100_00n },
    { type: 'repayment', sourceId: later.id, ...paid },
    {
      type: 'correction',
      sourceId: early.id,
      valueAt: later.reportedAt,
      bookedAt: lending.now(),
      principalCents: -100_00n,
      interestCents: 100_00n,
      balance: { principalCents: 4_100_00n, interestCents: 0n },
    },
  ])
  expect(statement.closing).toEqual(await outstandingOf(id))
})

test('money of another asset shows as sent back, and changes no balance', async () => {
  const { id } = await addBorrowed(lending)
  lending.received.set('in-usdc', usdc(7_000_000n))
  await repay(lending, id, usd(7_00n), 'in-usdc')
  await settle(lending)
  const statement = await statementOf(id)
  expectAddsUp(statement)
  expect(typesOf(statement)).toEqual(['draw', 'misdelivery', 'refund'])
  expect(statement.closing).toEqual(await outstandingOf(id))
})

test('a period is refused that is longer than a year, ends in the future or ends before it begins', async () => {
  const { id } = await addBorrowed(lending)
  const now = lending.now()
  const refused = (pointer: string) => ({
    code: 'validation_failed',
    extras: { errors: [{ pointer, code: 'out_of_range' }] },
  })
  await expect(statementOf(id, { to: addMs(now, 1) })).rejects.toMatchObject(refused('?to'))
  const ended = { from: now, to: addMs(now, -1) }
  await expect(statementOf(id, ended)).rejects.toMatchObject(refused('?from'))
  const long = { from: addMs(now, -366 * DAY_MS - 1) }
  await expect(statementOf(id, long)).rejects.toMatchObject(refused('?from'))
  expect((await statementOf(id, { from: addMs(now, -366 * DAY_MS) })).opening.totalCents).toBe(0n)
})

const step = fc.oneof(
  fc.record({ kind: fc.constant('draw' as const), cents: fc.bigInt(1n, 9_000_00n) }),
  fc.record({
    kind: fc.constant('repay' as const),
    cents: fc.bigInt(1n, 12_000_00n),
    isLate: fc.boolean(),
    inUsdc: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 30_000 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Returns whether the treasury confirmed it late. */
async function take(facilityId: string, borrowerId: string, event: Step): Promise<boolean> {
  if (event.kind === 'pass') {
    await pass(lending, event.minutes * MINUTE_MS)
    return false
  }
  if (event.kind === 'draw') {
    await pushPortfolio(lending, borrowerId)
    await draw(lending, facilityId, usd(event.cents)).catch(() => undefined)
    await settle(lending)
    return false
  }
  const { cents, isLate, inUsdc } = event
  if (isLate) lending.payments.next = Array.from({ length: 9 }, () => 'down' as const)
  await repay(lending, facilityId, inUsdc ? usdc(cents * 10_000n) : usd(cents))
  await settle(lending)
  if (!isLate) lending.payments.next = []
  return isLate
}

test('in any history opening, movements and closing agree with the debt as it was shown and with the journal', async () => {
  const histories = fc.array(step, { minLength: 4, maxLength: 9 })
  const cut = fc.integer({ min: 0, max: 1_000 })
  await fc.assert(
    fc.asyncProperty(histories, cut, cut, async (events, one, other) => {
      lending.payments.next = []
      const { id, borrowerId } = await addFacility(lending)
      await draw(lending, id, usd(10_000_00n))
      await settle(lending)
      const shown: { at: Date; outstanding: Awaited<ReturnType<typeof outstandingOf>> }[] = []
      let hadLate = false
      for (const event of events) {
        hadLate = (await take(id, borrowerId, event)) || hadLate
        if (!hadLate) shown.push({ at: lending.now(), outstanding: await outstandingOf(id) })
        lending.advance(1)
      }
      lending.payments.next = []
      await pass(lending, HOUR_MS, 10 * MINUTE_MS)

      const whole = await statementOf(id)
      expectAddsUp(whole)
      expect(whole.closing).toEqual(await outstandingOf(id))
      expect(whole.closing).toEqual(await foldJournal(id))
      for (const { at, outstanding } of shown) {
        expect((await statementOf(id, { to: at })).closing).toEqual(outstanding)
      }
      await expectPartsAgree(id, whole, [one, other])
    }),
    { numRuns: 8 },
  )
})

/** A statement cut into three is the same statement. */
async function expectPartsAgree(id: string, whole: Statement, cuts: number[]): Promise<void> {
  const { from, to } = whole
  const length = to.getTime() - from.getTime()
  const inner = cuts
    .sort((a, b) => a - b)
    .map((share) => addMs(from, Math.floor((length * share) / 1_000)))
  const bounds = [from, ...inner, to]
  let before = whole.opening
  const sum = { principal: 0n, interest: 0n }
  for (const [index, begin] of bounds.slice(0, -1).entries()) {
    const terms = { from: begin, to: bounds[index + 1] ?? to, interest: 'day' } as const
    const part = await statementOf(id, terms)
    expectAddsUp(part)
    expect(part.opening).toEqual(before)
    before = part.closing
    const { principal, interest } = sumOf(part)
    sum.principal += principal
    sum.interest += interest
  }
  expect(before).toEqual(whole.closing)
  expect(sum).toEqual(sumOf(whole))
}

/** The books alone, and the interest since the last entry. */
async function foldJournal(id: string) {
  const { debt } = await read(lending, id)
  const rows = await lending.db
    .selectFrom('journal_lines')
    .select(['account', (expression) => expression.fn.sum<bigint>('amount').as('sum')])
    .where('facility_id', '=', id)
    .where('account', 'in', ['loans_receivable', 'interest_receivable'])
    .groupBy('account')
    .execute()
  const balance = (account: string) => rows.find((row) => row.account === account)?.sum ?? 0n
  const booked = outstandingAt(debt, debt.accruedAt).interestCents
  const since = outstandingAt(debt, lending.now()).interestCents - booked
  const principalCents = balance('loans_receivable')
  const interestCents = balance('interest_receivable') + since
  return { principalCents, interestCents, totalCents: principalCents + interestCents }
}

test('the payoff of an instant, paid then, closes the facility with nothing left over', async () => {
  const ahead = fc.integer({ min: 0, max: 90 * DAY_MS })
  await fc.assert(
    fc.asyncProperty(fc.bigInt(1n, 30_000_00n), ahead, async (cents, ms) => {
      const { id } = await addFacility(lending)
      await draw(lending, id, usd(cents))
      await settle(lending)
      const { debt } = await read(lending, id)
      const { at, outstanding } = payoffAt(debt, addMs(lending.now(), ms))
      await pass(lending, ms)
      expect(lending.now()).toEqual(at)
      const { id: repaymentId } = await repay(lending, id, usd(outstanding.totalCents))
      await pass(lending, MINUTE_MS)
      const statement = await statementOf(id)
      expect(statement.closing.totalCents).toBe(0n)
      const paid = statement.lines.find(
        (line) => line.type === 'repayment' && line.sourceId === repaymentId,
      )
      expect(paid).toMatchObject({ refundDueCents: 0n, balance: { totalCents: 0n } })
      await requestClosing(lending, id)
      await settle(lending)
      expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', closeReason: 'repaid' })
    }),
    { numRuns: 6 },
  )
})

import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createCursorCodec } from '../../../../src/core/cursor.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { outstandingAt } from '../../../../src/domain/facilities/ledger/debt.ts'
import { payoffAt } from '../../../../src/domain/facilities/statements/payoff.ts'
import {
  readStatement,
  readStatementPage,
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
import { testKey } from '../../../support/stores/sealer.ts'

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

const cursors = createCursorCodec([testKey('cursors')])

/** The same statement, read in pages of so many lines. */
async function pagedStatementOf(
  id: string,
  limit: number,
  terms: Partial<StatementTerms> = {},
): Promise<Statement> {
  const { db, now } = lending
  const facility = await read(lending, id)
  const query = { interest: 'period', ...terms, limit } as const
  const readPage = (cursor?: string) =>
    readStatementPage({ db, now: now() }, facility, { ...query, cursor }, cursors)
  const { nextCursor, hasMore, ...whole } = await readPage()
  for (let next = nextCursor; next !== undefined; ) {
    const page = await readPage(next)
    const { opening, closing, from, to } = whole
    expect(page).toMatchObject({ opening, closing, from, to })
    expect(page.lines.length).toBeLessThanOrEqual(limit)
    expect(page.hasMore).toBe(page.nextCursor !== undefined)
    whole.lines.push(...page.lines)
    next = page.nextCursor
  }
  expect(hasMore).toBe(nextCursor !== undefined)
  return whole
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
  const early = await repay(lending, id, usd(5_000_00n), 'early')
  lending.receivedAt.set('early', lending.now())
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

test('lines by day are of 92 days at most, and without a beginning they are those before the end', async () => {
  const { id } = await addBorrowed(lending)
  lending.advance(120 * DAY_MS)
  const now = lending.now()
  const early = { from: addMs(now, -92 * DAY_MS - 1), interest: 'day' } as const
  await expect(statementOf(id, early)).rejects.toMatchObject({
    code: 'validation_failed',
    extras: { errors: [{ pointer: '?from', code: 'out_of_range' }] },
  })
  const daily = await statementOf(id, { interest: 'day' })
  expect(daily.from).toEqual(addMs(now, -92 * DAY_MS))
  expect(daily.lines.length).toBe(93)
  expectAddsUp(daily)
})

test('many movements of one instant are read page by page, and a statement that is read whole has 10,000 lines at most', async () => {
  const { id } = await addBorrowed(lending)
  await pass(lending, DAY_MS)
  const at = lending.now()
  await addParts(id, 1_300, () => at)
  await pass(lending, DAY_MS)
  const whole = await statementOf(id)
  expect(whole.lines.length).toBe(1_300 + 3)
  expectAddsUp(whole)
  const { to } = whole
  expect(await pagedStatementOf(id, 499, { to })).toEqual(whole)

  await addParts(id, 10_000, (number) => addMs(at, number))
  await expect(statementOf(id, { to })).rejects.toMatchObject({
    code: 'validation_failed',
    extras: { errors: [{ pointer: '?from', code: 'out_of_range' }] },
  })
})

/** Changes of principal by a cent more and a cent less, each of a source of its own. */
async function addParts(facilityId: string, count: number, at: (number: number) => Date) {
  const { db, tenantId } = lending
  const numbers = Array.from({ length: count }, (_, number) => number)
  await sql`
    INSERT INTO principal_movements (tenant_id, facility_id, source_id, effective_at, delta_cents)
    SELECT ${tenantId}, ${facilityId}, 'made/' || ${count}::text || '/' || lpad(number::text, 6, '0'), at,
           1 - 2 * (number % 2)
    FROM unnest(${numbers}::int[], ${numbers.map(at)}::timestamptz[]) AS made (number, at)`.execute(
    db,
  )
}

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
      const { to } = whole
      for (const limit of [1, 3]) expect(await pagedStatementOf(id, limit, { to })).toEqual(whole)
      const daily = { to, from: addMs(to, -90 * DAY_MS), interest: 'day' } as const
      expect(await pagedStatementOf(id, 7, daily)).toEqual(await statementOf(id, daily))
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
    const end = bounds[index + 1] ?? to
    const isShort = end.getTime() - begin.getTime() <= 92 * DAY_MS
    const terms = { from: begin, to: end, interest: isShort ? 'day' : 'period' } as const
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

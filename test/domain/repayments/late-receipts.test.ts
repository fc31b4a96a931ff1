import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Amount } from '../../../src/core/money.ts'
import { addMs, DAY_MS, HOUR_MS } from '../../../src/core/time.ts'
import { exportLedger, LEDGER_FORMATS } from '../../../src/domain/facilities/books/export.ts'
import { makeTrialBalance } from '../../../src/domain/facilities/books/trial-balance.ts'
import { checkLedger } from '../../../src/domain/facilities/ledger/check-ledger.ts'
import { outstandingAt } from '../../../src/domain/facilities/ledger/debt.ts'
import { readStatement } from '../../../src/domain/facilities/statements/statement.ts'
import { settleReceipt } from '../../../src/domain/repayments/confirm-repayment.ts'
import { getRepayment, type Repayment } from '../../../src/domain/repayments/repayments.ts'
import { CONFIRM_REPAYMENT } from '../../../src/domain/repayments/report-execution.ts'
import { runHledger } from '../../support/hledger.ts'
import {
  addDrawnFacility,
  draw,
  type Lending,
  openHousesInOneDatabase,
  pass,
  pushPortfolio,
  read,
  repay,
  settle,
  usd,
  usdc,
} from '../../support/lending/lending.ts'
import { permutations } from '../../support/permutations.ts'

const openHouse = openHousesInOneDatabase()

/** A loan of 10,000.00 at 10 % whose receipts wait for an answer of the treasury. */
type Loan = { lending: Lending; id: string; borrowerId: string; drawnAt: Date }

async function openLoan(): Promise<Loan> {
  const lending = await openHouse()
  const { id, borrowerId } = await addDrawnFacility(lending, usd(10_000_00n))
  return { lending, id, borrowerId, drawnAt: lending.now() }
}

/** Reports a receipt, about which the treasury is not asked. */
async function report({ lending, id }: Loan, amount: Amount): Promise<Repayment> {
  const repayment = await repay(lending, id, amount)
  await lending.db.deleteFrom('work').where('topic', '=', CONFIRM_REPAYMENT).execute()
  return repayment
}

async function confirm(
  { lending }: Loan,
  { facilityId, id, inquiry, amount, reportedAt: receivedAt }: Repayment,
) {
  const receipt = { transferId: randomUUID(), amount, receivedAt }
  const { context, tenantId } = lending
  await settleReceipt(context, tenantId, { id, facilityId, inquiry }, receipt)
}

async function closingAt({ lending, id }: Loan, to: Date) {
  const facility = await read(lending, id)
  const at = { db: lending.db, now: lending.now() }
  const { closing } = await readStatement(at, facility, { to, interest: 'period' })
  return closing
}

/** By value date, of the tenant. A refund is paid when it is known: until then the bank has it. */
async function balancesAt({ lending }: Loan, at: Date, isRefunded: boolean) {
  const { db, tenantId } = lending
  const rows = await makeTrialBalance(db, { tenantId, at, by: 'value' })
  const balances = new Map<string, bigint>()
  for (const { account, asset, debit, credit } of rows) {
    const isBank = account === 'bank' || account === 'refunds_payable'
    const name = isBank && !isRefunded ? 'bank less refunds' : account
    balances.set(`${name} ${asset}`, (balances.get(`${name} ${asset}`) ?? 0n) + debit - credit)
  }
  return new Map([...balances].filter(([, units]) => units !== 0n))
}

const linesOf = async ({ lending, id }: Loan, kind: string) =>
  await lending.db
    .selectFrom('journal_lines')
    .select(['entry_id', 'account', 'amount', 'value_at', 'booked_at'])
    .where('facility_id', '=', id)
    .where('kind', '=', kind)
    .orderBy('value_at')
    .orderBy('entry_id')
    .orderBy('line')
    .execute()

test('a receipt that turns a later one into an overpayment counts from its report, and the later one is corrected at its own', async () => {
  const loan = await openLoan()
  const { lending, id, drawnAt } = loan
  await pass(lending, 36.5 * DAY_MS)
  const early = await report(loan, usd(5_100_00n))
  await pass(lending, 73 * DAY_MS)
  const later = await report(loan, usd(10_300_00n))
  await confirm(loan, later) // 300.00 of interest and all principal
  await pass(lending, DAY_MS)
  await confirm(loan, early)
  // 100.00 of interest and 5,000.00 of principal; 73 days later 100.00 and 5,000.00 are left.
  expect(await closingAt(loan, addMs(drawnAt, 73 * DAY_MS))).toMatchObject({
    totalCents: 5_050_00n,
  })
  expect(await closingAt(loan, lending.now())).toMatchObject({ totalCents: 0n })
  const applied = await getRepayment(lending.db, lending.tenantId, id, early.id)
  const own = { interestCents: 100_00n, principalCents: 5_000_00n, refundCents: 0n }
  expect(applied.allocation).toMatchObject(own)
  const dated = {
    entry_id: expect.stringMatching(`^correction/repayment/${early.id}/\\d+$`),
    value_at: later.reportedAt,
    booked_at: lending.now(),
  }
  expect(await linesOf(loan, 'correction')).toEqual([
    { ...dated, account: 'interest_receivable', amount: 200_00n },
    { ...dated, account: 'loans_receivable', amount: 5_000_00n },
    { ...dated, account: 'refunds_payable', amount: -5_200_00n },
  ])
  await settle(lending)
  const { amount } = [...lending.payments.effects.values()].at(-1) ?? {}
  expect(amount).toEqual(usd(5_200_00n))
  expect(await checkLedger(lending.db)).toEqual([])
})

test('a receipt confirmed after the month of its report takes back interest of that month by value date', async () => {
  const loan = await openLoan()
  const { lending } = loan
  await pass(lending, 10 * DAY_MS)
  const receipt = await report(loan, usd(10_000_00n))
  await pass(lending, 10 * DAY_MS)
  await confirm(loan, receipt)
  // Ten days of 10,000.00 cost 27.3972…, which the receipt has paid; half a day of 27.40 costs a cent.
  const interest = (await linesOf(loan, 'interest')).filter(
    ({ account }) => account === 'interest_receivable',
  )
  expect(interest.map(({ value_at, amount }) => [value_at, amount])).toEqual([
    [receipt.reportedAt, 27_40n],
    [new Date('2026-11-30T23:59:59.999Z'), 28_77n],
    [new Date('2026-11-30T23:59:59.999Z'), -28_76n],
  ])
})

type Plan = readonly {
  ms: number
  cents: bigint
  kind: 'usd' | 'usdc' | 'draw'
}[]

const receiptsOf = (plan: Plan) => plan.filter(({ kind }) => kind !== 'draw').map((_, at) => at)

/** Without an order each receipt is confirmed when it is reported. */
async function play(plan: Plan, order?: readonly number[]): Promise<Loan> {
  const loan = await openLoan()
  const { lending, id, borrowerId } = loan
  const reported: Repayment[] = []
  for (const { ms, cents, kind } of plan) {
    await pass(lending, ms)
    if (kind === 'draw') {
      await pushPortfolio(lending, borrowerId)
      await draw(lending, id, usd(cents))
    } else {
      const amount = kind === 'usd' ? usd(cents) : usdc(cents * 10_000n)
      const receipt = await report(loan, amount)
      if (order) reported.push(receipt)
      else await confirm(loan, receipt)
    }
    await settle(lending)
  }
  await pass(lending, DAY_MS)
  for (const index of order ?? []) {
    const receipt = reported[index]
    if (!receipt) throw new Error('the plan has fewer receipts')
    await confirm(loan, receipt)
    lending.advance(HOUR_MS)
  }
  if (!order) lending.advance(receiptsOf(plan).length * HOUR_MS)
  await settle(lending)
  return loan
}

/** Every instant at which either has a line, the one before, and the last. */
async function instantsOf(loans: readonly Loan[]): Promise<Date[]> {
  const instants = new Set<number>()
  for (const { lending, id } of loans) {
    const rows = await lending.db
      .selectFrom('journal_lines')
      .select('value_at')
      .distinct()
      .where('facility_id', '=', id)
      .where('kind', '<>', 'refund')
      .execute()
    for (const { value_at: at } of rows) instants.add(at.getTime()).add(at.getTime() - 1)
    instants.add(lending.now().getTime())
  }
  return [...instants].sort((a, b) => a - b).map((ms) => new Date(ms))
}

async function expectSameBooks(plan: Plan, order: readonly number[], onTime: Loan): Promise<void> {
  const late = await play(plan, order)
  const end = late.lending.now()
  expect(onTime.lending.now()).toEqual(end)
  for (const at of await instantsOf([late, onTime])) {
    expect(await closingAt(late, at)).toEqual(await closingAt(onTime, at))
    expect(await balancesAt(late, at, false)).toEqual(await balancesAt(onTime, at, false))
  }
  expect(await balancesAt(late, end, true)).toEqual(await balancesAt(onTime, end, true))
  const { debt, refundDueCents } = await read(late.lending, late.id)
  expect(refundDueCents).toBe(0n)
  expect(await closingAt(late, end)).toEqual(outstandingAt(debt, end))
  expect(await checkLedger(late.lending.db)).toEqual([])
}

test('receipts confirmed in any order leave, at every instant, the statement and the books of those confirmed on time', async () => {
  const step = fc.record({
    ms: fc.integer({ min: 1, max: 40 * DAY_MS }),
    cents: fc.bigInt(1_00n, 9_000_00n),
    kind: fc.constantFrom('usd' as const, 'usdc' as const, 'draw' as const),
  })
  const receipt = step.map((one) => ({ ...one, kind: 'usd' as const }))
  const plans = fc
    .tuple(receipt, fc.array(step, { minLength: 1, maxLength: 3 }), receipt)
    .map(([first, between, last]) => [first, ...between, last])
    .filter((plan) => receiptsOf(plan).length <= 3)
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const onTime = await play(plan)
      for (const order of permutations(receiptsOf(plan))) {
        await expectSameBooks(plan, order, onTime)
      }
    }),
    { numRuns: 4 },
  )
}, 120_000)

test('hledger finds the books of late receipts balanced', async () => {
  const plan: Plan = [
    { ms: 30 * DAY_MS, cents: 6_000_00n, kind: 'usd' },
    { ms: 30 * DAY_MS, cents: 8_000_00n, kind: 'usd' },
    { ms: 10 * DAY_MS, cents: 1_000_00n, kind: 'draw' },
    { ms: 5 * DAY_MS, cents: 2_000_00n, kind: 'usd' },
  ]
  const { lending } = await play(plan, [2, 1, 0])
  const { db, tenantId } = lending
  let journal = ''
  await exportLedger(
    db,
    { tenantId, from: undefined, to: undefined },
    LEDGER_FORMATS.hledger,
    (text) => {
      journal += text
    },
  )
  expect(journal).toContain('* (correction/repayment/')
  expect(runHledger(journal, ['check', '--strict'])).toBe('')
})

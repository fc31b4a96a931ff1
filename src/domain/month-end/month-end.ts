import { Refusal } from '../../core/errors.ts'
import { formatFixed, formatUsd } from '../../core/money.ts'
import { addMs, monthEnd } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import { type Balance, balanceToJson, makeTrialBalance } from '../facilities/books/trial-balance.ts'
import { hasAccruing } from '../facilities/queries.ts'
import { type BookSource, loadPass } from '../margin/book/book.ts'
import { type ListedRow, type Position, selectListed } from '../margin/book/list-queries.ts'
import { readTape, TAPE_COLUMNS } from './loan-tape.ts'
import {
  type Period,
  selectBreaksUntil,
  selectClosedMonth,
  selectCorrectionsOf,
  selectHoldsOf,
  selectInterest,
  selectProceeds,
  selectTurnover,
} from './month-end-queries.ts'

/** The files of a month's end, with the columns of each. */
export const MONTH_END_FILES = {
  'loan-tape.csv': TAPE_COLUMNS,
  'trial-balance.csv': [
    ...['tenant_id', 'number', 'account', 'type', 'asset', 'debit', 'credit', 'balance'],
  ],
  'interest.csv': ['tenant_id', 'facility_id', 'interest'],
  'allowance.csv': [
    ...['tenant_id', 'facility_id', 'borrower_id', 'debt', 'collateral', 'deficit', 'as_of'],
  ],
  'sale-proceeds.csv': ['tenant_id', 'borrower_id', 'orders', 'gross_proceeds', 'costs'],
  'holds.csv': ['tenant_id', 'facility_id', 'hold_id', 'kind', 'started_at', 'ended_at'],
  'corrections.csv': [
    ...['tenant_id', 'facility_id', 'correction_id', 'kind', 'amount', 'rate', 'from', 'until'],
    ...['corrected_at', 'undone_at', 'written_off'],
  ],
  'breaks.csv': [
    ...['tenant_id', 'break_id', 'kind', 'area', 'item', 'facility_id', 'day', 'here', 'there'],
    ...['owner', 'found_at'],
  ],
} as const satisfies Record<string, readonly string[]>

export type MonthEndFile = keyof typeof MONTH_END_FILES

export type WriteRows = (file: MonthEndFile, text: string) => Promise<void>

/** `now` is the tenant's, at which its deficits are as of. */
export type MonthEndRequest = { tenantId: string; month: Date; now: Date }

/** Two figures of a month that must be equal, in cents. */
export type Difference = { tenantId: string; figure: string; books: bigint; file: bigint }

/** Writes the rows of one tenant; returns whether its month is closed, and what does not agree with its trial
 * balance. Refuses `validation_failed` for a month that has not ended, or whose interest is not booked. */
export async function makeMonthEnd(
  tx: Tx,
  source: BookSource,
  { tenantId, month, now }: MonthEndRequest,
  write: WriteRows,
): Promise<{ isClosed: boolean; differences: Difference[] }> {
  const name = month.toISOString().slice(0, 7)
  const period = { start: month, end: monthEnd(month) }
  if (now < period.end) {
    throw new Refusal('validation_failed', `${name} has not ended for ${tenantId}.`)
  }
  if (await hasAccruing(tx, tenantId, period.end)) {
    const detail = `Interest of ${name} is not booked yet for ${tenantId}. Retry later.`
    throw new Refusal('validation_failed', detail)
  }
  const balanceAt = (end: Date) =>
    makeTrialBalance(tx, { tenantId, at: addMs(end, -1), by: 'posting' })
  const [before, after] = [await balanceAt(period.start), await balanceAt(period.end)]
  await write(
    'trial-balance.csv',
    after.map((one) => lineOf(tenantId, ...toBalanceCells(one))).join(''),
  )
  const tape = await writeTape(tx, tenantId, period, write)
  const interest = await writeInterest(tx, tenantId, period, write)
  const proceeds = await writeProceeds(tx, tenantId, period, write)
  const corrected = await writeCorrections(tx, tenantId, period, write)
  await writeAllowance(tx, source, { tenantId, now }, write)
  await writeHolds(tx, tenantId, period, write)
  await writeBreaks(tx, tenantId, period.end, write)
  const turnover = await selectTurnover(tx, tenantId, period)
  const inBooks = (account: string) => balanceOf(after, account)
  const earned = balanceOf(before, 'interest_income') - balanceOf(after, 'interest_income')
  const figures: [string, bigint, bigint][] = [
    ['loans_receivable', inBooks('loans_receivable'), tape.principal],
    ['interest_receivable', inBooks('interest_receivable'), tape.interest],
    ['refunds_payable', -inBooks('refunds_payable'), tape.refunds],
    ['recoveries', -inBooks('recoveries'), tape.recovered],
    ['interest_income of the month', earned, interest],
    ['collateral_proceeds of the month', turnover.proceeds, proceeds],
    ['write_offs by corrections of the month', turnover.corrected, corrected],
  ]
  const differences = figures
    .filter(([, books, file]) => books !== file)
    .map(([figure, books, file]) => ({ tenantId, figure, books, file }))
  return { isClosed: await selectClosedMonth(tx, tenantId, name), differences }
}

function balanceOf(balances: readonly Balance[], account: string): bigint {
  const found = balances.find((one) => one.account === account && one.asset === 'USD')
  return found ? found.debit - found.credit : 0n
}

function toBalanceCells(one: Balance): string[] {
  const { number, account, type, asset, debit, credit, balance } = balanceToJson(one)
  return [String(number), account, type, asset, debit, credit, balance]
}

async function writeTape(tx: Tx, tenantId: string, { end }: Period, write: WriteRows) {
  const sums = { principal: 0n, interest: 0n, refunds: 0n, recovered: 0n }
  for await (const rows of readTape(tx, tenantId, end)) {
    for (const row of rows) {
      sums.principal += row.principalCents
      sums.interest += row.interestCents
      sums.refunds += row.refundsCents
      sums.recovered += row.recoveredCents
    }
    await write('loan-tape.csv', rows.map(({ cells }) => lineOf(...cells)).join(''))
  }
  return sums
}

async function writeInterest(
  tx: Tx,
  tenantId: string,
  period: Period,
  write: WriteRows,
): Promise<bigint> {
  const rows = await selectInterest(tx, tenantId, period)
  const lines = rows.map((row) => lineOf(tenantId, row.facility_id, formatUsd(row.cents)))
  await write('interest.csv', lines.join(''))
  return rows.reduce((sum, { cents }) => sum + cents, 0n)
}

async function writeProceeds(
  tx: Tx,
  tenantId: string,
  period: Period,
  write: WriteRows,
): Promise<bigint> {
  const rows = await selectProceeds(tx, tenantId, period)
  const lines = rows.map(({ borrower_id: id, orders, proceeds, costs }) =>
    lineOf(tenantId, id, String(orders), formatUsd(proceeds), formatUsd(costs)),
  )
  await write('sale-proceeds.csv', lines.join(''))
  return rows.reduce((sum, { proceeds }) => sum + proceeds, 0n)
}

async function writeCorrections(
  tx: Tx,
  tenantId: string,
  period: Period,
  write: WriteRows,
): Promise<bigint> {
  const rows = await selectCorrectionsOf(tx, tenantId, period)
  const lines = rows.map((row) =>
    lineOf(
      ...[tenantId, row.facility_id, row.correction_id, row.kind],
      row.amount_cents === null ? '' : formatUsd(row.amount_cents),
      row.rate_ppm === null ? '' : formatFixed(BigInt(row.rate_ppm), 6),
      ...[row.from_at, row.until_at, row.corrected_at, row.undone_at].map(timeOf),
      formatUsd(row.written_off),
    ),
  )
  await write('corrections.csv', lines.join(''))
  return rows.reduce((sum, row) => sum + row.written_off, 0n)
}

const PAGE = 2_000

async function writeAllowance(
  tx: Tx,
  source: BookSource,
  { tenantId, now }: { tenantId: string; now: Date },
  write: WriteRows,
): Promise<void> {
  const { passes } = await loadPass(tx, source, tenantId, now)
  let after: Position | undefined
  for (;;) {
    const { items } = await selectListed(tx, passes, { figure: 'deficits' }, { after, limit: PAGE })
    const lines = items.map((row) => toAllowanceLine(row, now))
    await write('allowance.csv', lines.join(''))
    const last = items.at(-1)
    if (!last || items.length < PAGE) return
    after = { ...last, amount: BigInt(last.amount) }
  }
}

function toAllowanceLine({ tenantId, facilityId, borrowerId, ...row }: ListedRow, now: Date) {
  const [debt, value, deficit] = [row.debt, row.value, row.amount].map(BigInt).map(formatUsd)
  return lineOf(
    ...[tenantId, facilityId, borrowerId, debt ?? '', value ?? '', deficit ?? ''],
    now.toISOString(),
  )
}

async function writeHolds(
  tx: Tx,
  tenantId: string,
  period: Period,
  write: WriteRows,
): Promise<void> {
  const rows = await selectHoldsOf(tx, tenantId, period)
  const lines = rows.map((row) =>
    lineOf(
      ...[tenantId, row.facility_id, row.pause_id, row.hold_kind ?? ''],
      ...[row.started_at, row.ended_at].map(timeOf),
    ),
  )
  await write('holds.csv', lines.join(''))
}

async function writeBreaks(tx: Tx, tenantId: string, end: Date, write: WriteRows): Promise<void> {
  const rows = await selectBreaksUntil(tx, tenantId, end.toISOString().slice(0, 10))
  const lines = rows.map((row) =>
    lineOf(
      ...[tenantId, row.break_id, row.kind, row.area, row.item_id, row.facility_id ?? '', row.day],
      ...[row.ours, row.theirs].map((side) => (side === null ? '' : JSON.stringify(side))),
      ...[row.owner ?? '', row.written_at.toISOString()],
    ),
  )
  await write('breaks.csv', lines.join(''))
}

const timeOf = (at: Date | null) => at?.toISOString() ?? ''

/** A line of CSV. What a spreadsheet would read as a formula comes from outside: it is quoted as text. */
function lineOf(...cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\n`
}

function cellOf(text: string): string {
  const isFormula = /^[=+@\t\r]/.test(text) || (/^-/.test(text) && !/^-[\d.]+$/.test(text))
  const safe = isFormula ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function headOf(file: MonthEndFile): string {
  return lineOf(...MONTH_END_FILES[file])
}

import { mapInSlices } from '../../../core/limits/slices.ts'
import { type Amount, formatAmount, formatUsd } from '../../../core/money.ts'
import type { Outstanding } from '../ledger/debt.ts'
import type { StatementLine } from './fold-statement.ts'
import type { Movement } from './movements.ts'
import type { Statement, StatementPage } from './statement.ts'

type BalanceBody = { principal: string; interest: string; total: string }

type LineBody = {
  type: StatementLine['type']
  value_date: string
  posted_at?: string
  draw_id?: string
  repayment_id?: string
  correction_id?: string
  margin_call_number?: number
  principal: string
  interest: string
  refund_due?: string
  recovered?: string
  received?: MoneyBody
  paid?: MoneyBody
  balance: BalanceBody
}

type MoneyBody = ReturnType<typeof formatAmount>

/** A statement as tenants and accountants read it: money as text, times in ISO 8601. */
export type StatementBody = {
  facility_id: string
  from: string
  to: string
  opening: BalanceBody
  lines: LineBody[]
  closing: BalanceBody
}

export function toStatementBody(statement: Statement): StatementBody {
  return {
    facility_id: statement.facilityId,
    from: statement.from.toISOString(),
    to: statement.to.toISOString(),
    opening: toBalanceBody(statement.opening),
    lines: statement.lines.map(toLineBody),
    closing: toBalanceBody(statement.closing),
  }
}

export function toStatementPageBody(page: StatementPage) {
  const { nextCursor, hasMore } = page
  return {
    ...toStatementBody(page),
    ...(nextCursor !== undefined && { next_cursor: nextCursor }),
    has_more: hasMore,
  }
}

function toBalanceBody({ principalCents, interestCents, totalCents }: Outstanding): BalanceBody {
  return {
    principal: formatUsd(principalCents),
    interest: formatUsd(interestCents),
    total: formatUsd(totalCents),
  }
}

function toLineBody(line: StatementLine): LineBody {
  const shared = {
    value_date: line.valueAt.toISOString(),
    interest: formatUsd(line.interestCents),
    balance: toBalanceBody(line.balance),
  }
  if (line.type === 'interest') return { type: line.type, principal: '0.00', ...shared }
  const { type, bookedAt, principalCents, refundDueCents, recoveredCents, money } = line
  return {
    type,
    ...shared,
    ...(bookedAt && { posted_at: bookedAt.toISOString() }),
    ...toSource(line),
    principal: formatUsd(principalCents),
    ...(refundDueCents !== 0n && { refund_due: formatUsd(refundDueCents) }),
    ...(recoveredCents !== 0n && { recovered: formatUsd(recoveredCents) }),
    ...(money && toMoneyBody(money)),
  }
}

function toSource({ sourceId }: Movement) {
  const [, number] = /^sale\/(\d+)\//.exec(sourceId) ?? []
  if (number !== undefined) return { margin_call_number: Number(number) }
  const [id = ''] = /(drw|rep|cor)_\w+/.exec(sourceId) ?? []
  if (id.startsWith('drw_')) return { draw_id: id }
  if (id.startsWith('cor_')) return { correction_id: id }
  return id.startsWith('rep_') ? { repayment_id: id } : {}
}

function toMoneyBody({ asset, units }: Amount) {
  return units > 0n
    ? { received: formatAmount({ asset, units }) }
    : { paid: formatAmount({ asset, units: -units }) }
}

export const STATEMENT_COLUMNS = [
  'value_date',
  'posted_at',
  'type',
  'reference',
  'principal',
  'interest',
  'refund_due',
  'recovered',
  'received',
  'paid',
  'asset',
  'balance',
] as const

type Row = { [Column in (typeof STATEMENT_COLUMNS)[number]]?: string | undefined }

/** RFC 4180: a line for the opening and one for the closing balance. No field needs quotes. */
export async function toStatementCsv(statement: Statement): Promise<string> {
  const { lines, ...rest } = statement
  const [first, last] = toStatementRows(toStatementBody({ ...rest, lines: [] }))
  const rows = await mapInSlices(lines, (line) => toRowText(toFields(toRow(toLineBody(line)))))
  const texts = [
    toRowText(STATEMENT_COLUMNS),
    toRowText(first ?? []),
    ...rows,
    toRowText(last ?? []),
  ]
  return texts.join('')
}

const toRowText = (fields: readonly string[]) => `${fields.join(',')}\r\n`

export function toStatementRows({ from, to, opening, lines, closing }: StatementBody): string[][] {
  const rows: Row[] = [
    { value_date: from, type: 'opening', ...toBalanceColumns(opening) },
    ...lines.map(toRow),
    { value_date: to, type: 'closing', ...toBalanceColumns(closing) },
  ]
  return rows.map(toFields)
}

const toFields = (row: Row) => STATEMENT_COLUMNS.map((column) => row[column] ?? '')

function toBalanceColumns({ principal, interest, total }: BalanceBody): Row {
  return { principal, interest, balance: total }
}

function toRow({ balance, received, paid, margin_call_number: call, ...line }: LineBody): Row {
  const { draw_id, repayment_id, correction_id, ...columns } = line
  const source = draw_id ?? repayment_id ?? correction_id
  const reference = source ?? (call === undefined ? '' : `margin_call/${call}`)
  return {
    ...columns,
    reference,
    received: received?.amount ?? '',
    paid: paid?.amount ?? '',
    asset: (received ?? paid)?.asset ?? '',
    balance: balance.total,
  }
}

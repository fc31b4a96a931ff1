import { z } from 'zod'
import { type Amount, formatAmount, formatUsd } from '../../core/money.ts'
import type { Facility } from '../../domain/facilities/facilities.ts'
import type { Outstanding } from '../../domain/facilities/ledger/debt.ts'
import type { StatementLine } from '../../domain/facilities/statements/fold-statement.ts'
import { MOVEMENT_TYPES, type Movement } from '../../domain/facilities/statements/movements.ts'
import type { Payoff } from '../../domain/facilities/statements/payoff.ts'
import type { Statement } from '../../domain/facilities/statements/statement.ts'
import { amountSchema, signedUsdText, usdText } from '../schemas/amounts.ts'
import { idText, timestamp } from '../schemas/fields.ts'

const FACILITY_ID = 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c'

const balanceObject = z.strictObject({
  principal: signedUsdText,
  interest: signedUsdText,
  total: signedUsdText,
})

const lineObject = z.strictObject({
  type: z.enum(['interest', ...MOVEMENT_TYPES]),
  value_date: timestamp.describe('From when it counts'),
  posted_at: timestamp
    .optional()
    .describe('When it was booked; interest is computed from the value dates'),
  draw_id: idText('drw').optional(),
  repayment_id: idText('rep').optional(),
  margin_call_number: z.int().min(1).optional(),
  principal: signedUsdText.describe('What it adds to the principal'),
  interest: signedUsdText.describe('What it adds to the interest'),
  refund_due: signedUsdText.optional().describe('What it adds to the refund; negative: paid out'),
  recovered: usdText.optional().describe('Of a debt that was charged off'),
  received: amountSchema.optional(),
  paid: amountSchema.optional(),
  balance: balanceObject.describe('After this line'),
})

export const statementSchema = z
  .strictObject({
    facility_id: idText('fac'),
    from: timestamp.describe('Movements after this instant'),
    to: timestamp.describe('Until this instant'),
    opening: balanceObject,
    lines: z.array(lineObject),
    closing: balanceObject,
  })
  .meta({
    id: 'Statement',
    examples: [
      {
        facility_id: FACILITY_ID,
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-12-01T00:00:00.000Z',
        opening: { principal: '20000.00', interest: '0.00', total: '20000.00' },
        lines: [
          {
            type: 'interest' as const,
            value_date: '2026-11-11T00:00:00.000Z',
            principal: '0.00',
            interest: '54.80',
            balance: { principal: '20000.00', interest: '54.80', total: '20054.80' },
          },
          {
            type: 'repayment' as const,
            value_date: '2026-11-11T00:00:00.000Z',
            posted_at: '2026-11-11T00:00:05.000Z',
            repayment_id: 'rep_01k9x4m2q8e0tb7f2v5j6h8n3c',
            principal: '-4945.20',
            interest: '-54.80',
            received: { amount: '5000.00', asset: 'USD' },
            balance: { principal: '15054.80', interest: '0.00', total: '15054.80' },
          },
          {
            type: 'interest' as const,
            value_date: '2026-12-01T00:00:00.000Z',
            principal: '0.00',
            interest: '82.49',
            balance: { principal: '15054.80', interest: '82.49', total: '15137.29' },
          },
        ],
        closing: { principal: '15054.80', interest: '82.49', total: '15137.29' },
      },
    ],
  })

export type StatementBody = z.input<typeof statementSchema>
type LineBody = z.input<typeof lineObject>

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

function toBalanceBody({ principalCents, interestCents, totalCents }: Outstanding) {
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
  const [id = ''] = sourceId.split('/')
  if (id.startsWith('drw_')) return { draw_id: id }
  return id.startsWith('rep_') ? { repayment_id: id } : {}
}

function toMoneyBody({ asset, units }: Amount) {
  return units > 0n
    ? { received: formatAmount({ asset, units }) }
    : { paid: formatAmount({ asset, units: -units }) }
}

const COLUMNS = [
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

type Row = { [Column in (typeof COLUMNS)[number]]?: string | undefined }

/** RFC 4180, with a line for the opening and one for the closing balance. No field needs quotes. */
export function toStatementCsv({ from, to, opening, lines, closing }: StatementBody): string {
  const rows: Row[] = [
    { value_date: from, type: 'opening', ...toBalanceColumns(opening) },
    ...lines.map(toRow),
    { value_date: to, type: 'closing', ...toBalanceColumns(closing) },
  ]
  const text = [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column] ?? ''))]
  return `${text.map((fields) => fields.join(',')).join('\r\n')}\r\n`
}

function toBalanceColumns({ principal, interest, total }: LineBody['balance']): Row {
  return { principal, interest, balance: total }
}

function toRow({ balance, received, paid, margin_call_number: call, ...line }: LineBody): Row {
  const { draw_id, repayment_id, ...columns } = line
  const reference = draw_id ?? repayment_id ?? (call === undefined ? '' : `margin_call/${call}`)
  return {
    ...columns,
    reference,
    received: received?.amount ?? '',
    paid: paid?.amount ?? '',
    asset: (received ?? paid)?.asset ?? '',
    balance: balance.total,
  }
}

export const STATEMENT_CSV_EXAMPLE = [
  COLUMNS.join(','),
  '2026-11-01T00:00:00.000Z,,opening,,20000.00,0.00,,,,,,20000.00',
  '2026-12-01T00:00:00.000Z,,closing,,20000.00,164.39,,,,,,20164.39',
  '',
].join('\r\n')

export const payoffSchema = z
  .strictObject({
    facility_id: idText('fac'),
    at: timestamp,
    principal: usdText,
    interest: usdText,
    total: usdText.describe('What closes the facility if it is reported at that instant'),
    per_day: usdText.describe('Interest of each further day, rounded up to the cent'),
    rises_at: timestamp.optional().describe('From then on it is a cent more, or more'),
    reserved: usdText.describe('Draws in progress; each adds to the debt when it is paid out'),
  })
  .meta({
    id: 'Payoff',
    examples: [
      {
        facility_id: FACILITY_ID,
        at: '2026-12-20T12:00:00.000Z',
        principal: '48000.00',
        interest: '394.53',
        total: '48394.53',
        per_day: '13.16',
        rises_at: '2026-12-20T12:01:02.101Z',
        reserved: '0.00',
      },
    ],
  })

export function toPayoffBody(facility: Facility, payoff: Payoff): z.input<typeof payoffSchema> {
  const { at, outstanding, perDayCents, risesAt } = payoff
  return {
    facility_id: facility.id,
    at: at.toISOString(),
    principal: formatUsd(outstanding.principalCents),
    interest: formatUsd(outstanding.interestCents),
    total: formatUsd(outstanding.totalCents),
    per_day: formatUsd(perDayCents),
    ...(risesAt && { rises_at: risesAt.toISOString() }),
    reserved: formatUsd(facility.reservedCents),
  }
}

import { formatDecimal, formatQuantity, formatUsd } from '../../core/money.ts'
import type { BorrowerRows } from './export.ts'
import type { ExportedRow } from './export-queries.ts'

/** A page for the person, in Markdown, without what was found out against money laundering, reviews and holds:
 * the law forbids to warn of some of it. */
export function renderPersonPage(rows: BorrowerRows, now: Date): string {
  const of = (table: string) => rows[table] ?? []
  const [borrower] = of('borrowers')
  if (!borrower) throw new Error('a page was asked of a borrower without its row')
  const sections = [
    `# What the lender holds about you\n\nAs of ${showTime(now.toISOString())}, in UTC.`,
    section('You', [borrower], {
      Borrower: 'borrower_id',
      "Your lender's partner knows you as": 'external_id',
      Type: 'type',
      Residence: join('-', 'residency_country', 'residency_state'),
      Since: time('created_at'),
    }),
    section('What you signed', of('signatures'), {
      Name: 'full_name',
      'E-mail': 'email',
      'Address of the device': 'ip_address',
      Contract: join(' ', 'contract_type', 'contract_version'),
      Signed: time('signed_at'),
    }),
    section(
      'Checks of who you are',
      of('compliance_checks').filter(({ kind }) => kind !== 'aml'),
      { Check: 'kind', Result: 'status', Asked: time('created_at'), Decided: time('decided_at') },
    ),
    section('Your loans', of('facilities'), {
      Loan: 'facility_id',
      State: 'state',
      Limit: cents('limit_cents'),
      'Yearly rate': (row) => formatDecimal(toBigInt(row['rate_ppm']), 6),
      'Account at the custodian': 'custody_account',
      Opened: time('created_at'),
      Ended: time('closed_at'),
    }),
    section('Paid out to you', of('draws'), {
      Loan: 'facility_id',
      Amount: amount('amount_units'),
      To: 'destination',
      State: 'status',
      Asked: time('requested_at'),
      Paid: time('completed_at'),
    }),
    section('Paid by you', of('repayments'), {
      Loan: 'facility_id',
      Amount: amount('amount_units'),
      Reference: 'reference',
      State: 'status',
      Interest: cents('interest_cents'),
      Principal: cents('principal_cents'),
      Valued: time('value_at'),
    }),
    section('Paid back to you', of('refunds'), {
      Loan: 'facility_id',
      Amount: amount('amount_units'),
      To: 'destination',
      State: 'status',
      Paid: time('paid_at'),
    }),
    section('Warnings about your collateral', of('margin_warnings'), {
      Loan: 'facility_id',
      Number: 'number',
      State: 'status',
      Raised: time('raised_at'),
    }),
  ]
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`
}

type Cell = string | ((row: ExportedRow) => string)

function section(
  title: string,
  rows: readonly ExportedRow[],
  columns: Record<string, Cell>,
): string {
  if (rows.length === 0) return ''
  const cells = Object.entries(columns)
  const parts = rows.map((row) =>
    cells
      .map(([name, cell]) => [name, typeof cell === 'string' ? row[cell] : cell(row)] as const)
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => `- ${name}: ${escapeMarkdown(String(value))}`)
      .join('\n'),
  )
  return `## ${title}\n\n${parts.join('\n\n')}`
}

/** Nothing that a person typed makes a heading, a link or HTML, or controls a terminal. */
const escapeMarkdown = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
    .replaceAll(/[\\`*_[\]<>#|]/g, String.raw`\$&`)

const join =
  (separator: string, ...members: string[]) =>
  (row: ExportedRow) =>
    members
      .map((member) => row[member])
      .filter(Boolean)
      .join(separator)

const time = (member: string) => (row: ExportedRow) => showTime(row[member])

function showTime(at: unknown): string {
  if (typeof at !== 'string') return ''
  return new Date(at).toISOString().replace('T', ' ').slice(0, 16)
}

const cents = (member: string) => (row: ExportedRow) =>
  row[member] === null || row[member] === undefined ? '' : `${formatUsd(toBigInt(row[member]))} USD`

const amount = (member: string) => (row: ExportedRow) => {
  const asset = String(row['asset'])
  return `${formatQuantity({ asset, units: toBigInt(row[member]) })} ${asset}`
}

const toBigInt = (value: unknown) => BigInt(String(value))

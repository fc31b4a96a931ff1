import type { Report } from '../command-line/text.ts'
import type { Db } from '../db/database.ts'
import type { Book } from '../domain/margin/book/book.ts'
import {
  type BookBody,
  toBookBody,
  toListBody,
  toListedBody,
} from '../domain/margin/book/book-document.ts'
import type { BookList } from '../domain/margin/book/list-book.ts'
import { addNames, readNames } from './command/named.ts'
import { formatFields, formatRows } from './command/output.ts'

/** For people the largest; for programs all. */
const SHOWN = 20

export async function reportBook(db: Db, book: Book): Promise<Report> {
  const body = toBookBody(book)
  const largest = { columns: BORROWER_COLUMNS, rows: borrowerRows(body) }
  const borrowers = addNames(largest, await readNames(db, body.borrowers))
  const parts = [
    formatFields(describe(body)),
    tableOf(['above', 'to', 'facilities', 'exposure usd', 'collateral usd'], bandRows(body)),
    tableOf(['asset', 'facilities', 'quantity', 'value usd', 'share'], assetRows(body)),
    tableOf(
      ['tenant', 'facilities', 'exposure usd', 'share', 'weighted ltv', 'warnings', 'calls'],
      tenantRows(body),
    ),
    tableOf(['country', 'facilities', 'exposure usd', 'share'], countryRows(body)),
    tableOf(borrowers.columns, borrowers.rows),
  ]
  return { data: body, text: parts.filter((part) => part !== '').join('\n\n') }
}

const BORROWER_COLUMNS = ['borrower', 'tenant', 'country', 'exposure usd', 'share', 'ltv']

function describe(body: BookBody): Record<string, string> {
  const { exposure, commitments, deficits, charged_off: ended, warnings } = body
  const tiers = warnings.tiers.map(({ tier, open }) => `tier ${tier}: ${open}`).join(', ')
  return {
    'Read at': body.read_at,
    Exposure: `${exposure.total_usd} USD of ${exposure.facilities} facilities: principal ${exposure.principal_usd}, interest ${exposure.interest_usd}`,
    Commitments: `${commitments.limits_usd} USD of ${commitments.facilities} facilities: undrawn ${commitments.undrawn_usd}, of blocked borrowers ${commitments.undrawn_blocked_usd}`,
    Collateral: `${body.collateral.value_usd} USD after haircuts`,
    LTV: `${body.ltv.total} in all, ${body.ltv.weighted} weighted by exposure`,
    Warnings: `${warnings.open} open, ${warnings.exposure_usd} USD: ${tiers}`,
    'Margin calls': `${body.margin_calls.running} running, ${body.margin_calls.exposure_usd} USD`,
    Deficits: `${deficits.deficit_usd} USD of ${deficits.facilities} facilities that owe ${deficits.exposure_usd} USD`,
    'Old prices': `${body.stale.facilities} facilities, ${body.stale.exposure_usd} USD`,
    'Interest earned': `${body.interest.earned_usd} USD`,
    'Charged off': `${ended.total_usd} USD of ${ended.facilities} facilities, ${ended.recovered_usd} recovered`,
  }
}

function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : formatRows(columns, rows.slice(0, SHOWN))
}

const bandRows = ({ ltv }: BookBody) =>
  ltv.distribution.map((band) => [
    ...[band.above_ltv ?? '-', band.to_ltv ?? '-', String(band.facilities)],
    ...[band.exposure_usd, band.collateral_value_usd],
  ])

const assetRows = ({ collateral }: BookBody) =>
  collateral.assets
    .filter(({ facilities }) => facilities > 0)
    .map((one) => [one.asset, String(one.facilities), one.quantity, one.value_usd, one.share])

const tenantRows = ({ tenants }: BookBody) =>
  tenants.map((one) => [
    ...[one.tenant_id, String(one.facilities), one.exposure_usd, one.share, one.weighted_ltv],
    ...[String(one.open_warnings), String(one.margin_calls)],
  ])

const countryRows = ({ countries }: BookBody) =>
  countries.map((one) => [one.country, String(one.facilities), one.exposure_usd, one.share])

const borrowerRows = ({ borrowers }: BookBody) =>
  borrowers.map((one) => [
    ...[one.borrower_id, one.tenant_id, one.country],
    ...[one.exposure_usd, one.share, one.ltv],
  ])

export async function reportFacilities(db: Db, list: BookList): Promise<Report> {
  const items = list.items.map(toListedBody)
  const sums = toListBody(list)
  const header = formatFields({
    'Read at': sums.read_at,
    Facilities: `${sums.facilities}, ${sums.amount_usd} USD`,
    ...(list.hasMore && { Shown: `the first ${items.length}: --limit shows more` }),
  })
  const rows = items.map((item) => [
    ...[item.facility_id, item.tenant_id, item.country, item.amount_usd, item.exposure_usd],
    ...[item.collateral_value_usd, item.ltv, item.warning ? String(item.warning.tier) : '-'],
  ])
  const columns = [
    ...['facility', 'tenant', 'country', 'amount usd', 'exposure usd', 'collateral usd', 'ltv'],
    'tier',
  ]
  const named = addNames({ columns, rows }, await readNames(db, items))
  const table = rows.length === 0 ? [] : [formatRows(named.columns, named.rows)]
  return { data: { ...sums, has_more: list.hasMore, items }, text: [header, ...table].join('\n\n') }
}

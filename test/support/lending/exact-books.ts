import { deepStrictEqual } from 'node:assert/strict'
import type { Selectable } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import type { Tables } from '../../../src/db/schema/tables.ts'
import { agreedRates } from '../../../src/domain/facilities/corrections/rates.ts'
import { type Facility, getFacility } from '../../../src/domain/facilities/facilities.ts'
import type { DebtEvent } from '../../../src/domain/facilities/ledger/debt-account.ts'
import { readStatement } from '../../../src/domain/facilities/statements/statement.ts'
import { expectedAt } from './exact-debt.ts'

/** What is compared: the tenant's books, at its instant. */
export type Reading = { db: Db; tenantId: string; now(): Date }

/** Of a facility, what is true at last: from draws, repayments, sales and refunds, and the instants at which
 * it was closed or charged off. No allocation and no amount of the journal is read. */
async function listEvents({ db }: Reading, facilityId: string): Promise<DebtEvent[]> {
  const rowsOf = (table: 'draws' | 'repayments' | 'refunds' | 'journal') =>
    db.selectFrom(table).selectAll().where('facility_id', '=', facilityId).execute()
  const journal = (await rowsOf('journal')) as { entry_id: string; kind: string; value_at: Date }[]
  const entries = new Map(journal.map((row) => [row.entry_id, row]))
  const endedAt = entries.get('charge_off')?.value_at
  const isAfterEnd = (at: Date) => endedAt !== undefined && at >= endedAt
  const events: DebtEvent[] = []
  for (const { entry_id: id, kind, value_at: valueAt } of journal) {
    const isTakenBack = entries.has(`return/${id}`)
    if ((kind === 'waiver' || kind === 'charge_off') && !isTakenBack)
      events.push({ id, kind, valueAt })
  }
  for (const row of (await rowsOf('draws')) as Row<'draws'>[]) {
    if (!row.completed_at) continue
    const { draw_id: id, debt_cents: cents } = row
    events.push({ id, kind: 'draw', valueAt: row.completed_at, cents })
    if (!row.returned_at || row.returned_units === null) continue
    const kind = isAfterEnd(row.returned_at) ? 'recovery' : 'draw_return'
    const back = (cents * row.returned_units) / row.amount_units
    events.push({ id: `${id}/return`, kind, valueAt: row.returned_at, cents: back })
  }
  const sales = await db
    .selectFrom('margin_sales')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'FILLED')
    .execute()
  for (const row of sales) {
    const id = `sale/${row.call_number}/${row.number}`
    const cents = (row.proceeds_cents ?? 0n) - (row.costs_cents ?? 0n)
    const valueAt = entries.get(id)?.value_at
    if (valueAt && cents > 0n) events.push({ id, kind: 'receipt', valueAt, cents })
  }
  const repayments = new Map<string, Row<'repayments'>>()
  for (const row of (await rowsOf('repayments')) as Row<'repayments'>[]) {
    const { repayment_id: id, value_at: valueAt } = row
    repayments.set(id, row)
    if (row.status !== 'APPLIED' || !valueAt) continue
    const cents =
      (row.interest_cents ?? 0n) + (row.principal_cents ?? 0n) + (row.refund_cents ?? 0n)
    events.push({ id, kind: row.is_recovery ? 'recovery' : 'receipt', valueAt, cents })
  }
  for (const row of (await rowsOf('refunds')) as Row<'refunds'>[]) {
    const [from = ''] = row.source_id.split('/')
    const repayment = repayments.get(from)
    const isSuspense = row.source_id.includes('/suspense')
    // It was not for the debt, unless its transfer was taken back after it had been paid.
    const isOther = isSuspense || repayment?.failure_code === 'asset_mismatch'
    if (!row.paid_at || (isOther && !(isSuspense && repayment?.return_code))) continue
    const isFirst = !isOther || row.status === 'PAID' || entries.has(`payout/${row.refund_id}`)
    if (!isFirst) continue
    const { refund_id: id } = row
    const cents = isSuspense ? await paidFor(db, facilityId, id) : row.cents - row.taken_cents
    events.push({ id, kind: 'payout', valueAt: row.paid_at, cents })
    if (!row.returned_at) continue
    const back = { id: `${id}/return`, kind: 'payout_return' as const, payoutId: id }
    events.push({ ...back, valueAt: row.returned_at, cents })
  }
  return events
}

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>

/** The dollars that a payout out of suspense is worth, by the price of the moment at which its transfer was
 * taken back: read from the lines of its money, whatever it was charged to. */
async function paidFor(db: Db, facilityId: string, refundId: string): Promise<bigint> {
  const lines = await db
    .selectFrom('journal_lines')
    .select('amount')
    .where('facility_id', '=', facilityId)
    .where('entry_id', '=', `payout/${refundId}`)
    .where('asset', '=', 'USD')
    .where('account', 'in', ['suspense', 'wallet_at_par', 'conversion_result'])
    .execute()
  return -lines.reduce((sum, { amount }) => sum + amount, 0n)
}

/** What amendments and corrections that hold make true of a debt. An amendment ends the corrections before
 * it; where several lower the rate of an instant, the last that was booked does. */
async function listCorrected(
  db: Db,
  facility: Facility,
): Promise<{ events: DebtEvent[]; firstRatePpm: bigint }> {
  const rows = await db
    .selectFrom('facility_corrections')
    .selectAll()
    .where('facility_id', '=', facility.id)
    .where('undone_at', 'is', null)
    .orderBy('corrected_at')
    .execute()
  const events: DebtEvent[] = []
  for (const { correction_id: id, kind, amount_cents: cents, corrected_at: valueAt } of rows) {
    if (kind !== 'waive_interest' && kind !== 'credit') continue
    events.push({ id, kind, valueAt, cents: cents ?? 0n })
  }
  const corrections = rows.flatMap(({ rate_ppm: ratePpm, from_at: from }) =>
    ratePpm !== null && from ? [{ ratePpm: BigInt(ratePpm), from: from.getTime() }] : [],
  )
  const { ratePpm, earlierRates } = agreedRates(facility)
  const agreed = [...earlierRates, { ratePpm, until: new Date(8.64e15) }]
  const rateAt = new Map<number, bigint>()
  let start = 0
  for (const { ratePpm: amended, until } of agreed) {
    rateAt.set(start, amended)
    const own = corrections.filter(({ from }) => from >= start && from < until.getTime())
    for (const { from } of own) {
      const last = own.findLast((one) => one.from <= from)
      if (last) rateAt.set(from, last.ratePpm)
    }
    start = until.getTime()
  }
  for (const [from, inForce] of rateAt) {
    events.push({ id: `rate/${from}`, kind: 'rate', valueAt: new Date(from), ratePpm: inForce })
  }
  return { events, firstRatePpm: earlierRates[0]?.ratePpm ?? ratePpm }
}

const ACCOUNTS = {
  loans_receivable: 'principal',
  interest_receivable: 'interest',
  interest_income: 'income',
  recoveries: 'recovered',
} as const

/** At every instant at which something of the facility counts, the books by value date and the statement
 * are those of the exact model. */
export async function expectExact(reading: Reading, facilityId: string): Promise<void> {
  const { db, tenantId } = reading
  const now = reading.now()
  const facility = await getFacility(db, tenantId, facilityId)
  const corrected = await listCorrected(db, facility)
  const { firstRatePpm: ratePpm } = corrected
  const events = [...(await listEvents(reading, facilityId)), ...corrected.events]
  const lines = await db
    .selectFrom('journal_lines')
    .select(['account', 'amount', 'value_at', 'kind'])
    .where('facility_id', '=', facilityId)
    .where('asset', '=', 'USD')
    .execute()
  const instants = [...new Set(lines.map(({ value_at }) => value_at.getTime()))]
  for (const at of instants.map((ms) => new Date(ms))) {
    const expected = expectedAt(events, at, ratePpm)
    const isAccrued = lines.some(({ kind, value_at }) => kind === 'interest' && +value_at === +at)
    const balances: Record<string, bigint> = {}
    for (const [account, name] of Object.entries(ACCOUNTS)) {
      if (!isAccrued && (name === 'interest' || name === 'income')) continue
      const sum = lines
        .filter((line) => line.account === account && line.value_at <= at)
        .reduce((total, { amount }) => total + amount, 0n)
      balances[name] = account === 'interest_income' || account === 'recoveries' ? -sum : sum
    }
    deepStrictEqual({ at, ...balances }, { at, ...pick(expected, Object.keys(balances)) })
  }
  const asked = { interest: 'period' } as const
  const { lines: shown, closing } = await readStatement({ db, now }, facility, asked)
  const last = new Map(shown.map(({ valueAt, balance }) => [valueAt.getTime(), balance]))
  last.set(Math.max(+now, +facility.debt.accruedAt), closing)
  for (const [ms, { principalCents, totalCents }] of last) {
    const at = new Date(ms)
    const { principal, interest } = expectedAt(events, at, ratePpm)
    const owed = { principalCents: principal, totalCents: principal + interest }
    deepStrictEqual({ at, principalCents, totalCents }, { at, ...owed })
  }
}

function pick(from: Record<string, bigint>, names: readonly string[]): Record<string, bigint> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? 0n]))
}

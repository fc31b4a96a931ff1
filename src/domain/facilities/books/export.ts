import { formatFixed, fractionDigits } from '../../../core/money.ts'
import type { Db } from '../../../db/database.ts'
import { ACCOUNTS, type AccountType } from '../ledger/accounts.ts'
import { type EntryKey, type EntryRow, selectEntries } from './books-queries.ts'
import { describeAccount } from './trial-balance.ts'

export type LedgerFormat = {
  head: string
  /** Printed before the first entry that names the asset. */
  declare: (asset: string) => string
  show: (entry: EntryRow) => string
}

const COLUMNS = [
  'tenant_id',
  'facility_id',
  'entry_id',
  'kind',
  'line',
  'number',
  'account',
  'asset',
  'debit',
  'credit',
  'value_date',
  'posting_date',
]

const CSV: LedgerFormat = {
  head: `${COLUMNS.join(',')}\n`,
  declare: () => '',
  show: (entry) =>
    linesOf(entry)
      .map(({ account, asset, units }, index) =>
        [
          entry.tenant_id,
          entry.facility_id,
          entry.entry_id,
          entry.kind,
          index + 1,
          describeAccount(account).number,
          account,
          asset,
          units > 0n ? show(units, asset) : '',
          units < 0n ? show(-units, asset) : '',
          entry.value_at.toISOString(),
          entry.booked_at.toISOString(),
        ].join(','),
      )
      .map((line) => `${line}\n`)
      .join(''),
}

const GROUPS = {
  asset: 'assets',
  liability: 'liabilities',
  income: 'income',
  expense: 'expenses',
} as const satisfies Record<AccountType, string>

/** An account's name in an hledger journal: `assets:loans receivable`. */
export function hledgerAccount(account: string): string {
  return `${GROUPS[describeAccount(account).type]}:${account.replaceAll('_', ' ')}`
}

/** The posting date is hledger's date, the value date its secondary date. */
const HLEDGER: LedgerFormat = {
  head: `${Object.entries(ACCOUNTS)
    .map(
      ([account, { number, title }]) =>
        `account ${hledgerAccount(account)}  ; ${number} ${title}\n`,
    )
    .join('')}\n`,
  declare: (asset) => `commodity ${show(0n, asset)} ${commodityOf(asset)}\n`,
  show: (entry) =>
    `${[
      `${dateOf(entry.booked_at)}=${dateOf(entry.value_at)} * (${entry.entry_id}) ${entry.kind}  ; ${entry.tenant_id} ${entry.facility_id}`,
      ...linesOf(entry).map(
        ({ account, asset, units }) =>
          `    ${hledgerAccount(account)}  ${show(units, asset)} ${commodityOf(asset)}`,
      ),
    ].join('\n')}\n\n`,
}

/** hledger reads a digit in a bare name as part of the amount. */
const commodityOf = (asset: string) => (/^[A-Z]+$/.test(asset) ? asset : `"${asset}"`)

export const LEDGER_FORMATS = { csv: CSV, hledger: HLEDGER } as const

const PAGE = 5_000

/** Writes every entry posted from `from` on and before `to`, a page at a time. */
export async function exportLedger(
  db: Db,
  period: { tenantId: string | undefined; from: Date | undefined; to: Date | undefined },
  format: LedgerFormat,
  write: (text: string) => void,
): Promise<void> {
  write(format.head)
  const declared = new Set<string>()
  let after: EntryKey | undefined
  for (;;) {
    const entries = await selectEntries(db, period, { after, limit: PAGE })
    const assets = new Set(entries.flatMap((entry) => entry.assets))
    for (const asset of assets) if (!declared.has(asset)) write(format.declare(asset))
    for (const asset of assets) declared.add(asset)
    write(entries.map(format.show).join(''))
    after = entries.at(-1)
    if (entries.length < PAGE) return
  }
}

function linesOf({ accounts, assets, amounts }: EntryRow) {
  return accounts.map((account, index) => ({
    account,
    asset: assets[index] ?? '',
    units: BigInt(amounts[index] ?? 0),
  }))
}

const show = (units: bigint, asset: string) => formatFixed(units, fractionDigits(asset))

const dateOf = (at: Date) => at.toISOString().slice(0, 10)

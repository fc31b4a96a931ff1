import { formatFixed, fractionDigits } from '../../../core/money.ts'
import type { Db } from '../../../db/database.ts'
import { ACCOUNTS, type AccountType } from '../ledger/accounts.ts'
import { selectBalances } from './books-queries.ts'

export type BookDate = 'posting' | 'value'

export type Balance = {
  number: number
  account: string
  title: string
  type: AccountType
  asset: string
  debit: bigint
  credit: bigint
}

/** Every account that has had a line, up to and including the instant if one is given, in the order of
 * the chart. */
export async function makeTrialBalance(
  db: Db,
  request: { tenantId: string | undefined; at: Date | undefined; by: BookDate },
): Promise<Balance[]> {
  const rows = await selectBalances(db, request)
  return rows
    .map((row) => ({ ...describeAccount(row.account), ...row }))
    .sort((a, b) => a.number - b.number || (a.asset < b.asset ? -1 : 1))
}

/** Amounts as decimals in the asset's own unit; a balance is a debit where it is positive. */
export function balanceToJson({ debit, credit, asset, number, account, title, type }: Balance) {
  const show = (units: bigint) => formatFixed(units, fractionDigits(asset))
  return {
    ...{ number, account, title, type, asset },
    ...{ debit: show(debit), credit: show(credit), balance: show(debit - credit) },
  }
}

/** Turnover of each asset, which is equal on both sides. */
export function sumBalances(balances: readonly Balance[]) {
  const byAsset = Map.groupBy(balances, ({ asset }) => asset)
  return [...byAsset].map(([asset, lines]) => {
    const sum = (side: 'debit' | 'credit') =>
      formatFixed(
        lines.reduce((total, line) => total + line[side], 0n),
        fractionDigits(asset),
      )
    return { asset, debit: sum('debit'), credit: sum('credit') }
  })
}

export function describeAccount(account: string): Omit<Balance, 'asset' | 'debit' | 'credit'> {
  const row = Object.entries(ACCOUNTS).find(([name]) => name === account)?.[1]
  if (!row) throw new Error(`the chart has no account ${account}`)
  return { account, ...row }
}

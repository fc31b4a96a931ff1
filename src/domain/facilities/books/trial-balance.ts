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

/** Every account that has had a line up to and including the instant, in the order of the chart. */
export async function makeTrialBalance(
  db: Db,
  request: { tenantId: string | undefined; at: Date; by: BookDate },
): Promise<Balance[]> {
  const rows = await selectBalances(db, request)
  return rows
    .map((row) => ({ ...describeAccount(row.account), ...row }))
    .sort((a, b) => a.number - b.number || (a.asset < b.asset ? -1 : 1))
}

export function describeAccount(account: string): Omit<Balance, 'asset' | 'debit' | 'credit'> {
  const row = Object.entries(ACCOUNTS).find(([name]) => name === account)?.[1]
  if (!row) throw new Error(`the chart has no account ${account}`)
  return { account, ...row }
}

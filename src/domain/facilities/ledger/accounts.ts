/** The chart of accounts. An asset's or expense's balance is a debit, the others' a credit. */
export const ACCOUNTS = {
  bank: { number: 1000, type: 'asset', title: 'Bank (USD)' },
  wallet: { number: 1010, type: 'asset', title: 'Wallet, by asset' },
  /** Less the wallet's units, plus the dollars that they are carried at: nothing, at par. */
  wallet_at_par: { number: 1020, type: 'asset', title: 'Wallet carried at par' },
  loans_receivable: { number: 1100, type: 'asset', title: 'Loans receivable' },
  interest_receivable: { number: 1110, type: 'asset', title: 'Interest receivable' },
  refunds_payable: { number: 2000, type: 'liability', title: 'Refunds payable' },
  suspense: { number: 2100, type: 'liability', title: 'Suspense: receipts that match nothing' },
  collateral_proceeds: { number: 2200, type: 'liability', title: 'Collateral proceeds, gross' },
  interest_income: { number: 4000, type: 'income', title: 'Interest income' },
  conversion_result: { number: 4100, type: 'income', title: 'Conversion result' },
  recoveries: { number: 4200, type: 'income', title: 'Recoveries of charged-off debt' },
  sale_costs: { number: 5000, type: 'expense', title: 'Sale costs' },
  write_offs: { number: 5100, type: 'expense', title: 'Write-offs' },
} as const satisfies Record<string, { number: number; type: AccountType; title: string }>

export type AccountType = 'asset' | 'liability' | 'income' | 'expense'

export type Account = keyof typeof ACCOUNTS

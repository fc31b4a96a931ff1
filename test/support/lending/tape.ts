import { expect } from 'vitest'
import { addMs } from '../../../src/core/time.ts'
import { makeTrialBalance } from '../../../src/domain/facilities/books/trial-balance.ts'
import { readStatement } from '../../../src/domain/facilities/statements/statement.ts'
import { readTape, type TapeRow } from '../../../src/domain/month-end/loan-tape.ts'
import { type Lending, read } from './lending.ts'

/** The loan tape of all facilities, the trial balance by either date and the statement of one facility are
 * equal to the cent. Of the statement, as of when the facility's interest was last booked. */
export async function expectTape(lending: Lending, facilityId: string): Promise<void> {
  const { db, tenantId } = lending
  const now = lending.now()
  const rows: TapeRow[] = []
  for await (const page of readTape(db, tenantId, addMs(now, 1))) rows.push(...page)
  for (const by of ['posting', 'value'] as const) {
    const balances = await makeTrialBalance(db, { tenantId, at: now, by })
    const balanceOf = (account: string) => {
      const one = balances.find((row) => row.account === account && row.asset === 'USD')
      return one ? one.debit - one.credit : 0n
    }
    expect(sumsOf(rows)).toEqual({
      principal: balanceOf('loans_receivable'),
      interest: balanceOf('interest_receivable'),
      refunds: -balanceOf('refunds_payable'),
      recovered: -balanceOf('recoveries'),
    })
  }
  const row = rows.find((one) => one.facilityId === facilityId)
  const facility = await read(lending, facilityId)
  if (!row) throw new Error(`${facilityId} is not on the tape`)
  const terms = { interest: 'period', to: facility.debt.accruedAt } as const
  const { closing } = await readStatement({ db, now }, facility, terms)
  const { principalCents, interestCents } = row
  expect({ principalCents, interestCents }).toEqual({
    principalCents: closing.principalCents,
    interestCents: closing.interestCents,
  })
}

function sumsOf(rows: readonly TapeRow[]) {
  const sum = (of: (row: TapeRow) => bigint) => rows.reduce((total, row) => total + of(row), 0n)
  return {
    principal: sum((row) => row.principalCents),
    interest: sum((row) => row.interestCents),
    refunds: sum((row) => row.refundsCents),
    recovered: sum((row) => row.recoveredCents),
  }
}

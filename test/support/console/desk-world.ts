import { inTransaction } from '../../../src/db/database.ts'
import { recordOperatorAction } from '../../../src/domain/operators/actions.ts'
import { SET_RESIDENCY } from '../../../src/domain/operators/acts/residency-acts.ts'
import { doOrPropose } from '../../../src/domain/operators/approvals/propose.ts'
import { inviteOperator } from '../../../src/domain/operators/operators.ts'
import type { ConsoleApi } from './console-api.ts'
import { furnishBook } from './desk-book.ts'

/** A book, a second operator, and what she proposes. */
export async function furnishDesk(api: ConsoleApi): Promise<void> {
  const { db, resources } = api
  await furnishBook(api)
  const now = resources.clock()
  const grace = { email: 'grace@lender.example', name: 'Grace', role: 'risk' } as const
  await inTransaction(db, async (tx) => {
    const { operator } = await inviteOperator(tx, grace, now)
    const acting = { actor: { kind: 'operator' as const, ...operator }, now }
    const desk = { tx, stack: 'sandbox' as const, now, acting, isFourEyes: true }
    const rule = { country: 'FR', borrowerType: 'business' as const, allowed: true }
    const { act } = await doOrPropose(desk, SET_RESIDENCY, rule, 'The board decided on 20 November')
    if (act) await recordOperatorAction(tx, acting, act)
  })
}

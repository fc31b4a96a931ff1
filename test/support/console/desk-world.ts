import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { showTerms } from '../../../src/domain/margin/margin-terms.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { recordOperatorAction } from '../../../src/domain/operators/actions.ts'
import { SET_MARGIN_POLICY } from '../../../src/domain/operators/acts/margin-policy-acts.ts'
import { SET_RESIDENCY } from '../../../src/domain/operators/acts/residency-acts.ts'
import { doOrPropose } from '../../../src/domain/operators/approvals/propose.ts'
import { inviteOperator } from '../people.ts'
import type { ConsoleApi } from './console-api.ts'
import { furnishBook } from './desk-book.ts'

/** A book, a second operator, and what she proposes; the id of that. */
export async function furnishDesk(api: ConsoleApi): Promise<string> {
  const { db, resources } = api
  await furnishBook(api)
  const now = resources.clock()
  const grace = { email: 'grace@lender.example', name: 'Grace', role: 'risk' } as const
  return await inTransaction(db, async (tx) => {
    const { operator } = await inviteOperator(tx, grace, now)
    const acting = { actor: { kind: 'operator' as const, ...operator }, now }
    const { prices, termsAt, hasRounds } = resources
    const lending = { prices, termsAt, hasRounds }
    const base = { tx, stack: 'sandbox' as const, now, acting, lending }
    const desk = { ...base, isFourEyes: true, maxActiveKeys: 10 }
    const rule = { country: 'FR', borrowerType: 'business' as const, allowed: true }
    const alone = { ...desk, isFourEyes: false }
    const allowed = { ...rule, allowed: false }
    const set = await doOrPropose(alone, SET_RESIDENCY, allowed, 'Until the board has decided')
    if (set.act) await recordOperatorAction(tx, acting, set.act)
    const stored = await doOrPropose(
      alone,
      SET_MARGIN_POLICY,
      versionFrom(now, 7),
      'ETH is volatile',
    )
    if (stored.act) await recordOperatorAction(tx, acting, stored.act)
    const next = versionFrom(now, 14)
    const proposed = await doOrPropose(desk, SET_MARGIN_POLICY, next, 'After the review of risk')
    if (proposed.act) await recordOperatorAction(tx, acting, proposed.act)
    const { act, result } = await doOrPropose(
      desk,
      SET_RESIDENCY,
      rule,
      'The board decided on 20 November',
    )
    if (act) await recordOperatorAction(tx, acting, act)
    if (result.kind === 'done') throw new Error('it was done at once')
    return result.proposed.approvalId
  })
}

/** In so many days; ETH counts less. */
function versionFrom(now: Date, days: number) {
  const terms = showTerms(DEFAULT_MARGIN_POLICY)
  const haircuts = { ...terms.haircuts, ETH: '0.12' }
  return { terms: { ...terms, haircuts }, effectiveFrom: addMs(now, days * DAY_MS).toISOString() }
}

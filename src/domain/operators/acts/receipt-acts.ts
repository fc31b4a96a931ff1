import { z } from 'zod'
import { type Amount, formatAmount } from '../../../core/money.ts'
import { askAgain, type Contested, refuseClaim } from '../../repayments/contested.ts'
import { applySuspense, returnSuspense } from '../../repayments/suspense.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { type GuardedAct, tenantContextOf } from './guarded-act.ts'

export type OfRepayment = { tenantId: string; repaymentId: string }

const ofRepayment = z.strictObject({ tenantId: z.string(), repaymentId: z.string() })

/** Neither moves money, so one operator is enough. */
export const ASK_AGAIN = decideClaim('receipts.ask_again', askAgain, 'asked_again')
export const REFUSE_CLAIM = decideClaim('receipts.refuse', refuseClaim, 'not_received')

function decideClaim(
  action: 'receipts.ask_again' | 'receipts.refuse',
  decide: (tenant: TenantContext, repaymentId: string) => Promise<Contested>,
  decision: string,
): GuardedAct<OfRepayment, Contested> {
  return {
    action,
    schema: ofRepayment,
    needsSecond: async () => false,
    async run(context, { tenantId, repaymentId }, reason) {
      const tenant = await tenantContextOf(context, tenantId)
      const contested = await decide(tenant, repaymentId)
      const subject = { kind: 'repayment', id: repaymentId }
      const before = { transfer: contested.transferId, paid_for: contested.paidFor }
      const act = { action, subject, tenantId, reason, before, after: { decision } }
      return { result: contested, act }
    },
  }
}

/** Moves money: by two operators. */
export const APPLY_SUSPENSE: GuardedAct<OfRepayment, Amount> = {
  action: 'receipts.apply',
  schema: ofRepayment,
  needsSecond: async () => true,
  async run(context, { tenantId, repaymentId }, reason) {
    const tenant = await tenantContextOf(context, tenantId)
    const amount = await applySuspense(tenant, repaymentId)
    const act = {
      action: 'receipts.apply' as const,
      ...{ subject: { kind: 'repayment', id: repaymentId }, tenantId, reason },
      before: { in_suspense: formatAmount(amount) },
      after: { decision: 'applied' },
    }
    return { result: amount, act }
  },
}

export type Returning = OfRepayment & { destination: string }

export const RETURN_SUSPENSE: GuardedAct<Returning, Amount> = {
  action: 'receipts.return',
  schema: ofRepayment.extend({ destination: z.string() }),
  needsSecond: async () => true,
  async run(context, { tenantId, repaymentId, destination }, reason) {
    const tenant = await tenantContextOf(context, tenantId)
    const amount = await returnSuspense(tenant, repaymentId, destination)
    const act = {
      action: 'receipts.return' as const,
      ...{ subject: { kind: 'repayment', id: repaymentId }, tenantId, reason },
      before: { in_suspense: formatAmount(amount) },
      after: { decision: 'returned', destination },
    }
    return { result: amount, act }
  },
}

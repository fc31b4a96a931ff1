import { z } from 'zod'
import { askAgain, type Contested, refuseClaim } from '../../repayments/contested.ts'
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

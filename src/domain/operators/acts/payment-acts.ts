import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import { dismissDoubt } from '../../facilities/doubts/doubts.ts'
import { redirectRefund } from '../../facilities/refunds/redirect-refund.ts'
import { CHECK_PAYMENT } from '../../facilities/topics.ts'
import { isPaymentDone } from '../../repayments/returns/check-payment.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { requestWork } from '../../work/work.ts'
import { type GuardedAct, tenantContextOf } from './guarded-act.ts'

/** A repayment, a draw or a refund. */
export type OfPayment = { tenantId: string; subjectId: string }

/** Neither moves money, so one operator is enough. */
export const CHECK_PAYMENT_AGAIN = decidePayment('payments.check', 'checked_again', checkAgain)
export const DISMISS_PAYMENT = decidePayment('payments.dismiss', 'dismissed', dismissDoubt)

/** Has the provider asked whether it has come back. Refuses `not_found` unless it was done. */
async function checkAgain(tenant: TenantContext, subjectId: string): Promise<void> {
  const { tx, tenantId, realNow } = tenant
  if (!(await isPaymentDone(tx, tenantId, subjectId))) {
    const detail = `Nothing of ${subjectId} can come back: it was not paid, or it has come back.`
    throw new Refusal('not_found', detail)
  }
  await requestWork(tx, { tenantId, topic: CHECK_PAYMENT, subjectId }, realNow)
}

const KINDS = { rep: 'repayment', drw: 'draw', rfd: 'refund' } as const

function decidePayment(
  action: 'payments.check' | 'payments.dismiss',
  decision: string,
  decide: (tenant: TenantContext, subjectId: string) => Promise<void>,
): GuardedAct<OfPayment, undefined> {
  return {
    action,
    schema: z.strictObject({ tenantId: z.string(), subjectId: z.string() }),
    needsSecond: async () => false,
    async run(context, { tenantId, subjectId }, reason) {
      await decide(await tenantContextOf(context, tenantId), subjectId)
      const kind = KINDS[subjectId.slice(0, 3) as keyof typeof KINDS] ?? 'payment'
      const subject = { kind, id: subjectId }
      return { result: undefined, act: { action, subject, tenantId, reason, after: { decision } } }
    },
  }
}

type Redirect = { tenantId: string; refundId: string; destination: string }

export const REDIRECT_REFUND: GuardedAct<Redirect, { from: string }> = {
  action: 'refunds.redirect',
  schema: z.strictObject({ tenantId: z.string(), refundId: z.string(), destination: z.string() }),
  needsSecond: async () => true,
  async run(context, { tenantId, refundId, destination }, reason) {
    const tenant = await tenantContextOf(context, tenantId)
    const { from } = await redirectRefund(tenant, refundId, { destination, reason: reason ?? '' })
    const subject = { kind: 'refund', id: refundId }
    const states = { before: { destination: from }, after: { destination } }
    const act = { action: 'refunds.redirect' as const, subject, tenantId, reason, ...states }
    return { result: { from }, act }
  },
}

import { z } from 'zod'
import { redirectRefund } from '../../facilities/refunds/redirect-refund.ts'
import { type GuardedAct, tenantContextOf } from './guarded-act.ts'

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

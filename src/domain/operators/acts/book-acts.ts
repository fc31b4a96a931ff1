import { z } from 'zod'
import { monthStart } from '../../../core/time.ts'
import { closeMonth } from '../../facilities/books/close-month.ts'
import { getTenant } from '../../tenants/tenants.ts'
import { type GuardedAct, tenantContextOf } from './guarded-act.ts'

/** `month` is of UTC: `2026-10`. */
export type ClosingMonth = { tenantId: string; month: string }

/** And every month before. It moves nothing, so one operator is enough. The result: false where it was
 * closed. */
export const CLOSE_MONTH: GuardedAct<ClosingMonth, boolean> = {
  action: 'books.close',
  schema: z.strictObject({ tenantId: z.string(), month: z.string() }),
  needsSecond: async () => false,
  async run(context, { tenantId, month }, reason) {
    await getTenant(context.tx, tenantId)
    const { tx, now } = await tenantContextOf(context, tenantId)
    const isNew = await closeMonth({ tx, tenantId, now }, monthStart(new Date(`${month}-01`)))
    const subject = { kind: 'month', id: month }
    const act = { action: 'books.close' as const, subject, tenantId, ...(reason && { reason }) }
    return { result: isNew, act: isNew ? act : undefined }
  },
}

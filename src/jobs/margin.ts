import { JUDGE_AFTER } from '../domain/facilities/topics.ts'
import { escalateWarning } from '../domain/margin/escalate.ts'
import type { Trigger } from '../domain/margin/ladder.ts'
import { judgeFacility } from '../domain/margin/look.ts'
import { sellCollateral } from '../domain/margin/sell-collateral.ts'
import { ESCALATE_WARNING, SELL_COLLATERAL } from '../domain/margin/topics.ts'
import { defineWorkJob } from './define-work-job.ts'

/** What the margin ladder leaves to the worker. */
export const marginJobs = [
  judgeAfter('price'),
  judgeAfter('collateral'),
  judgeAfter('repayment'),
  defineWorkJob(ESCALATE_WARNING, escalateWarning),
  defineWorkJob(SELL_COLLATERAL, sellCollateral),
]

function judgeAfter(trigger: Trigger) {
  return defineWorkJob(JUDGE_AFTER[trigger], async (context, tenantId, facilityId) => {
    const instant = await context.instant(tenantId)
    await judgeFacility(context.db, context, tenantId, facilityId, { ...instant, trigger })
    return { done: true }
  })
}

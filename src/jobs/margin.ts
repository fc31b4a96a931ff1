import { JUDGE_AFTER } from '../domain/facilities/topics.ts'
import { escalateWarning } from '../domain/margin/escalate.ts'
import type { Trigger } from '../domain/margin/ladder.ts'
import { judgeFacility } from '../domain/margin/look.ts'
import { resumeSale, sellCollateral } from '../domain/margin/sell-collateral.ts'
import { ESCALATE_WARNING, SELL_COLLATERAL } from '../domain/margin/topics.ts'
import { defineWorkJob } from './define-work-job.ts'

/** What the margin ladder leaves to the worker. */
export const marginJobs = [
  judgeAfter('price'),
  judgeAfter('collateral'),
  judgeAfter('repayment'),
  waitingOnCustodian(ESCALATE_WARNING, escalateWarning),
  waitingOnCustodian(SELL_COLLATERAL, sellCollateral),
]

/**
 * A step that nothing but the custodian's answer takes further. It is asked again by itself; that it
 * had to be is counted and logged, for no warning escalates and nothing is sold meanwhile.
 */
function waitingOnCustodian(topic: string, step: typeof escalateWarning) {
  return defineWorkJob(topic, async (context, tenantId, facilityId) => {
    let isDone = false
    try {
      const result = await step(context, tenantId, facilityId)
      isDone = result.done
      return result
    } finally {
      if (!isDone) {
        context.metrics.custodianWaits.inc({ step: topic })
        context.logger.warn({ tenantId, facilityId, step: topic }, 'margin waits for the custodian')
      }
    }
  })
}

function judgeAfter(trigger: Trigger) {
  return defineWorkJob(JUDGE_AFTER[trigger], async (context, tenantId, facilityId) => {
    const instant = await context.instant(tenantId)
    await judgeFacility(context.db, context, tenantId, facilityId, { ...instant, trigger })
    // A call may wait for a draw or a repayment to be settled. A push tells it nothing: it goes by
    // what the custodian holds.
    if (trigger !== 'collateral') {
      await resumeSale(context.db, tenantId, facilityId, instant.realNow)
    }
    return { done: true }
  })
}

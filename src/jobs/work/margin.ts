import { EVALUATE_AFTER } from '../../domain/facilities/topics.ts'
import { escalateWarning } from '../../domain/margin/calls/escalate.ts'
import { resumeSale, sellCollateral } from '../../domain/margin/calls/sell-collateral.ts'
import { evaluateFacility } from '../../domain/margin/evaluation/evaluate.ts'
import type { Trigger } from '../../domain/margin/ladder/ladder.ts'
import { ESCALATE_WARNING, SELL_COLLATERAL } from '../../domain/margin/topics.ts'
import type { WorkResult } from '../../domain/work/work.ts'
import type { JobContext } from '../job-context.ts'
import type { TopicHandler } from './work-handlers.ts'

/** What the margin ladder leaves to the worker. */
export const marginWork = {
  [EVALUATE_AFTER.price]: evaluateAfter('price'),
  [EVALUATE_AFTER.collateral]: evaluateAfter('collateral'),
  [EVALUATE_AFTER.repayment]: evaluateAfter('repayment'),
  [ESCALATE_WARNING]: waitingOnCustodian(ESCALATE_WARNING, escalateWarning),
  [SELL_COLLATERAL]: waitingOnCustodian(SELL_COLLATERAL, sellCollateral),
} satisfies Record<string, TopicHandler>

/**
 * A step that nothing but the custodian's answer takes further. It is asked again by itself; that it
 * had to be is counted and logged, for no warning escalates and nothing is sold meanwhile.
 */
function waitingOnCustodian(topic: string, step: typeof escalateWarning) {
  return async (context: JobContext, tenantId: string, facilityId: string): Promise<WorkResult> => {
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
  }
}

function evaluateAfter(trigger: Trigger) {
  return async (context: JobContext, tenantId: string, facilityId: string): Promise<WorkResult> => {
    const instant = await context.instant(tenantId)
    await evaluateFacility(context.db, context, { tenantId, facilityId }, { ...instant, trigger })
    // A call may wait for a draw or a repayment to be settled. A push tells it nothing: it goes by
    // what the custodian holds.
    if (trigger !== 'collateral') {
      await resumeSale(context.db, tenantId, facilityId, instant.realNow)
    }
    return { done: true }
  }
}

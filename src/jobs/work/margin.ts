import { EVALUATE_AFTER } from '../../domain/facilities/topics.ts'
import { escalateWarnings } from '../../domain/margin/calls/escalate-many.ts'
import { resumeSale } from '../../domain/margin/calls/sell-collateral.ts'
import { sellCollaterals } from '../../domain/margin/calls/sell-many.ts'
import { evaluateFacility } from '../../domain/margin/evaluation/evaluate.ts'
import type { Trigger } from '../../domain/margin/ladder/ladder.ts'
import { ESCALATE_WARNING, SELL_COLLATERAL } from '../../domain/margin/topics.ts'
import type { WorkResult } from '../../domain/work/work.ts'
import type { JobContext } from '../job-context.ts'
import type { TopicHandler } from './work-handlers.ts'

export const marginWork = {
  [EVALUATE_AFTER.price]: evaluateAfter('price'),
  [EVALUATE_AFTER.collateral]: evaluateAfter('collateral'),
  [EVALUATE_AFTER.repayment]: evaluateAfter('repayment'),
  [ESCALATE_WARNING]: inBatches(ESCALATE_WARNING, escalateWarnings),
  [SELL_COLLATERAL]: inBatches(SELL_COLLATERAL, sellCollaterals),
} satisfies Record<string, TopicHandler>

function inBatches(topic: string, step: typeof escalateWarnings): TopicHandler {
  return {
    async batch(context, claims) {
      const tenantId = claims[0]?.tenantId ?? ''
      const ids = claims.map(({ subjectId }) => subjectId)
      const results = await step(context, tenantId, ids)
      for (const [at, result] of results.entries()) {
        if ('error' in result || !result.done) noteWait(context, topic, tenantId, ids[at])
      }
      return results
    },
  }
}

/** Until the custodian answers nothing escalates and nothing is sold. */
function noteWait(
  { metrics, logger }: JobContext,
  step: string,
  tenantId: string,
  facilityId: string | undefined,
): void {
  metrics.custodianWaits.inc({ step })
  logger.warn({ tenantId, facilityId, step }, 'margin waits for the custodian')
}

function evaluateAfter(trigger: Trigger) {
  return async (context: JobContext, tenantId: string, facilityId: string): Promise<WorkResult> => {
    const instant = await context.instant(tenantId)
    await evaluateFacility(context.db, context, { tenantId, facilityId }, { ...instant, trigger })
    // A call may wait for a draw or repayment to settle, never for a push.
    if (trigger !== 'collateral') {
      await resumeSale(context.db, tenantId, facilityId, instant.realNow)
    }
    return { done: true }
  }
}

import { CHECK_PUSH, CONFIRM_PUSH, EVALUATE_AFTER } from '../../domain/facilities/topics.ts'
import { confirmPushes } from '../../domain/margin/calls/confirm-pushes.ts'
import { escalateWarnings } from '../../domain/margin/calls/escalate-many.ts'
import { resumeSales } from '../../domain/margin/calls/sell-collateral.ts'
import { sellCollaterals } from '../../domain/margin/calls/sell-many.ts'
import { evaluateInIsolation } from '../../domain/margin/evaluation/evaluate-in-isolation.ts'
import type { Trigger } from '../../domain/margin/ladder/facts.ts'
import { ESCALATE_WARNING, SELL_COLLATERAL } from '../../domain/margin/topics.ts'
import type { JobContext } from '../job-context.ts'
import type { TopicHandler } from './work-handlers.ts'

export const marginWork = {
  [EVALUATE_AFTER.price]: evaluateAfter('price'),
  [EVALUATE_AFTER.collateral]: evaluateAfter('collateral'),
  [EVALUATE_AFTER.repayment]: evaluateAfter('repayment'),
  [EVALUATE_AFTER.correction]: evaluateAfter('correction'),
  [CONFIRM_PUSH]: inBatches(CONFIRM_PUSH, confirmPushes),
  [CHECK_PUSH]: inBatches(CHECK_PUSH, confirmPushes),
  [ESCALATE_WARNING]: inBatches(ESCALATE_WARNING, escalateWarnings),
  [SELL_COLLATERAL]: inBatches(SELL_COLLATERAL, sellCollaterals),
} satisfies Record<string, TopicHandler>

function inBatches(topic: string, step: typeof sellCollaterals): TopicHandler {
  return {
    async batch(context, claims) {
      const tenantId = claims[0]?.tenantId ?? ''
      const ids = claims.map(({ subjectId }) => subjectId)
      const results = await step(context, tenantId, ids, (error) => {
        const subjects = ids.length
        context.logger.warn(
          { tenantId, step: topic, subjects, err: error },
          'batch runs one by one',
        )
      })
      for (const [at, result] of results.entries()) {
        const facilityId = ids[at]
        if ('error' in result)
          noteWait(context, { tenantId, step: topic, facilityId, err: result.error })
        else if (!result.done) noteWait(context, { tenantId, step: topic, facilityId })
      }
      return results
    },
  }
}

/** Until the custodian answers no push cures, nothing escalates and nothing is sold. */
function noteWait(
  { metrics, logger }: JobContext,
  fields: { tenantId: string; step: string; facilityId: string | undefined; err?: unknown },
): void {
  metrics.custodianWaits.inc({ step: fields.step })
  logger.warn(fields, 'margin waits for the custodian')
}

function evaluateAfter(trigger: Trigger): TopicHandler {
  return {
    async batch(context, claims) {
      const tenantId = claims[0]?.tenantId ?? ''
      const facilityIds = claims.map(({ subjectId }) => subjectId)
      const instant = await context.instant(tenantId)
      const options = { instantNow: () => instant, trigger }
      const batch = { tenantId, facilityIds }
      const failed = await evaluateInIsolation(context.db, context, batch, options)
      // A call may wait for a draw or repayment to settle, never for a push.
      if (trigger !== 'collateral') {
        await resumeSales(context.db, tenantId, facilityIds, instant.realNow)
      }
      const errorOf = new Map(failed.flatMap((one) => one.facilityIds.map((id) => [id, one.error])))
      return facilityIds.map((id) =>
        errorOf.has(id) ? { error: errorOf.get(id) } : { done: true },
      )
    },
  }
}

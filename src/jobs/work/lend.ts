import { addMs, MINUTE_MS } from '../../core/time.ts'
import { releaseLien } from '../../domain/facilities/closing/close.ts'
import { applyPortfolioSource } from '../../domain/facilities/custody/change-source.ts'
import { readAlone } from '../../domain/facilities/custody/read-positions.ts'
import { releaseDraw } from '../../domain/facilities/draws/release-draw.ts'
import { pushFloor } from '../../domain/facilities/floors/floors.ts'
import { payRefund } from '../../domain/facilities/refunds/refunds.ts'
import {
  APPLY_SOURCE,
  PAY_REFUND,
  PUSH_FLOOR,
  READ_ALONE,
  READ_POSITIONS,
  RELEASE_DRAW,
  RELEASE_LIEN,
  UNDERWRITE_FACILITY,
} from '../../domain/facilities/topics.ts'
import { underwriteFacility } from '../../domain/facilities/underwriting/underwriting.ts'
import { confirmRepayment } from '../../domain/repayments/confirm-repayment.ts'
import { CONFIRM_REPAYMENT } from '../../domain/repayments/report-execution.ts'
import type { WorkResult } from '../../domain/work/work.ts'
import type { JobContext } from '../job-context.ts'
import { readPositions } from './read-positions.ts'
import type { TopicHandler } from './work-handlers.ts'

/** What lending leaves to the worker: every step that calls a provider. */
export const lendingWork = {
  [UNDERWRITE_FACILITY]: underwriteFacility,
  [RELEASE_DRAW]: releaseDraw,
  [CONFIRM_REPAYMENT]: confirmRepayment,
  [PAY_REFUND]: payRefund,
  [RELEASE_LIEN]: releaseLien,
  [PUSH_FLOOR]: updateFloor,
  [READ_POSITIONS]: { batch: readPositions },
  [READ_ALONE]: readAlone,
  [APPLY_SOURCE]: applyPortfolioSource,
} satisfies Record<string, TopicHandler>

/** A floor that the custodian refuses for now is asked for again. */
async function updateFloor(
  context: JobContext,
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  const answer = await pushFloor(context, tenantId, facilityId, 'update')
  switch (answer.status) {
    case 'done':
      return { done: true }
    case 'pending':
      return { done: false, retryAt: answer.askAgainAt }
    case 'refused':
      return { done: false, retryAt: addMs(context.clock(), MINUTE_MS) }
    default: {
      const unreachable: never = answer
      return unreachable
    }
  }
}

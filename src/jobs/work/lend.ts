import { addMs, MINUTE_MS } from '../../core/time.ts'
import { releaseLien } from '../../domain/facilities/closing/close.ts'
import { readForWriteOff } from '../../domain/facilities/corrections/write-off-reading.ts'
import { applyPortfolioSource } from '../../domain/facilities/custody/change-source.ts'
import { readManyPositions } from '../../domain/facilities/custody/read-many-positions.ts'
import { readAlone } from '../../domain/facilities/custody/read-positions.ts'
import { releaseDraw } from '../../domain/facilities/draws/release-draw.ts'
import { pushFloor } from '../../domain/facilities/floors/floors.ts'
import { payRefund } from '../../domain/facilities/refunds/pay-refund.ts'
import {
  APPLY_SOURCE,
  CHECK_PAYMENT,
  PAY_REFUND,
  PUSH_FLOOR,
  READ_ALONE,
  READ_FOR_WRITE_OFF,
  READ_POSITIONS,
  RELEASE_DRAW,
  RELEASE_LIEN,
  UNDERWRITE_FACILITY,
} from '../../domain/facilities/topics.ts'
import { underwriteFacility } from '../../domain/facilities/underwriting/underwriting.ts'
import { confirmRepayment } from '../../domain/repayments/confirm-repayment.ts'
import { CONFIRM_REPAYMENT } from '../../domain/repayments/report-execution.ts'
import { checkPayment } from '../../domain/repayments/returns/check-payment.ts'
import type { Claim } from '../../domain/work/claim.ts'
import type { ItemResult } from '../../domain/work/run-work.ts'
import type { WorkResult } from '../../domain/work/work.ts'
import type { JobContext } from '../job-context.ts'
import type { TopicHandler } from './work-handlers.ts'

export const lendingWork = {
  [UNDERWRITE_FACILITY]: underwriteFacility,
  [RELEASE_DRAW]: releaseDraw,
  [CONFIRM_REPAYMENT]: confirmRepayment,
  [PAY_REFUND]: payRefund,
  [CHECK_PAYMENT]: checkPayment,
  [RELEASE_LIEN]: releaseLien,
  [PUSH_FLOOR]: updateFloor,
  [READ_POSITIONS]: { batch: readPositions },
  [READ_ALONE]: readAlone,
  [READ_FOR_WRITE_OFF]: readForWriteOff,
  [APPLY_SOURCE]: applyPortfolioSource,
} satisfies Record<string, TopicHandler>

/** Retries a floor that the custodian refuses for now. */
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

async function readPositions(context: JobContext, claims: readonly Claim[]): Promise<ItemResult[]> {
  const tenantId = claims[0]?.tenantId ?? ''
  const ids = claims.map(({ subjectId }) => subjectId)
  const results = await readManyPositions(context, tenantId, ids)
  return ids.map((id) => results.get(id) ?? { done: true })
}
